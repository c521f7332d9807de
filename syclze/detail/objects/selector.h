/* Implementation of selector.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_SELECTOR_H
#define SYCLZE_DETAIL_OBJECTS_SELECTOR_H

#include "../../selector.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL ze_result_t syclze__devices_select(const struct syclze__selection *selection,
    const char *function, uint32_t *count, syclze_device *devices) {
  uint32_t capacity, found = 0;
  bool more = true;
  if (selection->text == NULL || count == NULL)
    return syclze__fail_pointer(function, "the text or the count's pointer is null");
  capacity = *count;
  *count = 0;
  ze_result_t result = syclze__enumerate_all();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, syclze__enumeration_rule(result), NULL);
  SYCLZE__ZEROED(struct syclze__position, position);
  while ((result = syclze__selection_next(selection, &position, function, &more)) ==
             ZE_RESULT_SUCCESS &&
         more && (capacity == 0 || found < capacity)) {
    if (capacity != 0 && devices != NULL) devices[found].rep = position.device;
    found++;
  }
  if (result == ZE_RESULT_SUCCESS) *count = found;
  return result;
}

SYCLZE_COLD ze_result_t syclze_device_select(
    const char *text, uint32_t *count, syclze_device *devices) {
  const struct syclze__selection selection = {syclze__selector_accepts, text};
  return syclze__devices_select(&selection, "syclze_device_select", count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_filter(
    const char *text, uint32_t *count, syclze_device *devices) {
  const struct syclze__selection selection = {syclze__filters_accept, text};
  return syclze__devices_select(&selection, "syclze_device_filter", count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_get_selected(uint32_t *count, syclze_device *devices) {
  const struct syclze__selection selection = syclze__selection_of_environment();
  return syclze__devices_select(&selection, "syclze_device_get_selected", count, devices);
}

/* Finds one filter's device among those that the environment selects; null for none. */
SYCLZE_LOCAL ze_result_t syclze__filter_find(struct syclze__reader *reader,
    const struct syclze__selection *environment, const char *function,
    struct syclze__device **device) {
  struct syclze__reader start = *reader;
  uint64_t number, seen = 0;
  *device = NULL;
  SYCLZE__ZEROED(struct syclze__position, position);
  syclze__position_next(&position);
  do {
    bool selected;
    ze_result_t result = syclze__selection_accepts(environment, &position, function, &selected);
    if (result != ZE_RESULT_SUCCESS) return result;
    *reader = start;
    if (syclze__filter(reader, &position, &number) && selected && *device == NULL &&
        (number == SYCLZE__NO_NUMBER || number == seen++))
      *device = position.device;
  } while (syclze__position_next(&position));
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_device_find(const char *text, syclze_device *device) {
  const char *const function = "syclze_device_find";
  const struct syclze__selection environment = syclze__selection_of_environment();
  struct syclze__reader reader = {text, NULL};
  struct syclze__device *found = NULL;
  ze_result_t result;
  if (text == NULL || device == NULL) {
    if (device != NULL) device->rep = NULL;
    return syclze__fail_pointer(function, "the text or the result's pointer is null");
  }
  device->rep = NULL;
  result = syclze__enumerate_all();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, syclze__enumeration_rule(result), NULL);
  do {
    struct syclze__device *match;
    result = syclze__filter_find(&reader, &environment, function, &match);
    if (result != ZE_RESULT_SUCCESS) return result;
    if (found == NULL) found = match;
  } while (syclze__reader_sign(&reader, ','));
  if (*reader.at != '\0') syclze__reader_fail(&reader, ": , or the end");
  result = syclze__reader_result(&reader, text, SYCLZE_RESULT_ERROR_RUNTIME, function);
  if (result != ZE_RESULT_SUCCESS) return result;
  device->rep = found;
  if (found != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_RUNTIME, function, "no device matches the filter", text);
}

SYCLZE_EXTERN_C_END

#endif

#endif
