/* The grammars of ONEAPI_DEVICE_SELECTOR and SYCL_DEVICE_FILTER. */
#ifndef SYCLZE_DETAIL_OBJECTS_SELECTION_H
#define SYCLZE_DETAIL_OBJECTS_SELECTION_H

#include "../driver/enumeration.h"

#include <stdio.h>

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* A device and its position: as many indices as its depth, of the root device, the sub-device and
 * the sub-sub-device. */
struct syclze__position {
  struct syclze__device *device;
  uint32_t depth; /* 1 for a root device */
  uint32_t index[3];
};

/* A reader of a text, from left to right until the first error. */
struct syclze__reader {
  const char *at;
  const char *expected; /* in place of an error in the text; null without one */
};

/* Advances to the next device, in the order of enumeration; false after the last. */
SYCLZE_LOCAL bool syclze__position_next(struct syclze__position *position) {
  struct syclze__platform *platform;
  struct syclze__device *device = position->device;
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
  } while (depth > 3); /* neither grammar names such devices */
  position->index[depth - 1] = depth <= position->depth ? position->index[depth - 1] + 1 : 0;
  position->depth = depth;
  position->device = device;
  return true;
}

SYCLZE_INLINE char syclze__lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

SYCLZE_INLINE bool syclze__is_word(char c) {
  c = syclze__lower(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '*';
}

/* Skips a whole word; false if other text follows. */
SYCLZE_LOCAL bool syclze__reader_word(struct syclze__reader *reader, const char *word) {
  const char *at = reader->at;
  while (*word != '\0' && syclze__lower(*at) == *word)
    at++, word++;
  if (*word != '\0' || syclze__is_word(*at)) return false;
  reader->at = at;
  return true;
}

/* Skips one character; false if another follows. */
SYCLZE_INLINE bool syclze__reader_sign(struct syclze__reader *reader, char sign) {
  if (reader->expected != NULL || *reader->at != sign) return false;
  reader->at++;
  return true;
}

SYCLZE_INLINE void syclze__reader_fail(struct syclze__reader *reader, const char *expected) {
  if (reader->expected == NULL) reader->expected = expected;
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
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  return SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties) == ZE_RESULT_SUCCESS &&
         properties.type == type;
}

/* True if the indices of a term's device match the position. */
SYCLZE_LOCAL bool syclze__selector_indices(
    struct syclze__reader *reader, const struct syclze__position *position) {
  bool matches = true, any = false;
  uint32_t depth = 0, number = 0;
  do {
    bool open = !any && depth < 3;
    any = depth < 3 && syclze__reader_word(reader, "*");
    if (!any && !(open && syclze__reader_number(reader, &number))) {
      syclze__reader_fail(reader, depth == 0   ? "*, cpu, gpu, fpga, npu or an index"
                                  : depth == 3 ? "at most three indices"
                                  : open       ? "* or an index"
                                               : "*, since an index was left open");
      return false;
    }
    if (depth < position->depth && !any && position->index[depth] != number) matches = false;
    depth++;
  } while (syclze__reader_sign(reader, '.'));
  return matches && depth == position->depth;
}

/* True if one device of a term selects the position. */
SYCLZE_LOCAL bool syclze__selector_device(
    struct syclze__reader *reader, const struct syclze__position *position) {
  static const struct {
    const char *word;
    ze_device_type_t type;
  } types[] = {{"cpu", ZE_DEVICE_TYPE_CPU}, {"gpu", ZE_DEVICE_TYPE_GPU},
      {"fpga", ZE_DEVICE_TYPE_FPGA}, {"npu", ZE_DEVICE_TYPE_VPU}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (syclze__reader_word(reader, types[i].word))
      return position->depth == 1 && syclze__device_is_of_type(position->device, types[i].type);
  return syclze__selector_indices(reader, position);
}

/* Skips a backend; true for this one. */
SYCLZE_LOCAL bool syclze__selector_backend(struct syclze__reader *reader) {
  static const char *const backends[] = {"*", "level_zero", "ext_oneapi_level_zero",
      "level_zero_v2", "opencl", "cuda", "hip", "native_cpu", "offload"};
  enum { OURS = 4 };
  size_t i = 0;
  while (i < sizeof backends / sizeof *backends && !syclze__reader_word(reader, backends[i]))
    i++;
  if (i == sizeof backends / sizeof *backends) syclze__reader_fail(reader, "a backend");
  return i < OURS;
}

SYCLZE_LOCAL bool syclze__selector_term(
    struct syclze__reader *reader, const struct syclze__position *position) {
  bool ours = syclze__selector_backend(reader), matches = false;
  if (!syclze__reader_sign(reader, ':')) {
    syclze__reader_fail(reader, "a colon");
    return false;
  }
  do {
    if (syclze__selector_device(reader, position)) matches = true;
  } while (syclze__reader_sign(reader, ','));
  return matches && ours;
}

/* True if a discarding term selects the position, or a device that contains it. */
SYCLZE_LOCAL bool syclze__selector_discard(
    struct syclze__reader *reader, const struct syclze__position *position) {
  struct syclze__reader start = *reader;
  struct syclze__position whole = *position;
  bool discarded = false;
  do {
    *reader = start;
    if (syclze__selector_term(reader, &whole)) discarded = true;
    if (whole.device != NULL) whole.device = whole.device->parent;
    whole.depth--;
  } while (whole.device != NULL);
  return discarded;
}

/* Applies the whole selector to one device. */
SYCLZE_LOCAL bool syclze__selector_accepts(
    struct syclze__reader *reader, const struct syclze__position *position) {
  bool accepted = *reader->at == '!' && position->depth == 1, discarding = false;
  do {
    if (syclze__reader_sign(reader, '!'))
      discarding = true;
    else if (discarding) {
      syclze__reader_fail(reader, "!, since discards come last");
      return false;
    }
    if (!discarding) {
      if (syclze__selector_term(reader, position)) accepted = true;
    } else if (syclze__selector_discard(reader, position))
      accepted = false;
  } while (syclze__reader_sign(reader, ';') && *reader->at != '\0');
  if (*reader->at != '\0') syclze__reader_fail(reader, "; , or the end");
  return accepted;
}

/* The number of a filter without one, which no device has. */
#define SYCLZE__NO_NUMBER UINT64_MAX

/* A word of a filter. */
struct syclze__filter_word {
  const char *word;
  int part;              /* 0: a backend, 1: a type, -1: either */
  ze_device_type_t type; /* 0: no device of ours; FORCE_UINT32: any type */
};

/* True if the device matches all of the filter except its number. */
SYCLZE_LOCAL bool syclze__filter(
    struct syclze__reader *reader, const struct syclze__position *position, uint64_t *number) {
  static const struct syclze__filter_word words[] = {{"*", -1, ZE_DEVICE_TYPE_FORCE_UINT32},
      {"host", -1, (ze_device_type_t)0}, {"level_zero", 0, ZE_DEVICE_TYPE_FORCE_UINT32},
      {"ext_oneapi_level_zero", 0, ZE_DEVICE_TYPE_FORCE_UINT32}, {"opencl", 0, (ze_device_type_t)0},
      {"cuda", 0, (ze_device_type_t)0}, {"hip", 0, (ze_device_type_t)0},
      {"cpu", 1, ZE_DEVICE_TYPE_CPU}, {"gpu", 1, ZE_DEVICE_TYPE_GPU},
      {"acc", 1, ZE_DEVICE_TYPE_FPGA}, {"accelerator", 1, ZE_DEVICE_TYPE_FPGA}};
  enum { WORDS = sizeof words / sizeof *words };
  bool matches = position->depth == 1;
  int part = 0; /* the next of the three that may follow */
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
                  syclze__device_is_of_type(position->device, words[i].type);
    } else if (part <= 2 && syclze__reader_number(reader, &read)) {
      part = 3;
      *number = read;
    } else
      syclze__reader_fail(reader, "a backend, a device type or a number, in this order");
  } while (syclze__reader_sign(reader, ':'));
  return matches;
}

SYCLZE_LOCAL bool syclze__filters_accept(
    struct syclze__reader *reader, const struct syclze__position *position) {
  bool accepted = false;
  do {
    uint64_t number;
    bool matches = syclze__filter(reader, position, &number);
    if (matches && (number == SYCLZE__NO_NUMBER || number == position->index[0])) accepted = true;
  } while (syclze__reader_sign(reader, ','));
  if (*reader->at != '\0') syclze__reader_fail(reader, ": , or the end");
  return accepted;
}

SYCLZE_LOCAL bool syclze__is_root(
    struct syclze__reader *reader, const struct syclze__position *position) {
  (void)reader;
  return position->depth == 1;
}

/* Reports the reader's error, if any, with the text and the column as the detail. */
SYCLZE_LOCAL ze_result_t syclze__reader_result(const struct syclze__reader *reader,
    const char *text, ze_result_t error, const char *function) {
  char detail[512];
  int column = (int)(reader->at - text);
  if (reader->expected == NULL) return ZE_RESULT_SUCCESS;
  snprintf(detail, sizeof detail, "column %d: expected %s\n%.200s\n%*s", column + 1,
      reader->expected, text, column < 200 ? column + 1 : 200, "^");
  return syclze__fail_detail(
      error, function, "the selection does not follow the grammar", text, detail);
}

/* Returns true if the text selects the device. The reader is at the start of the text. */
typedef bool (*syclze__selects)(
    struct syclze__reader *reader, const struct syclze__position *position);

/* A grammar and a text. */
struct syclze__selection {
  syclze__selects selects;
  const char *text;
};

/* The selection by the environment. */
SYCLZE_LOCAL struct syclze__selection syclze__selection_of_environment(void) {
  struct syclze__selection selection = {
      syclze__selector_accepts, syclze__environment("ONEAPI_DEVICE_SELECTOR")};
  if (selection.text != NULL && *selection.text != '\0') return selection;
  selection.selects = syclze__filters_accept;
  selection.text = syclze__environment("SYCL_DEVICE_FILTER");
  if (selection.text != NULL && *selection.text != '\0') return selection;
  selection.selects = syclze__is_root;
  selection.text = "";
  return selection;
}

/* Checks if the device at the position is selected. Error for a malformed text. */
SYCLZE_LOCAL ze_result_t syclze__selection_accepts(const struct syclze__selection *selection,
    const struct syclze__position *position, const char *function, bool *selected) {
  struct syclze__reader reader = {selection->text, NULL};
  *selected = selection->selects(&reader, position);
  return syclze__reader_result(&reader, selection->text, SYCLZE_RESULT_ERROR_INVALID, function);
}

/* Advances to the next selected device; `*more` is false after the last one. Begins with a position
 * of depth 0, and then checks the grammar even without devices. Error for a malformed text. */
SYCLZE_LOCAL ze_result_t syclze__selection_next(const struct syclze__selection *selection,
    struct syclze__position *position, const char *function, bool *more) {
  bool selected = false;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (position->device == NULL)
    result = syclze__selection_accepts(selection, position, function, &selected);
  selected = false;
  *more = true;
  while (result == ZE_RESULT_SUCCESS && !selected && (*more = syclze__position_next(position)))
    result = syclze__selection_accepts(selection, position, function, &selected);
  return result;
}

SYCLZE_EXTERN_C_END

#endif

#endif
