#include "commands/backlog.h"

#include "commands/priority.h"
#include "commands/stream_push.h"
#include "commands/tape.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAP_US = 20 };

atomic_uint zecl_backlog_count;

/* Guards the list of streams with backlogs, and the backlogs. Taken before the registry's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct zecl_stream *newest;

static pthread_t thread;
static bool has_thread, is_ending;
static pid_t owner; /* a forked child has no thread to end */

static void enter(struct zecl_stream *stream) {
  struct zecl_backlog *backlog = &stream->backlog;
  backlog->newer = NULL;
  backlog->older = newest;
  if (newest) newest->backlog.newer = stream;
  newest = stream;
  atomic_store(&stream->has_backlog, true);
  atomic_fetch_add(&zecl_backlog_count, 1);
}

static void leave(struct zecl_stream *stream) {
  struct zecl_backlog *backlog = &stream->backlog;
  if (backlog->older) backlog->older->backlog.newer = backlog->newer;
  if (backlog->newer)
    backlog->newer->backlog.older = backlog->older;
  else
    newest = backlog->older;
  atomic_fetch_sub(&zecl_backlog_count, 1);
  atomic_store(&stream->has_backlog, false); /* from here on it is the submitting thread's */
}

static void drop_first(struct zecl_stream *stream) {
  struct zecl_backlog *backlog = &stream->backlog;
  struct zecl_command *command = backlog->first;
  backlog->first = zecl_command_next(command);
  zecl_command_forget(command);
  zecl_command_give(&backlog->pool, command, command);
}

/* The events of a list that is not executed to its end are ready as before. */
static void abandon_first(struct zecl_stream *stream) {
  const struct zecl_command *command = stream->backlog.first;
  if (command->kind == ZECL_COMMAND_EXECUTE) {
    struct zecl_tape *tape = command->execute.tape;
    zecl_tape_unexpect(tape, stream->push.is_executing ? stream->push.next : tape->first);
  }
  zecl_stream_push_reset(stream);
  drop_first(stream);
}

/* A command that fails is no reason to stop: as on other engines, its error is kept. False where
 * the rest has to wait; once nothing is left the stream is not the caller's any more. */
static bool push(struct zecl_stream *stream, bool *has_pushed) {
  const unsigned before = stream->pushed;
  bool is_blocked = false;
  while (stream->backlog.first) {
    const ze_result_t result = zecl_stream_push(stream, stream->backlog.first);
    is_blocked = result == ZE_RESULT_NOT_READY;
    if (is_blocked) break;
    ze_result_t none = ZE_RESULT_SUCCESS;
    if (result != ZE_RESULT_SUCCESS) atomic_compare_exchange_strong(&stream->error, &none, result);
    drop_first(stream);
  }
  *has_pushed |= stream->pushed != before;
  if (!is_blocked) leave(stream);
  return !is_blocked;
}

/* True where one of them waits for the device. */
static bool push_those_of(unsigned priority, bool *has_pushed) {
  bool polls = false;
  for (struct zecl_stream *stream = newest, *older; stream; stream = older) {
    older = stream->backlog.older;
    if (stream->priority == priority && !push(stream, has_pushed))
      polls |= stream->push.waits_for_device;
  }
  return polls;
}

/* True where a backlog waits for the device. One stream's signal may be another one's wait. */
static bool push_all(void) {
  bool polls = false;
  for (bool again = true; again;) {
    again = polls = false;
    for (unsigned priority = ZECL_PRIORITY_HIGH + 1; priority-- > 0;)
      polls |= push_those_of(priority, &again);
  }
  return polls;
}

static void *poll(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!is_ending) {
    if (!push_all()) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    pthread_mutex_unlock(&lock);
    usleep(NAP_US);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void end_thread(void) {
  if (getpid() != owner) return;
  pthread_mutex_lock(&lock);
  is_ending = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
}

/* Starts the thread that pushes. If it cannot be started, the next call pushes. */
static void start_thread(void) {
  if (!has_thread && !is_ending && pthread_create(&thread, NULL, poll, NULL) == 0) {
    has_thread = true;
    owner = getpid();
    atexit(end_thread); /* before CUDA is finalised, which was loaded earlier */
  }
  if (has_thread) pthread_cond_signal(&changed);
}

void zecl_backlog_push_all(void) {
  pthread_mutex_lock(&lock);
  if (push_all()) start_thread();
  pthread_mutex_unlock(&lock);
}

static struct zecl_command *record(
    struct zecl_stream *stream, const struct zecl_command *draft, ze_result_t *error) {
  struct zecl_command *command = zecl_command_take(&stream->backlog.pool);
  *error = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (!command) return NULL;
  *error = zecl_command_record(command, draft);
  if (*error == ZE_RESULT_SUCCESS) return command;
  zecl_command_give(&stream->backlog.pool, command, command);
  return NULL;
}

/* The signal that the draft waits for may be queued between the look at it and here, so that what
 * was added is tried once more. */
ze_result_t zecl_backlog_add(struct zecl_stream *stream, const struct zecl_command *draft) {
  ze_result_t error;
  pthread_mutex_lock(&lock);
  struct zecl_command *command = record(stream, draft, &error);
  if (command) {
    struct zecl_backlog *backlog = &stream->backlog;
    atomic_store_explicit(&command->next, NULL, memory_order_relaxed);
    if (backlog->first)
      atomic_store_explicit(&backlog->last->next, command, memory_order_relaxed);
    else
      backlog->first = command;
    backlog->last = command;
    if (!atomic_load(&stream->has_backlog)) enter(stream);
    if (push_all()) start_thread();
  } else if (!stream->backlog.first) {
    zecl_stream_push_reset(stream);
  }
  pthread_mutex_unlock(&lock);
  return error;
}

void zecl_backlog_finish(struct zecl_stream *stream) {
  pthread_mutex_lock(&lock);
  while (stream->backlog.first) {
    if (!push_all() || !stream->backlog.first) break; /* another one's signal may be coming */
    pthread_mutex_unlock(&lock);
    usleep(NAP_US);
    pthread_mutex_lock(&lock);
  }
  while (stream->backlog.first)
    abandon_first(stream);
  if (atomic_load(&stream->has_backlog)) leave(stream);
  zecl_stream_push_reset(stream);
  pthread_mutex_unlock(&lock);
  zecl_command_pool_free(&stream->backlog.pool);
}
