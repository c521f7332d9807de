/* The reader of property sets. Writing is in property_write.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_PROPERTY_SET_H
#define SYCLZE_OFFLOAD_DETAIL_PROPERTY_SET_H

#include "../property_set.h"
#include "hash.h"
#include "wrapped_properties.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* Encodings of bytes in 64 characters in a .prop file. */
enum syclze__property_digits {
  SYCLZE__DIGITS_LOW_FIRST, /* DPC++'s order: each digit has the lowest six bits left, no padding */
  SYCLZE__DIGITS_BASE64     /* RFC 4648: the highest bits first, padded with '=' */
};

/* A set's heading and the properties that follow it. A set may have several headings. */
struct syclze__property_group {
  syclze_text name;
  size_t first;
  size_t count;
};

/* A property in its bucket. */
struct syclze__property_link {
  uint32_t next; /* plus one */
  uint32_t hash;
};

struct syclze__property_sets {
  size_t count;
  size_t group_count;
  uint32_t bucket_mask;
  struct syclze__hash_key hash_key;
  enum syclze__property_digits digits;
  syclze_property *properties;
  struct syclze__property_group *groups;
  struct syclze__property_link *links; /* of each property */
  uint32_t *buckets;                   /* the last property of each bucket, plus one */
  uint8_t *decoded;
};

SYCLZE_INLINE void syclze_property_sets_close(syclze_property_sets sets) {
  free(sets.rep);
}

SYCLZE_INLINE size_t syclze_property_count(syclze_property_sets sets) {
  return sets.rep->count;
}

SYCLZE_INLINE const syclze_property *syclze_property_at(syclze_property_sets sets, size_t index) {
  return index < sets.rep->count ? &sets.rep->properties[index] : NULL;
}

/* A cursor over the lines of a text. */
struct syclze__property_line {
  bool heading;
  syclze_text name;  /* of the set, or the key */
  syclze_text value; /* after the '|' */
  syclze_property_type type;
};

/* One pass over all properties of an image; it only counts while `properties` is null. */
struct syclze__property_reading {
  struct syclze__property_sets *sets;
  enum syclze__property_digits digits;
  size_t count;
  size_t group_count;
  size_t decoded;
  uint64_t set_hash; /* of the last heading */
  bool is_crowded;   /* hashes changed meanwhile: read again */
};

#if SYCLZE__BODIES

SYCLZE_COLD bool syclze_property_get_bytes(
    syclze_property_sets sets, const char *set, const char *key, syclze_bytes *bytes) {
  const syclze_property *property = syclze_property_find(sets, set, key);
  if (property == NULL || property->type < SYCLZE_PROPERTY_TYPE_BYTES) return false;
  *bytes = property->bytes;
  return true;
}

SYCLZE_COLD syclze_text syclze_property_get_text(
    syclze_property_sets sets, const char *set, const char *key) {
  syclze_bytes bytes = {NULL, 0};
  if (!syclze_property_get_bytes(sets, set, key, &bytes) || bytes.size == 0)
    return syclze_text_of(NULL);
  const void *end = memchr(bytes.data, 0, bytes.size);
  if (end != NULL) bytes.size = (size_t)((const char *)end - (const char *)bytes.data);
  return syclze_text_of_bytes(bytes);
}

/* The hash of a property; `set_hash` is the hash of the set's name. */
SYCLZE_INLINE uint32_t syclze__property_hash(
    const struct syclze__property_sets *sets, uint64_t set_hash, syclze_text key) {
  return (uint32_t)syclze__hash_pair(&sets->hash_key, set_hash, key);
}

SYCLZE_INLINE uint64_t syclze__property_set_hash(
    const struct syclze__property_sets *sets, syclze_text set) {
  return syclze__hash_text(&sets->hash_key, set.data, set.size);
}

/* Removes the next line that is not empty from `text`; false at the end, and on an error in
 * `status`.
 */
SYCLZE_LOCAL bool syclze__property_next_line(
    syclze_text *text, struct syclze__property_line *line, struct syclze__status *status) {
  const char *begin = text->data, *end;
  size_t left = text->size;
  while (left != 0 && *begin == '\n')
    begin++, left--;
  if (left == 0) return false;
  end = (const char *)memchr(begin, '\n', left);
  if (end == NULL) end = begin + left;
  text->data = end;
  text->size = left - (size_t)(end - begin);
  memset(line, 0, sizeof *line);
  size_t length = (size_t)(end - begin);
  if (*begin == '[') {
    line->heading = true;
    line->name.data = begin + 1;
    line->name.size = length - 2;
    if (length >= 2 && end[-1] == ']') return true;
    *status = syclze__invalid("property sets: a heading is not closed by ']'");
    return false;
  }
  const char *equals = (const char *)memchr(begin, '=', length);
  const char *bar =
      equals == NULL ? NULL : (const char *)memchr(equals, '|', (size_t)(end - equals));
  if (bar == NULL || equals == begin || bar != equals + 2 || bar + 1 == end) {
    *status = syclze__invalid("property sets: a line is not name=type|value");
    return false;
  }
  line->name.data = begin;
  line->name.size = (size_t)(equals - begin);
  line->value.data = bar + 1;
  line->value.size = (size_t)(end - bar - 1);
  line->type = equals[1] == '1' ? SYCLZE_PROPERTY_TYPE_UINT32 : SYCLZE_PROPERTY_TYPE_BYTES;
  if (equals[1] == '1' || equals[1] == '2') return true;
  *status = syclze__invalid("property sets: a type is neither 1 nor 2");
  return false;
}

SYCLZE_INLINE int syclze__property_digit(char digit) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9') return digit - '0' + 52;
  return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

/* Decodes a value, with its prefix, to `bytes`, or computes only the size if that is null. */
SYCLZE_LOCAL struct syclze__status syclze__property_decode(
    syclze_text digits, enum syclze__property_digits how, uint8_t *bytes, size_t *size) {
  size_t length = digits.size, count = 0;
  uint8_t prefix[8] = {0};
  if (how == SYCLZE__DIGITS_BASE64) {
    if (length % 4 != 0) return syclze__invalid("property sets: base64 is not padded");
    for (int i = 0; i < 2 && length != 0 && digits.data[length - 1] == '='; i++)
      length--;
  }
  uint32_t held = 0;
  unsigned bits = 0;
  for (size_t i = 0; i < length; i++) {
    int digit = syclze__property_digit(digits.data[i]);
    if (digit < 0) return syclze__invalid("property sets: not a digit of base64");
    if (how == SYCLZE__DIGITS_BASE64)
      held = (held << 6 | (uint32_t)digit) & 0xffffu;
    else
      held |= (uint32_t)digit << bits;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    uint8_t byte = (uint8_t)(how == SYCLZE__DIGITS_BASE64 ? held >> bits : held);
    if (how != SYCLZE__DIGITS_BASE64) held >>= 8;
    if (count < sizeof prefix) prefix[count] = byte;
    if (bytes != NULL) bytes[count] = byte;
    count++;
  }
  uint32_t rest = how == SYCLZE__DIGITS_BASE64 ? held & ((1u << bits) - 1) : held;
  if (bits >= 6 || rest != 0) return syclze__invalid("property sets: base64 ends within a byte");
  if (count < sizeof prefix) return syclze__invalid("property sets: bytes without their bit count");
  uint64_t bit_count = syclze__load_u64(prefix);
  if (bit_count / 8 + (bit_count % 8 != 0) != count - sizeof prefix)
    return syclze__invalid("property sets: the bit count is not that of the bytes");
  *size = count;
  return syclze__allowed();
}

SYCLZE_INLINE bool syclze__property_parse_u32(syclze_text digits, uint32_t *number) {
  uint64_t value = 0;
  if (digits.size == 0 || digits.size > 10) return false;
  for (size_t i = 0; i < digits.size; i++) {
    if (digits.data[i] < '0' || digits.data[i] > '9') return false;
    value = value * 10 + (uint64_t)(digits.data[i] - '0');
  }
  *number = (uint32_t)value;
  return value <= UINT32_MAX;
}

SYCLZE_INLINE void syclze__property_add_group(
    struct syclze__property_reading *reading, syclze_text name) {
  if (reading->sets != NULL) {
    struct syclze__property_group *group = &reading->sets->groups[reading->group_count];
    group->name = name;
    group->first = reading->count;
    reading->set_hash = syclze__property_set_hash(reading->sets, name);
    group->count = 0;
  }
  reading->group_count++;
}

SYCLZE_INLINE void syclze__property_add(
    struct syclze__property_reading *reading, syclze_property property) {
  struct syclze__property_sets *sets = reading->sets;
  size_t index = reading->count++;
  if (sets == NULL) return;
  struct syclze__property_group *group = &sets->groups[reading->group_count - 1];
  const uint32_t hash = syclze__property_hash(sets, reading->set_hash, property.key);
  uint32_t *bucket = &sets->buckets[hash & sets->bucket_mask];
  if (*bucket != 0 && property.key.size > SYCLZE__HASH_WHOLE &&
      sets->links[*bucket - 1].hash == hash &&
      !syclze_text_equal(sets->properties[*bucket - 1].key, property.key) &&
      syclze__hash_collided(&sets->hash_key))
    reading->is_crowded = true;
  property.set = group->name;
  property.group = reading->group_count - 1;
  group->count++;
  sets->properties[index] = property;
  sets->links[index].next = *bucket;
  sets->links[index].hash = hash;
  *bucket = (uint32_t)index + 1;
}

SYCLZE_LOCAL struct syclze__status syclze__property_read_text(
    syclze_text text, struct syclze__property_reading *reading) {
  struct syclze__status status = syclze__allowed();
  struct syclze__property_line line;
  bool in_set = false;
  while (syclze__property_next_line(&text, &line, &status)) {
    if (line.heading) {
      syclze__property_add_group(reading, line.name);
      in_set = true;
      continue;
    }
    if (!in_set) return syclze__invalid("property sets: a property stands before any heading");
    SYCLZE__ZEROED(syclze_property, property);
    property.key = line.name;
    property.type = line.type;
    if (line.type == SYCLZE_PROPERTY_TYPE_UINT32) {
      if (!syclze__property_parse_u32(line.value, &property.number))
        return syclze__invalid("property sets: a number is not one of 32 bits");
    } else {
      uint8_t *bytes = reading->sets != NULL ? reading->sets->decoded + reading->decoded : NULL;
      size_t size = 0;
      status = syclze__property_decode(line.value, reading->digits, bytes, &size);
      if (status.result != ZE_RESULT_SUCCESS) return status;
      reading->decoded += size;
      if (bytes != NULL) {
        property.bit_count = syclze__load_u64(bytes);
        property.bytes = syclze_bytes_of(bytes + 8, size - 8);
      }
    }
    syclze__property_add(reading, property);
  }
  return status;
}

/* Reads the arrays in memory, in the layouts of 64-bit programs, with pointers of this process. */
SYCLZE_LOCAL struct syclze__status syclze__property_read_arrays(
    const syclze_offload_image *image, struct syclze__property_reading *reading) {
  struct syclze__property_array_set set;
  struct syclze__property_array_entry entry;
  const char *at = (const char *)image->property_sets_begin;
  const char *end = (const char *)image->property_sets_end;
  if (at == NULL || end == NULL) return syclze__allowed();
  if (end < at || (size_t)(end - at) % sizeof set != 0)
    return syclze__invalid("property sets: the array of sets must have a whole number of them");
  for (; at != end; at += sizeof set) {
    memcpy(&set, at, sizeof set);
    if (set.name == NULL || set.end < set.begin ||
        (set.begin != NULL && (size_t)(set.end - set.begin) % sizeof entry != 0))
      return syclze__invalid("property sets: a set has no name or no whole number of properties");
    syclze__property_add_group(reading, syclze_text_of(set.name));
    if (set.begin == NULL) continue;
    for (const char *p = set.begin; p != set.end; p += sizeof entry) {
      memcpy(&entry, p, sizeof entry);
      if (entry.name == NULL) return syclze__invalid("property sets: a property has no name");
      SYCLZE__ZEROED(syclze_property, property);
      property.key = syclze_text_of(entry.name);
      if (entry.type == SYCLZE_PROPERTY_TYPE_NONE || entry.type > SYCLZE_PROPERTY_TYPE_STRING)
        return syclze__invalid("property sets: a type is not 1, 2 or 3");
      property.type = (syclze_property_type)entry.type;
      if (entry.type == SYCLZE_PROPERTY_TYPE_UINT32) {
        property.number = (uint32_t)entry.size;
      } else if (entry.type == SYCLZE_PROPERTY_TYPE_BYTES) {
        if (entry.value == NULL || entry.size < 8)
          return syclze__invalid("property sets: bytes without their bit count");
        property.bit_count = syclze__load_u64(entry.value);
        property.bytes = syclze_bytes_of(entry.value + 8, (size_t)entry.size - 8);
      } else {
        property.bytes = syclze_bytes_of(entry.value, syclze_text_of(entry.value).size);
      }
      syclze__property_add(reading, property);
    }
  }
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__property_read(const syclze_offload_image *image,
    struct syclze__property_sets *sets, struct syclze__property_reading *reading) {
  enum syclze__property_digits digits = reading->digits;
  memset(reading, 0, sizeof *reading);
  reading->sets = sets;
  reading->digits = digits;
  struct syclze__status status =
      syclze__property_read_text(syclze_text_of_bytes(image->property_text), reading);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  return syclze__property_read_arrays(image, reading);
}

/* Allocates the struct, the properties, the groups, the buckets and the decoded bytes as one block.
 */
SYCLZE_LOCAL struct syclze__property_sets *syclze__property_sets_new(
    const struct syclze__property_reading *counted) {
  size_t buckets = 1, properties = counted->count, groups = counted->group_count;
  while (buckets < properties)
    buckets *= 2;
  struct syclze__property_sets *sets = (struct syclze__property_sets *)calloc(
      1, sizeof *sets + properties * (sizeof *sets->properties + sizeof *sets->links) +
             groups * sizeof *sets->groups + buckets * sizeof *sets->buckets + counted->decoded);
  if (sets == NULL) return NULL;
  sets->count = properties;
  sets->group_count = groups;
  sets->bucket_mask = (uint32_t)(buckets - 1);
  sets->digits = counted->digits;
  sets->hash_key = syclze__hash_key_make();
  sets->properties = (syclze_property *)(void *)(sets + 1);
  sets->groups = (struct syclze__property_group *)(void *)(sets->properties + properties);
  sets->links = (struct syclze__property_link *)(void *)(sets->groups + groups);
  sets->buckets = (uint32_t *)(void *)(sets->links + properties);
  sets->decoded = (uint8_t *)(sets->buckets + buckets);
  return sets;
}

/* Opens property sets that are text or arrays in memory. */
SYCLZE_LOCAL struct syclze__status syclze__property_sets_open_loaded(
    const syclze_offload_image *image, syclze_property_sets *sets) {
  struct syclze__property_reading reading;
  reading.digits = SYCLZE__DIGITS_LOW_FIRST;
  struct syclze__status status = syclze__property_read(image, NULL, &reading);
  if (status.result != ZE_RESULT_SUCCESS) {
    reading.digits = SYCLZE__DIGITS_BASE64;
    if (syclze__property_read(image, NULL, &reading).result == ZE_RESULT_SUCCESS)
      status = syclze__allowed();
  }
  if (status.result == ZE_RESULT_SUCCESS && reading.count >= UINT32_MAX)
    status =
        syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "property sets: too many properties");
  if (status.result != ZE_RESULT_SUCCESS) return status;
  sets->rep = syclze__property_sets_new(&reading);
  if (sets->rep == NULL) return syclze__out_of_memory();
  syclze__property_read(image, sets->rep, &reading);
  if (reading.is_crowded) {
    memset(sets->rep->buckets, 0, ((size_t)sets->rep->bucket_mask + 1) * sizeof(uint32_t));
    syclze__property_read(image, sets->rep, &reading);
  }
  return status;
}

/* Opens the property sets without a report: a lock may be held. */
SYCLZE_LOCAL struct syclze__status syclze__property_sets_open(
    const syclze_offload_image *image, syclze_property_sets *sets) {
  syclze_offload_image loaded = *image;
  void *arrays = NULL;
  struct syclze__status status = syclze__allowed();
  sets->rep = NULL;
  if (image->property_file != NULL) status = syclze__wrapped_properties_load(&loaded, &arrays);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__property_sets_open_loaded(&loaded, sets);
  free(arrays);
  return status;
}

SYCLZE_COLD ze_result_t syclze_property_sets_open(
    const syclze_offload_image *image, syclze_property_sets *sets) {
  if (sets != NULL) sets->rep = NULL;
  if (image == NULL || sets == NULL)
    return syclze__fail_pointer(
        "syclze_property_sets_open", "the image's or the result's pointer is null");
  const struct syclze__status status = syclze__property_sets_open(image, sets);
  return syclze__finish(status, "syclze_property_sets_open", NULL);
}

/* Opens the property sets of an image; null without any, and for malformed ones, which are
 * reported. Fails only for lack of memory. */
SYCLZE_LOCAL ze_result_t syclze__property_sets_try(
    const syclze_offload_image *image, syclze_property_sets *sets) {
  sets->rep = NULL;
  if (image->property_sets_begin == NULL && image->property_text.size == 0)
    return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze_property_sets_open(image, sets);
  return result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ? result : ZE_RESULT_SUCCESS;
}

/* The last property of that set and key. */
SYCLZE_LOCAL_WARM const syclze_property *syclze__property_find(
    syclze_property_sets sets, syclze_text set, syclze_text key) {
  const struct syclze__property_sets *rep = sets.rep;
  const uint32_t hash = syclze__property_hash(rep, syclze__property_set_hash(rep, set), key);
  uint32_t at = rep->buckets[hash & rep->bucket_mask];
  for (; at != 0; at = rep->links[at - 1].next) {
    const syclze_property *property = &rep->properties[at - 1];
    if (rep->links[at - 1].hash == hash && syclze_text_equal(property->key, key) &&
        syclze_text_equal(property->set, set))
      return property;
  }
  return NULL;
}

SYCLZE_COLD const syclze_property *syclze_property_find(
    syclze_property_sets sets, const char *set, const char *key) {
  return syclze__property_find(sets, syclze_text_of(set), syclze_text_of(key));
}

SYCLZE_COLD const syclze_property *syclze_property_next(
    syclze_property_sets sets, const char *set, const syclze_property *previous) {
  syclze_text name = syclze_text_of(set);
  const struct syclze__property_sets *rep = sets.rep;
  size_t from = previous == NULL ? 0 : (size_t)(previous - rep->properties) + 1;
  for (size_t i = previous == NULL ? 0 : previous->group; i < rep->group_count; i++) {
    const struct syclze__property_group *group = &rep->groups[i];
    if (from >= group->first + group->count || !syclze_text_equal(group->name, name)) continue;
    return &rep->properties[from > group->first ? from : group->first];
  }
  return NULL;
}

SYCLZE_COLD bool syclze_property_get_u32(
    syclze_property_sets sets, const char *set, const char *key, uint32_t *number) {
  const syclze_property *property = syclze_property_find(sets, set, key);
  if (property == NULL) return false;
  if (property->type == SYCLZE_PROPERTY_TYPE_UINT32) {
    *number = property->number;
    return true;
  }
  if (property->type != SYCLZE_PROPERTY_TYPE_BYTES || property->bytes.size != 4) return false;
  *number = syclze__load_u32(property->bytes.data);
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#include "property_write.h"

#endif
