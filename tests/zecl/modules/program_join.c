/* Joins several modules of SPIR-V that are given at once into one, before the engine builds
 * them. */
#include "modules/program.h"

#include "spirv/link.h"

#include <stdlib.h>
#include <string.h>

struct inputs {
  struct zecl_spirv *modules;
  uint32_t count; /* of those that were read */
};

static bool read_all(
    struct inputs *inputs, const ze_module_program_exp_desc_t *desc, struct zecl_text *log) {
  inputs->modules = calloc(desc->count, sizeof *inputs->modules);
  for (; inputs->modules && inputs->count < desc->count; inputs->count++) {
    const uint32_t i = inputs->count;
    if (!zecl_program_read(&inputs->modules[i], desc->pInputModules[i], desc->inputSizes[i],
            desc->pConstants ? desc->pConstants[i] : NULL, log))
      return false;
  }
  return inputs->modules != NULL;
}

static bool link_all(const struct inputs *inputs, struct zecl_text *words, struct zecl_text *log) {
  const struct zecl_spirv **modules = calloc(inputs->count, sizeof(const struct zecl_spirv *));
  for (uint32_t i = 0; modules && i < inputs->count; i++)
    modules[i] = &inputs->modules[i];
  const bool good = modules && zecl_spirv_link(modules, inputs->count, words, log);
  free(modules);
  return good;
}

static void free_all(struct inputs *inputs) {
  for (uint32_t i = 0; i < inputs->count; i++)
    zecl_spirv_free(&inputs->modules[i]);
  free(inputs->modules);
}

/* One program has one set of flags: each text of them is given once. */
static void join_flags(const ze_module_program_exp_desc_t *desc, struct zecl_text *flags) {
  zecl_text_add(flags, "%s", "");
  for (uint32_t i = 0; desc->pBuildFlags && i < desc->count; i++) {
    const char *own = desc->pBuildFlags[i];
    bool is_new = own && *own;
    for (uint32_t k = 0; is_new && k < i; k++)
      is_new = !desc->pBuildFlags[k] || strcmp(desc->pBuildFlags[k], own) != 0;
    if (is_new) zecl_text_add(flags, "%s%s", flags->length ? " " : "", own);
  }
}

ze_result_t zecl_program_get_joined(const ze_module_program_exp_desc_t *desc, struct zecl_text *log,
    struct zecl_program **program) {
  struct inputs inputs = {0};
  struct zecl_text words = {0}, flags = {0};
  ze_result_t result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  join_flags(desc, &flags);
  if (read_all(&inputs, desc, log) && link_all(&inputs, &words, log))
    result = zecl_program_get(words.data, words.length, NULL, flags.data, NULL, log, program);
  free_all(&inputs);
  zecl_text_free(&words);
  zecl_text_free(&flags);
  return result;
}
