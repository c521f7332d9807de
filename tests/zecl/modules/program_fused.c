#include "modules/program_fused.h"

#include "spirv/fuse.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct zecl_fused {
  struct zecl_fused *next;
  uint32_t group_size[3];
  struct zecl_program *program;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct zecl_program *make_twin(
    const struct zecl_program *program, const uint32_t group_size[3]) {
  size_t count = 0;
  struct zecl_program *twin = NULL;
  struct zecl_text log = {0};
  uint32_t *words = zecl_spirv_fused_words(&program->spirv, group_size, &count);
  if (words)
    zecl_program_get(words, count * sizeof *words, NULL, program->flags, NULL, &log, &twin);
  zecl_text_free(&log);
  free(words);
  return twin;
}

static struct zecl_fused *find(struct zecl_program *program, const uint32_t group_size[3]) {
  struct zecl_fused *fused = program->fused;
  while (fused && memcmp(fused->group_size, group_size, sizeof fused->group_size) != 0)
    fused = fused->next;
  if (fused || !(fused = calloc(1, sizeof *fused))) return fused;
  fused->program = make_twin(program, group_size);
  if (!fused->program) {
    free(fused);
    return NULL;
  }
  memcpy(fused->group_size, group_size, sizeof fused->group_size);
  fused->next = program->fused;
  program->fused = fused;
  return fused;
}

struct zecl_function *zecl_program_fused(
    const struct zecl_function *function, const uint32_t group_size[3]) {
  pthread_mutex_lock(&lock);
  struct zecl_fused *fused = find(function->owner, group_size);
  struct zecl_program *twin = fused ? fused->program : NULL;
  pthread_mutex_unlock(&lock);
  for (uint32_t i = 0; twin && i < twin->function_count; i++)
    if (strcmp(twin->functions[i].name, function->name) == 0) return &twin->functions[i];
  return NULL;
}

void zecl_program_drop_fused(struct zecl_program *program) {
  while (program->fused) {
    struct zecl_fused *fused = program->fused;
    program->fused = fused->next;
    zecl_program_release(fused->program);
    free(fused);
  }
}
