/* Which command runs next. */
#include "strict_object.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

enum {
  LOOKS = 24,       /* at commands of a stream */
  MANY = 256,       /* commands that did not run, from which on the engine does not idle */
  POLLS = 64,       /* queries after which it goes on */
  NAP = 200000,     /* nanoseconds after which it goes on */
  LIST_NAP = 20000, /* between two checks of a list that is waited for */
  STUCK = 10000,    /* naps and */
  STUCK_TIME = 20   /* seconds without progress after which commands wait for each other */
};

static pthread_t engine;
static enum strict_policy policy;
static struct strict_list *streams;
static uint32_t pending, waiters, polls, work; /* work: futex */
static uint64_t numbers;
static bool held, ending, ignores_waits;

static void nap(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
  const struct timespec time = {
      .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value,
      nanoseconds > (uint64_t)INT32_MAX * 1000000000u ? NULL : &time, NULL, 0);
}

static void wake(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void wake_engine(void) {
  __atomic_add_fetch(&work, 1, __ATOMIC_RELEASE);
  wake(&work);
}

uint64_t strict_clock(void) {
  return __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
}

void strict_set_clock(uint64_t ticks) {
  __atomic_store_n(&numbers, ticks, __ATOMIC_RELAXED);
}

unsigned strict_pending(void) {
  return __atomic_load_n(&pending, __ATOMIC_RELAXED);
}

/* Real drivers keep what each wait is for. This one does not, nor does the library need it. */
static void begin_counted(
    struct strict_event *event, const struct strict_list *list, const char *function) {
  if (!list->immediate || !list->in_order)
    strict_report("%s: the list cannot signal an event that counts", function);
  if (event->object.uses != 0 || event->waiters != 0)
    strict_report("%s: something signals or waits for the event that counts", function);
  __atomic_store_n(&event->signalled, 0, __ATOMIC_RELEASE);
}

struct strict_command *strict_command_new(struct strict_list *list, enum strict_order order,
    void (*run)(struct strict_command *), ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits, const char *function) {
  struct strict_command *command = strict_allocate(sizeof *command);
  command->stream = list;
  command->order = order;
  command->run = run;
  if (signal != NULL) command->signal = strict_object(signal, STRICT_EVENT, function);
  if (command->signal != NULL) strict_command_use(command, &command->signal->object);
  if (command->signal != NULL && command->signal->counts)
    begin_counted(command->signal, list, function);
  if (wait_count > 0) command->waits = strict_allocate(wait_count * sizeof *command->waits);
  for (uint32_t i = 0; i < wait_count; i++) {
    struct strict_event *event = strict_object(waits[i], STRICT_EVENT, function);
    if (event == NULL) continue;
    command->waits[command->wait_count++] = event;
    if (strict_event_context(event) != list->object.parent)
      strict_report("%s: an event of another context", function);
  }
  return command;
}

void strict_command_use(struct strict_command *command, struct strict_object *object) {
  if (command->used_count == STRICT_USED) return;
  command->used[command->used_count++] = object;
}

void strict_command_use_memory(
    struct strict_command *command, const void *pointer, const char *function) {
  struct strict_memory *memory = strict_memory_of(pointer);
  if (memory == NULL) return;
  if (strict_memory_context(memory) != command->stream->object.parent)
    strict_report("%s: memory of another context", function);
  if (memory->device != NULL && memory->device != command->stream->device)
    strict_report("%s: memory of another device", function);
  strict_command_use(command, &memory->object);
}

/* Counts the uses of the objects of a command that will run; a recorded one alone holds nothing. */
static void use_all(struct strict_command *command, uint32_t one) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    command->waits[i]->object.uses += one;
    command->waits[i]->waits += one;
  }
  for (uint32_t i = 0; i < command->used_count; i++)
    command->used[i]->uses += one;
}

static void command_free(struct strict_command *command) {
  strict_free(command->appended);
  strict_free(command->values);
  strict_free(command->waits);
  strict_free(command);
}

static void put(struct strict_list *stream, struct strict_command *command) {
  command->next = NULL;
  if (stream->last == NULL) stream->last = &stream->first;
  *stream->last = command;
  stream->last = &command->next;
  stream->count++;
}

/* True if the command runs behind one that waits for the event: in its list, or by its waits. Each
 * command is visited once. Commands that are executed with a list wait for earlier commands, even
 * if a later execution has their events by now. */
static bool runs_behind(
    struct strict_command *command, const struct strict_event *event, uint64_t search) {
  bool found = false;
  if (command->search == search) return false;
  command->search = search;
  for (uint32_t i = 0; i < command->wait_count && !found; i++) {
    const struct strict_event *wait = command->waits[i];
    struct strict_command *signaller = wait->signaller;
    found = wait == event;
    if (found || signaller == NULL) continue;
    if (command->recorded_in == NULL || signaller->number < command->number)
      found = runs_behind(signaller, event, search);
  }
  const bool behind_all = command->stream->in_order || command->order == STRICT_BEHIND_ALL ||
                          command->order == STRICT_BETWEEN_ALL;
  for (struct strict_command *other = command->stream->first; other != command && !found;
       other = other->next)
    if (behind_all || other->order >= STRICT_BEFORE_ALL) found = runs_behind(other, event, search);
  return found;
}

/* A command that others wait for already, as is possible while its append is under way, stands in
 * no list behind one of these. */
static void check_order(struct strict_command *command) {
  const struct strict_event *signal = command->signal;
  if (signal->waits != 0 && !signal->signalled && runs_behind(command, signal, strict_clock()))
    strict_report("a command is appended behind one that waits for it");
}

static void submit(struct strict_list *stream, struct strict_command *command) {
  command->stream = stream;
  command->number = strict_clock();
  command->priority = (uint32_t)strict_random();
  stream->object.uses++;
  use_all(command, 1);
  put(stream, command);
  if (command->signal != NULL) {
    /* Otherwise those who wait do so for an earlier command, as for that of a list which runs
     * again. */
    const bool is_first = command->signal->signaller == NULL;
    command->signal->signaller = command;
    if (is_first) check_order(command);
  }
  if (!stream->listed) {
    stream->listed = true;
    stream->priority = (uint32_t)strict_random();
    stream->other = streams;
    streams = stream;
  }
  strict_release(stream);
  /* The first ends its long sleep; where nothing is waited for it naps. */
  if (++pending == 1 || pending >= MANY || waiters > 0) wake_engine();
}

void strict_command_append(struct strict_command *command) {
  struct strict_list *list = command->stream;
  if (list->captured_by != NULL) {
    if (list->in_order) command->order = STRICT_BETWEEN_ALL;
    put(list->captured_by, command);
    return;
  }
  if (!list->immediate) {
    if (list->closed) strict_report("a command is appended to a closed list");
    if (list->in_order) command->order = STRICT_BETWEEN_ALL;
    put(list, command);
    return;
  }
  submit(list, command);
}

static struct strict_command *copy_of(const struct strict_command *command) {
  struct strict_command *copy = strict_allocate(sizeof *copy);
  *copy = *command;
  if (command->wait_count > 0) {
    copy->waits = strict_allocate(command->wait_count * sizeof *copy->waits);
    memcpy(copy->waits, command->waits, command->wait_count * sizeof *copy->waits);
  }
  if (command->values != NULL) {
    copy->values = strict_allocate(sizeof *copy->values);
    *copy->values = *command->values;
  }
  for (uint32_t i = 0; i < copy->used_count; i++)
    if (copy->used[i]->kind == STRICT_NONE)
      strict_report("a list is executed that refers to what was destroyed");
  return copy;
}

void strict_stream_execute(struct strict_list *stream, struct strict_list *recorded) {
  const uint64_t execution = strict_clock();
  for (const struct strict_command *command = recorded->first; command != NULL;
       command = command->next) {
    struct strict_command *copy = copy_of(command);
    copy->recorded_in = recorded;
    copy->execution = execution;
    recorded->object.uses++;
    submit(stream, copy);
  }
}

void strict_command_execute(struct strict_command *command, struct strict_list *recorded) {
  if (command->appended == NULL) {
    command->appended = strict_allocate(sizeof *command->appended);
    command->appended->listed = true;
    command->appended->priority = (uint32_t)strict_random();
  }
  strict_stream_execute(command->appended, recorded);
}

void strict_list_clear(struct strict_list *list) {
  while (list->first != NULL) {
    struct strict_command *command = list->first;
    list->first = command->next;
    command_free(command);
  }
  list->last = &list->first;
  list->count = 0;
}

static bool signalled(const struct strict_command *command) {
  for (uint32_t i = 0; i < command->wait_count && !ignores_waits; i++)
    if (!command->waits[i]->signalled) return false;
  return true;
}

static uint64_t score(const struct strict_command *command) {
  switch (policy) {
  case STRICT_NEWEST:
    return UINT64_MAX - command->number;
  case STRICT_OLDEST:
    return command->number;
  default:
    return (uint64_t)command->stream->priority * 3 + command->priority;
  }
}

/* The command with the least score of those of the stream that may run, and of the lists that are
 * appended to it, and `best`. */
static struct strict_command *choose_of(
    const struct strict_list *stream, struct strict_command *best) {
  uint32_t looks = 0;
  for (struct strict_command *command = stream->first; command != NULL; command = command->next) {
    const bool first = command == stream->first;
    const bool behind = command->order == STRICT_BEHIND_ALL || command->order == STRICT_BETWEEN_ALL;
    if ((first || !behind) && signalled(command)) {
      if (command->appended != NULL && command->appended->first != NULL)
        best = choose_of(command->appended, best);
      else if (best == NULL || score(command) < score(best))
        best = command;
    }
    if (stream->in_order || command->order >= STRICT_BEFORE_ALL || ++looks == LOOKS) break;
  }
  return best;
}

static struct strict_command *choose(void) {
  struct strict_command *best = NULL;
  struct strict_list **link = &streams;
  for (struct strict_list *stream; (stream = *link) != NULL;) {
    if (stream->first != NULL) {
      best = choose_of(stream, best);
      link = &stream->other;
      continue;
    }
    stream->listed = false;
    *link = stream->other;
  }
  return best;
}

static void take_out(struct strict_command *command) {
  struct strict_list *stream = command->stream;
  struct strict_command **link = &stream->first;
  while (*link != command)
    link = &(*link)->next;
  *link = command->next;
  if (stream->last == &command->next) stream->last = link;
  stream->count--;
}

void strict_signal(struct strict_event *event, bool by_host) {
  strict_release(event);
  event->end = strict_clock();
  __atomic_store_n(&event->signalled, 1, __ATOMIC_RELEASE);
  if (event->waiters > 0) wake(&event->signalled);
  if (by_host && pending > 0 && waiters > 0) wake_engine();
}

/* One execution of a list ends before the next begins. */
static void run_recorded(const struct strict_command *command) {
  struct strict_list *list = command->recorded_in;
  if (list->left == 0) {
    list->running = command->execution;
    list->left = list->count;
  }
  if (list->running != command->execution) strict_report("two executions of one list overlap");
  list->left--;
  list->object.uses--;
}

/* Needs the lock. */
static bool run_one(void) {
  struct strict_command *command = choose();
  if (command == NULL) return false;
  struct strict_list *stream = command->stream;
  take_out(command);
  for (uint32_t i = 0; i < command->wait_count; i++)
    strict_acquire(command->waits[i]);
  strict_acquire(stream);
  if (command->signal != NULL) command->signal->begin = strict_clock();
  if (command->run != NULL) command->run(command);
  if (command->signal != NULL) {
    if (command->signal->signaller == command) command->signal->signaller = NULL;
    strict_signal(command->signal, false);
  }
  if (command->recorded_in != NULL) run_recorded(command);
  stream->object.uses--;
  pending--;
  if (policy == STRICT_RANDOM && strict_random() % 8 == 0)
    stream->priority = (uint32_t)strict_random();
  use_all(command, (uint32_t)-1);
  command_free(command);
  return true;
}

unsigned strict_step(unsigned most) {
  unsigned done = 0;
  strict_lock();
  while (done < most && run_one())
    done++;
  strict_unlock();
  return done;
}

void strict_hold(bool hold) {
  strict_lock();
  held = hold;
  strict_unlock();
  if (!hold) wake_engine();
}

static uint64_t passed_since(const struct timespec *begin) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)(now.tv_sec - begin->tv_sec) * 1000000000u + (uint64_t)now.tv_nsec -
         (uint64_t)begin->tv_nsec;
}

/* Reports commands that wait for each other, and runs them in any order from here on, so that the
 * program ends. Naps are counted beside time, which passes on a busy machine too. */
static void look_for_progress(void) {
  static struct timespec since;
  static uint64_t seen;
  static uint32_t naps;
  const uint64_t now = __atomic_load_n(&numbers, __ATOMIC_RELAXED);
  if (held || pending == 0 || waiters == 0 || now != seen) naps = 0;
  seen = now;
  if (naps++ == 0) clock_gettime(CLOCK_MONOTONIC, &since);
  /* A case that has failed already ends soon. */
  const uint32_t share = strict_reports() > 0 ? 100 : 1;
  if (naps < STUCK / share || passed_since(&since) < (uint64_t)STUCK_TIME * 1000000000u / share)
    return;
  strict_report("%u commands wait for each other, or for a thread that waits", pending);
  ignores_waits = true;
}

static void *engine_main(void *none) {
  for (;;) {
    const uint32_t seen = __atomic_load_n(&work, __ATOMIC_ACQUIRE);
    strict_lock();
    const bool over = ending;
    const bool urgent = waiters > 0 || pending >= MANY || polls >= POLLS || over;
    bool ran = false;
    if (!held && urgent) {
      polls = 0;
      ran = run_one();
    }
    const bool idle = pending == 0 || held;
    strict_unlock();
    if (over && !ran) break;
    if (ran) continue;
    nap(&work, seen, idle ? UINT64_MAX : NAP);
    if (idle) continue;
    strict_lock();
    if (!held && !run_one()) look_for_progress();
    strict_unlock();
  }
  return none;
}

void strict_engine_begin(enum strict_policy wanted) {
  policy = wanted;
  ending = held = ignores_waits = false;
  streams = NULL;
  pending = waiters = polls = 0;
  if (pthread_create(&engine, NULL, engine_main, NULL) != 0) strict_report("no thread");
}

void strict_engine_end(void) {
  strict_lock();
  ending = true;
  strict_unlock();
  wake_engine();
  pthread_join(engine, NULL);
}

/* A query: of very many the engine goes on. With the lock held. */
void strict_poll(void) {
  if (pending > 0 && ++polls == POLLS) wake_engine();
}

ze_result_t strict_wait(uint32_t *word, uint64_t nanoseconds) {
  struct timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  strict_lock();
  waiters++;
  strict_unlock();
  wake_engine();
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0 && result == ZE_RESULT_SUCCESS) {
    nap(word, 0, nanoseconds);
    if (passed_since(&begin) >= nanoseconds && __atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
      result = ZE_RESULT_NOT_READY;
  }
  strict_lock();
  waiters--;
  strict_unlock();
  return result;
}

ze_result_t strict_wait_for_list(struct strict_list *list, uint64_t nanoseconds) {
  struct timespec begin;
  uint32_t never = 0;
  ze_result_t result = ZE_RESULT_SUCCESS;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  strict_lock();
  waiters++;
  while (list->first != NULL || list->object.uses != 0) {
    if (passed_since(&begin) >= nanoseconds) {
      result = ZE_RESULT_NOT_READY;
      break;
    }
    strict_unlock();
    wake_engine();
    nap(&never, 0, LIST_NAP);
    strict_lock();
  }
  waiters--;
  if (result == ZE_RESULT_SUCCESS) strict_acquire(list);
  strict_unlock();
  return result;
}

void strict_move(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < size; i++)
    t[i] = f[i];
}
