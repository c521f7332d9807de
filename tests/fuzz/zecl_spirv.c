/* Fuzz target: the SPIR-V of the embedded device. Whatever module its reader accepts, every change
 * that the driver makes to it ends, and yields words that can be walked through to their end. */
#include "spirv/builtin.h"
#include "spirv/call.h"
#include "spirv/cooperate.h"
#include "spirv/fuse.h"
#include "spirv/global.h"
#include "spirv/group.h"
#include "spirv/half.h"
#include "spirv/opaque.h"
#include "spirv/real_atomics.h"
#include "spirv/samplers.h"
#include "spirv/spirv.h"
#include "spirv/unify.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

enum { BOUND_LIMIT = 1 << 14 }; /* most of the time would go into clearing memory */

static volatile uint8_t used;

static void use(const void *data, size_t size) {
  uint8_t sum = 0;
  for (size_t i = 0; i < size; i++)
    sum = (uint8_t)(sum + ((const uint8_t *)data)[i]);
  used = sum;
}

static void use_string(const char *string) {
  if (string) use(string, strlen(string));
}

static void use_module(const struct zecl_spirv *spirv) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    use_string(spirv->kernels[i].name);
    use(spirv->kernels[i].args, spirv->kernels[i].arg_count * sizeof *spirv->kernels[i].args);
  }
  for (uint32_t i = 0; i < spirv->import_count; i++)
    use_string(spirv->imports[i].name);
  for (uint32_t i = 0; i < spirv->export_count; i++)
    use_string(spirv->exports[i].name);
  for (uint32_t i = 0; i < spirv->global_count; i++) {
    use_string(spirv->globals[i].name);
    if (spirv->globals[i].bytes && spirv->globals[i].size <= 1 << 16)
      use(spirv->globals[i].bytes, spirv->globals[i].size);
  }
  const char *name = "name";
  if (zecl_spirv_host_variable(spirv, &name)) use_string(name);
}

/* Frees the words, which may be null. */
static void use_words(uint32_t *words, size_t count) {
  size_t at = SPIRV_HEADER_WORDS;
  while (words && at < count) {
    if (SPIRV_LENGTH(words[at]) == 0) abort();
    at += SPIRV_LENGTH(words[at]);
  }
  if (words && at != count) abort();
  if (words) use(words, count * sizeof *words);
  free(words);
}

/* Without functions that PoCL lacks. */
static uint32_t *without_newer(uint32_t *words, size_t *count) {
  uint32_t *next = words ? zecl_spirv_plain_real_atomics(words, *count, count) : NULL;
  free(words);
  words = next ? zecl_spirv_plain_halves(next, *count, count) : NULL;
  free(next);
  next = words ? zecl_spirv_plain_groups(words, *count, 256, count) : NULL;
  free(words);
  return next;
}

/* As a program is linked, and as it is built: words of a linker, plain words, placed variables,
 * calls through pointers, functions that PoCL lacks, barriers. */
static void build(const struct zecl_spirv *spirv, bool for_translator) {
  size_t unified;
  uint32_t *linkable = zecl_spirv_unified(spirv, &unified);
  use_words(linkable, unified);
  static unsigned char place;
  struct zecl_text log = {0};
  size_t count = 0;
  void **places = calloc(spirv->global_count + 1, sizeof *places);
  uint32_t *words = zecl_spirv_plain_words(spirv, for_translator, &count), *next = NULL;
  for (uint32_t i = 0; places && i < spirv->global_count; i++)
    places[i] = &place;
  if (words && places) next = zecl_spirv_place_globals(spirv, words, count, places, &count);
  free(words);
  words = next;
  if (words && zecl_spirv_has_pointer_calls(spirv)) {
    next = zecl_spirv_direct_calls(spirv, words, count, places, &count, &log);
    if (!next && !log.length) abort();
    free(words);
    words = next;
  }
  words = without_newer(words, &count);
  if (words && zecl_spirv_has_wide_barriers(spirv)) {
    next = zecl_spirv_lone_groups(spirv, words, count, &count);
    free(words);
    words = next;
  }
  use_words(words, count);
  free(places);
  zecl_text_free(&log);
}

static void change(const struct zecl_spirv *spirv) {
  static const uint32_t size[3] = {4, 2, 1};
  size_t count = 0;
  uint32_t *words = zecl_spirv_opaque_words(spirv, &count);
  use_words(words, count);
  if (zecl_spirv_can_fuse(spirv)) {
    words = zecl_spirv_fused_words(spirv, size, &count);
    if (!words) abort();
    use_words(words, count);
  }
  words = malloc(spirv->word_count * sizeof *words);
  count = spirv->word_count;
  if (words) memcpy(words, spirv->words, count * sizeof *words);
  if (words && !zecl_spirv_merge_builtins(words, &count)) abort();
  use_words(words, count);
  words = zecl_spirv_wide_calls(spirv, spirv->words, spirv->word_count, &count);
  use_words(words, count);
  bool *cooperating = zecl_spirv_cooperating(spirv);
  if (cooperating) use(cooperating, spirv->words[3]);
  free(cooperating);
  unsigned char *samplers = zecl_spirv_samplers(spirv);
  if (samplers) use(samplers, spirv->words[3]);
  free(samplers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint64_t value = UINT64_C(0x4000000000000003);
  struct zecl_spirv spirv;
  struct zecl_text log = {0};
  uint32_t head[SPIRV_HEADER_WORDS] = {0};
  if (size >= sizeof head) memcpy(head, data, sizeof head);
  if ((head[0] == SPIRV_MAGIC ? head[3] : __builtin_bswap32(head[3])) > BOUND_LIMIT) return 0;
  if (zecl_spirv_read(&spirv, data, size, &log)) {
    use_module(&spirv);
    build(&spirv, false);
    build(&spirv, true);
    change(&spirv);
    for (uint32_t i = 0; i < spirv.spec_count; i++)
      if (!zecl_spirv_specialise(&spirv, spirv.specs[i].spec_id, &value)) abort();
    build(&spirv, true);
    zecl_spirv_free(&spirv);
  } else if (!log.length) {
    abort();
  }
  zecl_text_free(&log);
  return 0;
}
