#include "commands/command_pool.h"

#include <stdlib.h>

enum { CHUNK = 64 };

struct zecl_command_chunk {
  struct zecl_command_chunk *next;
  struct zecl_command commands[CHUNK];
};

static void link_to(struct zecl_command *command, struct zecl_command *next) {
  atomic_store_explicit(&command->next, next, memory_order_relaxed);
}

static void refill(struct zecl_command_pool *pool) {
  pool->free = atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
  if (pool->free) return;
  struct zecl_command_chunk *chunk = malloc(sizeof *chunk);
  if (!chunk) return;
  chunk->next = pool->chunks;
  pool->chunks = chunk;
  for (size_t i = CHUNK; i-- > 0;) {
    link_to(&chunk->commands[i], pool->free);
    pool->free = &chunk->commands[i];
  }
}

struct zecl_command *zecl_command_take(struct zecl_command_pool *pool) {
  if (!pool->free) refill(pool);
  struct zecl_command *command = pool->free;
  if (command) pool->free = zecl_command_next(command);
  return command;
}

void zecl_command_give(
    struct zecl_command_pool *pool, struct zecl_command *first, struct zecl_command *last) {
  struct zecl_command *others = atomic_load_explicit(&pool->returned, memory_order_relaxed);
  do
    link_to(last, others);
  while (!atomic_compare_exchange_weak_explicit(
      &pool->returned, &others, first, memory_order_release, memory_order_relaxed));
}

void zecl_command_pool_free(struct zecl_command_pool *pool) {
  while (pool->chunks) {
    struct zecl_command_chunk *chunk = pool->chunks;
    pool->chunks = chunk->next;
    free(chunk);
  }
  pool->free = NULL;
  atomic_store(&pool->returned, NULL);
}
