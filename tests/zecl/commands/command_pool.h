/* A lock-free pool of commands: one thread allocates, another may free. */
#ifndef ZECL_COMMANDS_COMMAND_POOL_H
#define ZECL_COMMANDS_COMMAND_POOL_H

#include "commands/command.h"

struct zecl_command_chunk;

struct zecl_command_pool {   /* all zero is an empty pool */
  struct zecl_command *free; /* the taker's */
  struct zecl_command_chunk *chunks;
  _Atomic(struct zecl_command *) returned;
};

/* A command with whatever it held last; null when there is no memory. One thread at a time. */
struct zecl_command *zecl_command_take(struct zecl_command_pool *pool);

/* Gives back a chain of commands, linked by `next` from `first` to `last`. From any thread. */
void zecl_command_give(
    struct zecl_command_pool *pool, struct zecl_command *first, struct zecl_command *last);

/* Frees the memory of all commands, wherever they are. */
void zecl_command_pool_free(struct zecl_command_pool *pool);

#endif
