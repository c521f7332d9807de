/* Selection: which devices a program sees, by ONEAPI_DEVICE_SELECTOR, SYCL_DEVICE_FILTER, or a
 * filter string of the program's own (3.1 and 3.2).
 *
 *     uint32_t count = 1;
 *     syclze_device device;
 *     ze_result_t result = syclze_device_get_selected(&count, &device);
 *     if (result == ZE_RESULT_SUCCESS && count == 0)
 *       result = syclze_device_find("level_zero:gpu:0", &device);
 *
 * Devices of other backends can be named, and are not here. A device's index is its place among all
 * root devices of the backend, in the order of enumeration, before anything is selected. Case does
 * not matter. A value that does not follow the grammar selects nothing: the error's diagnostic
 * shows the text and points at the column. Any thread may call any function. */
#ifndef SYCLZE_SELECTOR_H
#define SYCLZE_SELECTOR_H

#include "device.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* The devices that a selector in the grammar of ONEAPI_DEVICE_SELECTOR selects:
 *
 *   selector  = accept { ";" accept } { ";" discard } | discard { ";" discard }
 *   discard   = "!" accept
 *   accept    = backend ":" device { "," device }
 *   backend   = "*" | "level_zero" | "opencl" | "cuda" | "hip" | "native_cpu" | "offload"
 *   device    = "cpu" | "gpu" | "fpga" | index [ "." index [ "." index ] ]
 *   index     = number | "*"                                     after "*" only "*"
 *
 * Two indices name sub-devices and three sub-sub-devices, which are then selected in place of the
 * device they are part of. Discards alone accept all root devices first; a discarded device takes
 * its parts with it. `text` and `count` are not null; `count` is on entry the room in `devices`, or
 * 0 to ask, and on return how many there are, or were written. SYCLZE_RESULT_ERROR_INVALID for a
 * malformed text. */
SYCLZE_COLD ze_result_t syclze_device_select(const char *text, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_select);

/* The devices that the environment selects: by ONEAPI_DEVICE_SELECTOR if that is set and not empty,
 * else by SYCL_DEVICE_FILTER, else all root devices. By the rules of syclze_device_select. */
SYCLZE_COLD ze_result_t syclze_device_get_selected(uint32_t *count, syclze_device *devices)
    SYCLZE_LINK_NAME(syclze_device_get_selected);

/* The devices that filters in the grammar of SYCL_DEVICE_FILTER select, in all:
 *
 *   filters = filter { "," filter }
 *   filter  = [ backend ] [ ":" type ] [ ":" number ]         at least one, colons between them
 *   backend = "*" | "host" | "level_zero" | "opencl" | "cuda" | "hip"
 *   type    = "*" | "host" | "cpu" | "gpu" | "acc" | "accelerator"
 *
 * The number is the device's index. A device that does not tell its type is of none. By the rules
 * of syclze_device_select. */
SYCLZE_COLD ze_result_t syclze_device_filter(const char *text, uint32_t *count,
    syclze_device *devices) SYCLZE_LINK_NAME(syclze_device_filter);

/* The first device that a filter selects, as the filter-selector extension has it: the grammar of
 * syclze_device_filter, but a number counts the devices that match the rest of its filter. Of
 * several filters the first that selects a device decides. SYCLZE_RESULT_ERROR_RUNTIME, as the
 * extension says, for a malformed text, and if no device matches. */
SYCLZE_COLD ze_result_t syclze_device_find(const char *text, syclze_device *device)
    SYCLZE_LINK_NAME(syclze_device_find);

/* A device and where it stands: indices of the root device, the sub-device and the
 * sub-sub-device, as far as its depth goes. */
struct syclze__place {
  struct syclze__device *device;
  uint32_t depth; /* 1 for a root device */
  uint32_t index[3];
};

/* Reads a text from left to right, and stops at the first thing that is wrong. */
struct syclze__reader {
  const char *at;
  const char *wanted; /* what should stand at the place that is wrong; null while all is well */
};

/* Steps to the next device, in the order of enumeration; false after the last. */
SYCLZE_LOCAL bool syclze__place_next(struct syclze__place *place) {
  struct syclze__platform *platform;
  struct syclze__device *device = place->device;
  uint32_t depth;
  do {
    platform = device != NULL ? device->platform : NULL;
    if (device != NULL) device = device->next;
    while (device == NULL) {
      platform =
          syclze__platform_next(platform != NULL ? &platform->next : &SYCLZE__STATE.platforms);
      if (platform == NULL) return false;
      device = __atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE);
    }
    depth = 1;
    for (const struct syclze__device *p = device->parent; p != NULL; p = p->parent)
      depth++;
  } while (depth > 3); /* what has no name in either grammar */
  place->index[depth - 1] = depth <= place->depth ? place->index[depth - 1] + 1 : 0;
  place->depth = depth;
  place->device = device;
  return true;
}

SYCLZE_INLINE char syclze__lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

SYCLZE_INLINE bool syclze__is_word(char c) {
  c = syclze__lower(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '*';
}

/* Steps over a whole word, if it stands here. */
SYCLZE_LOCAL bool syclze__reader_word(struct syclze__reader *reader, const char *word) {
  const char *at = reader->at;
  while (*word != '\0' && syclze__lower(*at) == *word)
    at++, word++;
  if (*word != '\0' || syclze__is_word(*at)) return false;
  reader->at = at;
  return true;
}

/* Steps over one character, if it stands here. */
SYCLZE_INLINE bool syclze__reader_sign(struct syclze__reader *reader, char sign) {
  if (reader->wanted != NULL || *reader->at != sign) return false;
  reader->at++;
  return true;
}

SYCLZE_INLINE void syclze__reader_fail(struct syclze__reader *reader, const char *wanted) {
  if (reader->wanted == NULL) reader->wanted = wanted;
}

SYCLZE_LOCAL bool syclze__reader_number(struct syclze__reader *reader, uint32_t *number) {
  const char *at = reader->at;
  uint64_t value = 0;
  while (*at >= '0' && *at <= '9' && value <= UINT32_MAX)
    value = value * 10 + (uint32_t)(*at++ - '0');
  if (at == reader->at || syclze__is_word(*at) || value > UINT32_MAX) return false;
  reader->at = at;
  *number = (uint32_t)value;
  return true;
}

SYCLZE_LOCAL bool syclze__device_is_of_type(
    const struct syclze__device *device, ze_device_type_t type) {
  ze_device_properties_t properties;
  memset(&properties, 0, sizeof properties);
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  return SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties) == ZE_RESULT_SUCCESS &&
         properties.type == type;
}

/* One device of a term: does it select the place, or, of a discard, something it is part of? */
SYCLZE_LOCAL bool syclze__selector_device(
    struct syclze__reader *reader, const struct syclze__place *place) {
  static const struct {
    const char *word;
    ze_device_type_t type;
  } types[] = {
      {"cpu", ZE_DEVICE_TYPE_CPU}, {"gpu", ZE_DEVICE_TYPE_GPU}, {"fpga", ZE_DEVICE_TYPE_FPGA}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (syclze__reader_word(reader, types[i].word))
      return place->depth == 1 && syclze__device_is_of_type(place->device, types[i].type);
  bool matches = true, any = false;
  uint32_t depth = 0, number = 0;
  do {
    bool open = !any && depth < 3;
    any = depth < 3 && syclze__reader_word(reader, "*");
    if (!any && !(open && syclze__reader_number(reader, &number))) {
      syclze__reader_fail(reader, depth == 0   ? "*, cpu, gpu, fpga or an index"
                                  : depth == 3 ? "at most three indices"
                                  : open       ? "* or an index"
                                               : "*, since an index was left open");
      return false;
    }
    if (depth < place->depth && !any && place->index[depth] != number) matches = false;
    depth++;
  } while (syclze__reader_sign(reader, '.'));
  return matches && depth == place->depth;
}

SYCLZE_LOCAL bool syclze__selector_term(
    struct syclze__reader *reader, const struct syclze__place *place) {
  static const char *const others[] = {"opencl", "cuda", "hip", "native_cpu", "offload"};
  bool ours = syclze__reader_word(reader, "*") || syclze__reader_word(reader, "level_zero");
  bool known = ours;
  for (size_t i = 0; i < sizeof others / sizeof *others && !known; i++)
    known = syclze__reader_word(reader, others[i]);
  if (!known) syclze__reader_fail(reader, "a backend");
  if (!syclze__reader_sign(reader, ':')) {
    syclze__reader_fail(reader, "a colon");
    return false;
  }
  bool matches = false;
  do {
    if (syclze__selector_device(reader, place)) matches = true;
  } while (syclze__reader_sign(reader, ','));
  return matches && ours;
}

/* The whole selector, for one device. */
SYCLZE_LOCAL bool syclze__selector_accepts(
    struct syclze__reader *reader, const struct syclze__place *place) {
  bool accepted = *reader->at == '!' && place->depth == 1, discarding = false;
  do {
    if (syclze__reader_sign(reader, '!'))
      discarding = true;
    else if (discarding) {
      syclze__reader_fail(reader, "!, since discards come last");
      return false;
    }
    if (!discarding) {
      if (syclze__selector_term(reader, place)) accepted = true;
      continue;
    }
    /* Each device that this one is, or is part of, may be the one that is discarded. */
    struct syclze__reader start = *reader;
    struct syclze__place whole = *place;
    do {
      *reader = start;
      if (syclze__selector_term(reader, &whole)) accepted = false;
      if (whole.device != NULL) whole.device = whole.device->parent;
      whole.depth--;
    } while (whole.device != NULL);
  } while (syclze__reader_sign(reader, ';'));
  if (*reader->at != '\0') syclze__reader_fail(reader, "; , or the end");
  return accepted;
}

/* The number of a filter that has none; no device has it. */
#define SYCLZE__NO_NUMBER UINT64_MAX

/* One filter: does the device match what is not its number? */
SYCLZE_LOCAL bool syclze__filter(
    struct syclze__reader *reader, const struct syclze__place *place, uint64_t *number) {
  static const struct {
    const char *word;
    int part;              /* 0: a backend, 1: a type, -1: either */
    ze_device_type_t type; /* 0: none of ours; ours without looking for FORCE_UINT32 */
  } words[] = {{"*", -1, ZE_DEVICE_TYPE_FORCE_UINT32}, {"host", -1, (ze_device_type_t)0},
      {"level_zero", 0, ZE_DEVICE_TYPE_FORCE_UINT32}, {"opencl", 0, (ze_device_type_t)0},
      {"cuda", 0, (ze_device_type_t)0}, {"hip", 0, (ze_device_type_t)0},
      {"cpu", 1, ZE_DEVICE_TYPE_CPU}, {"gpu", 1, ZE_DEVICE_TYPE_GPU},
      {"acc", 1, ZE_DEVICE_TYPE_FPGA}, {"accelerator", 1, ZE_DEVICE_TYPE_FPGA}};
  enum { WORDS = sizeof words / sizeof *words };
  bool matches = place->depth == 1;
  int part = 0; /* of the three, the next that may come */
  uint32_t read;
  *number = SYCLZE__NO_NUMBER;
  do {
    size_t i = 0;
    while (i < WORDS && !(part < 2 && (words[i].part >= part || words[i].part < 0) &&
                            syclze__reader_word(reader, words[i].word)))
      i++;
    if (i < WORDS) {
      part = (words[i].part < 0 ? part : words[i].part) + 1;
      if (words[i].type != ZE_DEVICE_TYPE_FORCE_UINT32)
        matches = matches && words[i].type != (ze_device_type_t)0 &&
                  syclze__device_is_of_type(place->device, words[i].type);
    } else if (part <= 2 && syclze__reader_number(reader, &read)) {
      part = 3;
      *number = read;
    } else
      syclze__reader_fail(reader, "a backend, a device type or a number, in this order");
  } while (syclze__reader_sign(reader, ':'));
  return matches;
}

/* Success, or the error, with a detail that shows the text and points at the column. */
SYCLZE_LOCAL ze_result_t syclze__reader_result(const struct syclze__reader *reader,
    const char *text, ze_result_t error, const char *function) {
  if (reader->wanted == NULL) return ZE_RESULT_SUCCESS;
  char detail[512];
  int column = (int)(reader->at - text);
  snprintf(detail, sizeof detail, "column %d: expected %s\n%.200s\n%*s", column + 1, reader->wanted,
      text, column < 200 ? column + 1 : 200, "^");
  return syclze__fail_detail(
      error, function, "the selection does not follow the grammar", text, detail);
}

SYCLZE_LOCAL ze_result_t syclze__devices_enumerate_all(const char *function) {
  ze_result_t result = syclze__platforms_enumerate();
  SYCLZE__FOR_EACH_PLATFORM(p) {
    ze_result_t listed = syclze__devices_enumerate(p);
    if (result == ZE_RESULT_SUCCESS) result = listed;
  }
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, function, "the devices could not be enumerated", NULL);
}

/* Whether a text selects a device; the reader is at its start. */
typedef bool (*syclze__selects)(struct syclze__reader *reader, const struct syclze__place *place);

SYCLZE_LOCAL ze_result_t syclze__devices_select(syclze__selects selects, const char *text,
    const char *function, uint32_t *count, syclze_device *devices) {
  if (text == NULL || count == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the text or the count's pointer is null", NULL);
  uint32_t room = *count, found = 0;
  *count = 0;
  ze_result_t result = syclze__devices_enumerate_all(function);
  if (result != ZE_RESULT_SUCCESS) return result;
  /* Without a device the text is still read, for its grammar: at a place of no depth. */
  struct syclze__place place;
  memset(&place, 0, sizeof place);
  syclze__place_next(&place);
  do {
    struct syclze__reader reader = {text, NULL};
    bool selected = selects(&reader, &place);
    result = syclze__reader_result(&reader, text, SYCLZE_RESULT_ERROR_INVALID, function);
    if (result != ZE_RESULT_SUCCESS) return result;
    if (!selected || (room != 0 && found == room)) continue;
    if (room != 0 && devices != NULL) devices[found].rep = place.device;
    found++;
  } while (syclze__place_next(&place));
  *count = found;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL bool syclze__filters_accept(
    struct syclze__reader *reader, const struct syclze__place *place) {
  bool accepted = false;
  do {
    uint64_t number;
    bool matches = syclze__filter(reader, place, &number);
    if (matches && (number == SYCLZE__NO_NUMBER || number == place->index[0])) accepted = true;
  } while (syclze__reader_sign(reader, ','));
  if (*reader->at != '\0') syclze__reader_fail(reader, ": , or the end");
  return accepted;
}

SYCLZE_LOCAL bool syclze__is_root(
    struct syclze__reader *reader, const struct syclze__place *place) {
  (void)reader;
  return place->depth == 1;
}

SYCLZE_COLD ze_result_t syclze_device_select(
    const char *text, uint32_t *count, syclze_device *devices) {
  return syclze__devices_select(
      syclze__selector_accepts, text, "syclze_device_select", count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_filter(
    const char *text, uint32_t *count, syclze_device *devices) {
  return syclze__devices_select(
      syclze__filters_accept, text, "syclze_device_filter", count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_get_selected(uint32_t *count, syclze_device *devices) {
  static const char *const function = "syclze_device_get_selected";
  const char *text = getenv("ONEAPI_DEVICE_SELECTOR");
  if (text != NULL && *text != '\0')
    return syclze__devices_select(syclze__selector_accepts, text, function, count, devices);
  text = getenv("SYCL_DEVICE_FILTER");
  if (text != NULL && *text != '\0')
    return syclze__devices_select(syclze__filters_accept, text, function, count, devices);
  return syclze__devices_select(syclze__is_root, "", function, count, devices);
}

SYCLZE_COLD ze_result_t syclze_device_find(const char *text, syclze_device *device) {
  static const char *const function = "syclze_device_find";
  if (text == NULL || device == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the text or the result's pointer is null", NULL);
  device->rep = NULL;
  ze_result_t result = syclze__devices_enumerate_all(function);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__reader reader = {text, NULL};
  do {
    /* The same filter for one device after another, until its number is reached. */
    struct syclze__reader start = reader;
    struct syclze__place place;
    memset(&place, 0, sizeof place);
    struct syclze__device *match = NULL;
    uint64_t number, seen = 0;
    syclze__place_next(&place);
    do {
      reader = start;
      if (syclze__filter(&reader, &place, &number) && match == NULL &&
          (number == SYCLZE__NO_NUMBER || number == seen++))
        match = place.device;
    } while (syclze__place_next(&place));
    if (device->rep == NULL) device->rep = match;
  } while (syclze__reader_sign(&reader, ','));
  if (*reader.at != '\0') syclze__reader_fail(&reader, ": , or the end");
  result = syclze__reader_result(&reader, text, SYCLZE_RESULT_ERROR_RUNTIME, function);
  if (result != ZE_RESULT_SUCCESS) {
    device->rep = NULL;
    return result;
  }
  if (device->rep != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_RUNTIME, function, "no device matches the filter", text);
}

SYCLZE_EXTERN_C_END

#endif
