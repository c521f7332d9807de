#include "modules/program_opaque.h"

#include "spirv/opaque.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct zecl_program *make_twin(const struct zecl_program *program) {
  size_t count = 0;
  struct zecl_program *twin = NULL;
  struct zecl_text log = {0};
  uint32_t *words = zecl_spirv_opaque_words(&program->spirv, &count);
  if (words)
    zecl_program_get(words, count * sizeof *words, NULL, program->flags, NULL, &log, &twin);
  zecl_text_free(&log);
  free(words);
  return twin;
}

struct zecl_function *zecl_program_opaque(const struct zecl_function *function) {
  struct zecl_program *program = function->owner;
  if (!program || program->spirv.global_count != 0) return NULL;
  pthread_mutex_lock(&lock);
  if (!program->opaque) program->opaque = make_twin(program);
  struct zecl_program *twin = program->opaque;
  pthread_mutex_unlock(&lock);
  for (uint32_t i = 0; twin && i < twin->function_count; i++)
    if (strcmp(twin->functions[i].name, function->name) == 0) return &twin->functions[i];
  return NULL;
}
