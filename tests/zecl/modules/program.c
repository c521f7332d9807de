/* Programs are found by their specialised words and flags. Unused ones stay for a while:
 * a program that makes the same module again gets it at once. */
#include "modules/program.h"

#include "commands/stream.h"
#include "core/hash.h"
#include "engine/engine.h"
#include "modules/program_fused.h"
#include "spirv/cooperate.h"
#include "spirv/fuse.h"
#include "spirv/samplers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { IDLE_LIMIT = 16 };

enum state { NEW, GOOD, BAD };

struct entry {
  struct zecl_program program; /* first: what callers hold */
  struct entry *next;
  uint64_t hash;
  uint32_t users;
  pthread_mutex_t building; /* held while `state` may change */
  enum state state;
  struct zecl_text log; /* of the build, for later requests */
};

static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries; /* the most recently used first */

static bool same(
    const struct entry *entry, uint64_t hash, const struct zecl_spirv *spirv, const char *flags) {
  const struct zecl_spirv *own = &entry->program.spirv;
  return !own->global_count && entry->hash == hash && own->word_count == spirv->word_count &&
         memcmp(own->words, spirv->words, own->word_count * sizeof *own->words) == 0 &&
         strcmp(entry->program.flags, flags) == 0;
}

static void free_globals(struct zecl_program *program) {
  for (uint32_t i = 0; program->globals && i < program->spirv.global_count; i++) {
    struct zecl_global_memory *memory = program->globals[i];
    if (memory && atomic_fetch_sub(&memory->references, 1) == 1) munmap(memory, memory->mapped);
  }
  free(program->globals);
}

static void release_engine_program(void *program) {
  zecl_engine()->program_release(program);
}

void zecl_engine_program_release(struct zecl_engine_program *program) {
  if (zecl_engine()->streams)
    zecl_streams_defer(release_engine_program, program);
  else
    zecl_engine()->program_release(program);
}

static void free_entry(struct entry *entry) {
  for (uint32_t i = 0; i < entry->program.function_count; i++)
    zecl_function_free(&entry->program.functions[i]);
  free(entry->program.functions);
  if (entry->program.opaque) zecl_program_release(entry->program.opaque);
  zecl_program_drop_fused(&entry->program);
  free_globals(&entry->program);
  if (entry->program.program) zecl_engine_program_release(entry->program.program);
  zecl_spirv_free(&entry->program.spirv);
  zecl_text_free(&entry->log);
  free(entry->program.flags);
  pthread_mutex_destroy(&entry->building);
  free(entry);
}

/* Takes the entries that are one too many, or could not be built, out of the list. */
static struct entry *take_stale(void) {
  struct entry *stale = NULL;
  uint32_t idle = 0;
  for (struct entry **link = &entries; *link;) {
    struct entry *entry = *link;
    bool is_idle = entry->users == 0;
    idle += is_idle;
    const bool has_variables = entry->program.spirv.global_count != 0;
    if (is_idle && (entry->state != GOOD || has_variables || idle > IDLE_LIMIT)) {
      *link = entry->next;
      entry->next = stale;
      stale = entry;
    } else {
      link = &entry->next;
    }
  }
  return stale;
}

void zecl_program_release(struct zecl_program *program) {
  pthread_mutex_lock(&entries_lock);
  ((struct entry *)program)->users--;
  struct entry *stale = take_stale();
  pthread_mutex_unlock(&entries_lock);
  while (stale) {
    struct entry *next = stale->next;
    free_entry(stale);
    stale = next;
  }
}

static struct entry *new_entry(struct zecl_spirv *spirv, const char *flags, uint64_t hash) {
  struct entry *entry = calloc(1, sizeof *entry);
  if (!entry || !(entry->program.flags = strdup(flags))) {
    free(entry);
    return NULL;
  }
  entry->program.spirv = *spirv;
  *spirv = (struct zecl_spirv){0};
  entry->hash = hash;
  pthread_mutex_init(&entry->building, NULL);
  return entry;
}

/* The entry of these words, with one user more. The words are taken or freed. */
static struct entry *enter(struct zecl_spirv *spirv, const char *flags) {
  uint64_t hash = zecl_hash(spirv->words, spirv->word_count * sizeof *spirv->words,
      zecl_hash(flags, strlen(flags), ZECL_HASH_START));
  pthread_mutex_lock(&entries_lock);
  struct entry **link = &entries;
  while (*link && !same(*link, hash, spirv, flags))
    link = &(*link)->next;
  struct entry *entry = *link;
  if (entry)
    *link = entry->next;
  else
    entry = new_entry(spirv, flags, hash);
  if (entry) {
    entry->users++;
    entry->next = entries;
    entries = entry;
  }
  pthread_mutex_unlock(&entries_lock);
  zecl_spirv_free(spirv);
  return entry;
}

/* Traits of each function of the module, by its id. */
struct traits {
  unsigned char *samplers;
  bool *cooperating;
  bool can_fuse; /* all of them */
};

static bool fill_functions(
    struct zecl_program *program, const struct traits *traits, struct zecl_text *log) {
  const struct zecl_spirv *spirv = &program->spirv;
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    const struct zecl_spirv_kernel *kernel = &spirv->kernels[i];
    const unsigned char samplers = traits->samplers[kernel->function];
    struct zecl_function *function = &program->functions[program->function_count++];
    *function = (struct zecl_function){.name = kernel->name,
        .arg_count = kernel->arg_count,
        .args = kernel->args,
        .sub_group_size = kernel->sub_group_size,
        .sub_groups_per_group = kernel->sub_groups_per_group,
        .has_normalised_sampler = (samplers & ZECL_SAMPLES_NORMALISED) != 0,
        .has_border_sampler = (samplers & ZECL_SAMPLES_BORDER) != 0,
        .is_cooperative = traits->cooperating[kernel->function],
        .can_fuse = traits->can_fuse && !kernel->required_group_size[0],
        .program = program->program,
        .owner = program};
    memcpy(function->required_group_size, kernel->required_group_size,
        sizeof kernel->required_group_size);
    memcpy(
        function->hinted_group_size, kernel->hinted_group_size, sizeof kernel->hinted_group_size);
    if (!zecl_function_init(function)) return false;
    const ze_result_t error =
        program->program ? zecl_function_prepare(function) : ZE_RESULT_SUCCESS;
    if (error != ZE_RESULT_SUCCESS) {
      zecl_text_add(
          log, "kernel %s: the engine cannot make it: 0x%x\n", kernel->name, (unsigned)error);
      return false;
    }
  }
  return true;
}

static struct zecl_engine_program *build_by_engine(
    const struct zecl_program *program, struct zecl_text *log) {
  const struct zecl_engine *engine = zecl_engine();
  if (engine) return engine->program_build(program, log);
  zecl_text_add(log, "no OpenCL platform can run kernels on host memory: install PoCL\n");
  return NULL;
}

static bool make_functions(struct zecl_program *program, struct zecl_text *log) {
  const struct traits traits = {zecl_spirv_samplers(&program->spirv),
      zecl_spirv_cooperating(&program->spirv),
      zecl_spirv_has_wide_barriers(&program->spirv) && zecl_spirv_can_fuse(&program->spirv)};
  program->functions = calloc(program->spirv.kernel_count + 1, sizeof *program->functions);
  const bool good = traits.samplers && traits.cooperating && program->functions &&
                    fill_functions(program, &traits, log);
  free(traits.samplers);
  free(traits.cooperating);
  return good;
}

static struct zecl_global_memory *part_memory(
    const struct zecl_program_parts *parts, const char *name) {
  for (uint32_t i = 0; parts && name && i < parts->count; i++) {
    const struct zecl_program *part = parts->programs[i];
    for (uint32_t k = 0; k < part->spirv.global_count; k++)
      if (part->spirv.globals[k].name && strcmp(part->spirv.globals[k].name, name) == 0)
        return part->globals[k];
  }
  return NULL;
}

/* Gives the same variable of the same program the same place in every process, or the same next one
 * if that is taken. Its address becomes part of the program, which platforms cache compiled. The
 * places lie above programs and below libraries, and outside the shadow of every sanitizer. */
static void *map_at_its_place(size_t size, uint64_t hash, uint32_t index) {
  enum { STEP_BITS = 21, PLACES = 1 << 16, TRIES = 64 };
  const uint64_t start = 0x566000000000;
  const uint64_t first = zecl_hash(&index, sizeof index, hash);
  for (uint64_t i = 0; i < TRIES; i++) {
    void *place = (void *)(uintptr_t)(start + ((first + i) % PLACES << STEP_BITS));
    void *memory = mmap(place, size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == place) return memory;
    if (memory != MAP_FAILED) munmap(memory, size);
  }
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static struct zecl_global_memory *new_memory(
    const struct zecl_spirv_global *global, uint64_t hash, uint32_t index) {
  const size_t size = sizeof(struct zecl_global_memory) + global->size;
  struct zecl_global_memory *memory = map_at_its_place(size, hash, index);
  if (memory == MAP_FAILED) return NULL;
  atomic_init(&memory->references, 0);
  memory->mapped = size;
  if (global->bytes) memcpy(memory->bytes, global->bytes, global->size);
  return memory;
}

static bool make_globals(struct zecl_program *program, const struct zecl_program_parts *parts) {
  if (zecl_engine() && zecl_engine()->program_variable) return true; /* on the device */
  const uint64_t hash = ((const struct entry *)program)->hash;
  const struct zecl_spirv *spirv = &program->spirv;
  program->globals = calloc(spirv->global_count + 1, sizeof(struct zecl_global_memory *));
  for (uint32_t i = 0; program->globals && i < spirv->global_count; i++) {
    struct zecl_global_memory *memory = part_memory(parts, spirv->globals[i].name);
    if (!memory) memory = new_memory(&spirv->globals[i], hash, i);
    if (!memory) return false;
    atomic_fetch_add(&memory->references, 1);
    program->globals[i] = memory;
  }
  return program->globals != NULL;
}

static bool build(
    struct zecl_program *program, const struct zecl_program_parts *parts, struct zecl_text *log) {
  if (!make_globals(program, parts)) return false;
  if (program->spirv.import_count == 0) {
    program->program = build_by_engine(program, log);
    if (!program->program) return false;
  }
  return make_functions(program, log);
}

/* Sets the values of the constants. A constant that the module lacks is an error. */
static bool specialise(
    struct zecl_spirv *spirv, const ze_module_constants_t *constants, struct zecl_text *log) {
  for (uint32_t i = 0; i < constants->numConstants; i++) {
    uint32_t id = constants->pConstantIds[i];
    if (!constants->pConstantValues[i]) {
      zecl_text_add(log, "specialisation constant %u has no value\n", id);
      return false;
    }
    if (!zecl_spirv_specialise(spirv, id, constants->pConstantValues[i])) {
      zecl_text_add(log, "the module has no specialisation constant %u\n", id);
      return false;
    }
  }
  struct zecl_spirv anew;
  if (!zecl_spirv_read(&anew, spirv->words, spirv->word_count * sizeof *spirv->words, log))
    return false;
  zecl_spirv_free(spirv);
  *spirv = anew;
  return true;
}

bool zecl_program_read(struct zecl_spirv *spirv, const void *bytes, size_t size,
    const ze_module_constants_t *constants, struct zecl_text *log) {
  if (!zecl_spirv_read(spirv, bytes, size, log)) return false;
  if (!constants || !constants->numConstants || specialise(spirv, constants, log)) return true;
  zecl_spirv_free(spirv);
  return false;
}

ze_result_t zecl_program_get(const void *bytes, size_t size, const ze_module_constants_t *constants,
    const char *flags, const struct zecl_program_parts *parts, struct zecl_text *log,
    struct zecl_program **program) {
  struct zecl_spirv spirv;
  *program = NULL;
  if (!zecl_program_read(&spirv, bytes, size, constants, log))
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  struct entry *entry = enter(&spirv, flags ? flags : "");
  if (!entry) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&entry->building);
  if (entry->state == NEW) entry->state = build(&entry->program, parts, &entry->log) ? GOOD : BAD;
  bool good = entry->state == GOOD;
  if (entry->log.length) zecl_text_add_bytes(log, entry->log.data, entry->log.length);
  pthread_mutex_unlock(&entry->building);
  if (good) {
    *program = &entry->program;
    return ZE_RESULT_SUCCESS;
  }
  zecl_program_release(&entry->program);
  return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}
