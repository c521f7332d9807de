/* Fuzz target: programs whose parts are moved. The input is a list of changes to a whole program
   (structure.h), of eight bytes each: sections laid over each other, arrays that are shared,
   addresses and addends that are swapped, parts of the file copied into others. */
#include "use_file.h"
#include "structure.h"

enum { CHANGE = 8, CHANGES = 12, FIELDS = 8, HEADER = 64, RELOCATION = 24 };

static uint64_t word_at(const struct structure *made, size_t at) {
  return syclze__load_u64(made->bytes + at);
}

static size_t section_at(const struct structure *made, uint8_t index) {
  return made->begin[STRUCTURE_SECTIONS] + (size_t)(index % STRUCTURE_SECTIONS) * HEADER;
}

/* The place of a relocation; of a pointer's slot where they are resolved in place. */
static size_t pointer_at(const struct structure *made, uint8_t index) {
  size_t pointer = index % made->pointers;
  return made->type == 2 ? made->slot[pointer]
                         : made->begin[STRUCTURE_RELOCATIONS] + pointer * RELOCATION;
}

static size_t value_at(const struct structure *made, uint8_t index) {
  return pointer_at(made, index) + (made->type == 2 ? 0 : 16);
}

static void swap_words(struct structure *made, size_t a, size_t b) {
  uint64_t first = word_at(made, a), second = word_at(made, b);
  structure_word(made, a, second);
  structure_word(made, b, first);
}

static void change(struct structure *made, const uint8_t *how) {
  uint32_t number = syclze__load_u32(how + 4);
  uint64_t near = (uint64_t)(int64_t)(int8_t)how[3];
  size_t section = section_at(made, how[1]), other = section_at(made, how[2]);
  size_t field = 8 * (size_t)(number % FIELDS), place = number % (made->size - 8);
  size_t to = (number >> 16) % (made->size - 8), length = 8 * (size_t)(how[1] % 32);
  switch (how[0] % 12) {
  case 0: /* a section's field becomes another's, or nearly */
    structure_word(made, section + field, word_at(made, other + field) + near);
    break;
  case 1: /* a section lies over the end of another */
    structure_word(
        made, section + 16, word_at(made, other + 16) + word_at(made, other + 32) - how[3]);
    break;
  case 2: /* and over its middle */
    structure_word(made, section + 16, word_at(made, other + 16) + number % 2048);
    structure_word(made, section + 8, 2);
    break;
  case 3: /* a section of another size, up to the file's end and past it */
    structure_word(made, section + 32, made->size - word_at(made, section + 24) + near);
    break;
  case 4:
    swap_words(made, section + field, other + field);
    break;
  case 5: /* two pointers trade their targets, or share one */
    swap_words(made, value_at(made, how[1]), value_at(made, how[2]));
    break;
  case 6:
    structure_word(made, value_at(made, how[1]), word_at(made, value_at(made, how[2])) + near);
    break;
  case 7: /* and their places */
    structure_word(
        made, pointer_at(made, how[1]), word_at(made, pointer_at(made, how[2])) + 8 * near);
    break;
  case 8: /* a pointer to a section's end */
    structure_word(
        made, value_at(made, how[1]), word_at(made, other + 16) + word_at(made, other + 32) + near);
    break;
  case 9: /* a word of any place */
    structure_word(made, place, word_at(made, other + 16) + near);
    break;
  case 10: /* a part inside of another */
    if (length > made->size - place) length = made->size - place;
    if (length > made->size - to) length = made->size - to;
    memmove(made->bytes + to, made->bytes + place, length);
    break;
  default:
    made->bytes[place] = how[3];
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct structure shapes[3], made;
  if (shapes[0].size == 0)
    for (uint16_t type = 1; type <= 3; type++)
      structure_make(&shapes[type - 1], type);
  if (size == 0) return 0;
  made = shapes[data[0] % 3];
  for (size_t at = 1, count = 0; size - at >= CHANGE && count < CHANGES; at += CHANGE, count++)
    change(&made, data + at);
  uint8_t *file = malloc(made.size);
  if (file == NULL) abort();
  memcpy(file, made.bytes, made.size);
  use_file(file, made.size);
  free(file);
  return 0;
}
