/* The recorded commands of a regular list, kept beyond the list while a queue runs them. */
#ifndef ZECL_COMMANDS_TAPE_H
#define ZECL_COMMANDS_TAPE_H

#include "commands/command_pool.h"
#include "commands/replay.h"

struct zecl_tape {
  atomic_uint references;
  struct zecl_command *first, *last;
  struct zecl_command_pool pool;
  struct zecl_replay replay; /* of engines with streams */
  bool is_unordered;         /* of a list that is not in-order: see order.h */
  bool has_counted;          /* signals counter-based events */
};

struct zecl_tape *zecl_tape_create(void); /* null when there is no memory */
void zecl_tape_retain(struct zecl_tape *tape);
void zecl_tape_release(struct zecl_tape *tape);

/* True when the caller holds the only reference. */
bool zecl_tape_is_alone(struct zecl_tape *tape);

/* Records a copy of the draft; on failure what the draft owns stays with it. */
ze_result_t zecl_tape_append(struct zecl_tape *tape, const struct zecl_command *draft);

/* Brings the commands into an order that ZECL_ORDER draws (order.h). */
void zecl_tape_shuffle(struct zecl_tape *tape);

/* Nothing more is recorded. */
void zecl_tape_close(struct zecl_tape *tape);

/* Makes the counter-based events that it signals not ready for the host. Before each submission. */
void zecl_tape_expect(const struct zecl_tape *tape);

/* The submission failed, or ends before it comes to `first`, which may be null. */
void zecl_tape_unexpect(const struct zecl_tape *tape, const struct zecl_command *first);

/* Forgets what was recorded, and keeps the memory. */
void zecl_tape_clear(struct zecl_tape *tape);

#endif
