#include "words.h"

#include "tests/check.h"

static void put(struct words *words, uint32_t word) {
  CHECK(words->count < WORDS_ROOM);
  words->word[words->count++] = word;
}

struct words words_begin(uint32_t bound) {
  struct words words = {{0x07230203, 0x00010400, 0, bound, 0}, 5};
  return words;
}

void words_add(struct words *words, uint32_t opcode, int count, ...) {
  va_list operands;
  put(words, (uint32_t)(count + 1) << 16 | opcode);
  va_start(operands, count);
  for (int i = 0; i < count; i++)
    put(words, va_arg(operands, uint32_t));
  va_end(operands);
}

void words_add_text(struct words *words, uint32_t opcode, int before, uint32_t first,
    uint32_t second, const char *text, int after) {
  const uint32_t start = words->count;
  const size_t size = strlen(text) / 4 + 1;
  put(words, 0);
  if (before > 0) put(words, first);
  if (before > 1) put(words, second);
  for (size_t i = 0; i < size; i++)
    put(words, 0);
  memcpy(&words->word[words->count - size], text, strlen(text));
  if (after >= 0) put(words, (uint32_t)after);
  words->word[start] = (words->count - start) << 16 | opcode;
}

syclze_bytes words_bytes(const struct words *words) {
  return syclze_bytes_of(words->word, words->count * sizeof *words->word);
}
