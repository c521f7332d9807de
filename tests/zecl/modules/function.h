/* A kernel of a module, of either kind: its arguments, its requirements, and its code. Valid as
 * long as the program or native object that it is part of. */
#ifndef ZECL_MODULES_FUNCTION_H
#define ZECL_MODULES_FUNCTION_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>
#include "engine/engine.h"
#include "spirv/spirv.h"
#include "zecl_native.h"

struct zecl_launch;
struct zecl_program;

struct zecl_function {
  const char *name;
  uint32_t arg_count;
  const struct zecl_arg *args;
  /* All values are in one block: the offset of each, and the size of the whole. */
  size_t *offsets;
  size_t block_size;
  bool has_handles;                                /* among the arguments: images or samplers */
  bool has_normalised_sampler, has_border_sampler; /* of the module's own */
  bool is_cooperative;                             /* its groups wait for each other */
  bool can_fuse;                                   /* and can be made one */

  uint32_t required_group_size[3]; /* zeros: any */
  uint32_t hinted_group_size[3];   /* zeros: none */
  uint32_t sub_group_size;
  uint32_t sub_groups_per_group;
  uint32_t max_group_size; /* work-items */
  uint32_t preferred_multiple;
  uint32_t local_size, private_size; /* bytes */

  zecl_native_function *native; /* null for a kernel of the engine */
  struct zecl_engine_program *program;
  struct zecl_program *owner; /* null for a native function */

  atomic_flag busy;                 /* guards what follows */
  struct zecl_engine_kernel **idle; /* kernels that no launch is setting arguments of */
  uint32_t idle_count, idle_capacity;
  struct zecl_launch *free_launches;
};

/* Lays out the block. False: no memory. The caller has set name, arg_count and args. */
bool zecl_function_init(struct zecl_function *function);
void zecl_function_free(struct zecl_function *function);

/* Makes a first kernel of the engine and reads its limits. */
ze_result_t zecl_function_prepare(struct zecl_function *function);

/* The number of groups of so many items that may wait for each other: as many as the engine runs at
 * once. OpenCL promises no progress of one group while another waits, so there it is one. Kernels
 * with barriers among all groups have as many as can be made one. */
uint32_t zecl_function_cooperating_groups(struct zecl_function *function, uint32_t items);

/* A kernel of the engine for one thread to set arguments of and enqueue; null with `error` set. */
struct zecl_engine_kernel *zecl_function_take(struct zecl_function *function, ze_result_t *error);
void zecl_function_give(struct zecl_function *function, struct zecl_engine_kernel *kernel);

/* Frees a chain of launches that launch.c keeps for the next append. */
void zecl_launches_free(struct zecl_launch *first);

static inline void zecl_function_lock(struct zecl_function *function) {
  while (atomic_flag_test_and_set_explicit(&function->busy, memory_order_acquire))
    sched_yield();
}

static inline void zecl_function_unlock(struct zecl_function *function) {
  atomic_flag_clear_explicit(&function->busy, memory_order_release);
}

#endif
