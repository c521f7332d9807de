/* The debug checker: tables of wrapped handles, of objects and of threads, in the state of the
 * linked image. */
#ifndef SYCLZE_DETAIL_CHECKER_H
#define SYCLZE_DETAIL_CHECKER_H

#include "check.h"

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

#include <errno.h>
#ifdef _WIN32
#include <process.h>
#define syclze__process() _getpid()
#else
#include <unistd.h>
#define syclze__process() getpid()
#endif

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__CHECK_BUCKETS = 1 << 16,
  SYCLZE__CHECK_THREADS = 1 << 8,
  SYCLZE__CHECK_OPENS = 1 << 8,
  SYCLZE__CHECK_QUARANTINE = 1 << 18 /* freed objects whose memory is not reused yet */
};

/* A call site of the application. */
struct syclze__site {
  const char *file; /* null if unknown */
  int line;
};

/* A native handle that is wrapped. */
struct syclze__wrapped {
  const void *native;
  uint32_t wraps;   /* objects of this handle */
  bool transferred; /* to one of them */
  bool in_use;      /* by a call of this thread: */
  const void *thread;
  const struct syclze__slot *object; /* the only one; null if there are several */
  const char *kind;
  struct syclze__site made;
  uint64_t number;              /* of the make */
  struct syclze__wrapped *next; /* in its bucket */
};

/* An object, until its memory is used again. */
struct syclze__checked {
  const void *object;
  struct syclze__slot *slot; /* in quarantine; null while the object is alive */
  const char *kind;
  bool wraps;    /* a native handle, which has a record of its own */
  bool is_group; /* a group that was begun: `object` is the record itself */
  struct syclze__site made, released;
  struct syclze__checked *next;  /* in its bucket */
  struct syclze__checked *newer; /* in quarantine */
};

/* A thread, by the address of its errno. */
struct syclze__check_thread {
  const void *id;
  struct syclze__site site; /* the last one passed */
  uintptr_t frame;          /* of the call there */
  char rule[256];           /* of the last refused make */
  const char *held_kind;    /* the kind of thing that the last refused wait would wait for */
  struct syclze__site held_made;
  struct syclze__check_thread *next;
};

struct syclze__checker {
  SYCLZE__LOCK(SYCLZE__RANK_CHECKER) lock;
  uint32_t quarantined;
  uint32_t open_count;
  uint64_t wrapped_count; /* ever */
  uint32_t search;        /* the number of searches of the table */
  int process;
  struct syclze__checked *oldest, *newest; /* of the quarantine */
  struct syclze__wrapped *wrapped[SYCLZE__CHECK_BUCKETS];
  struct syclze__checked *objects[SYCLZE__CHECK_BUCKETS];
  struct syclze__check_thread *threads[SYCLZE__CHECK_THREADS];
  struct syclze__check_lent *lent; /* data of the host */
  struct syclze__check_open *opens[SYCLZE__CHECK_OPENS];
  struct syclze__built_module *modules; /* built from SPIR-V */
};

SYCLZE_LOCAL void syclze__check_exit(void);
SYCLZE_LOCAL void syclze__check_forget_module(struct syclze__checker *checker, const void *module);

/* The locked checker; null without memory, and in the child of a fork: then nothing is checked. */
SYCLZE_LOCAL struct syclze__checker *syclze__checker_locked(void) {
  struct syclze__checker *checker = __atomic_load_n(&SYCLZE__STATE.checker, __ATOMIC_ACQUIRE);
  if (checker == NULL) {
    struct syclze__checker *none = NULL;
    struct syclze__checker *created = (struct syclze__checker *)calloc(1, sizeof *created);
    if (created == NULL) return NULL;
    created->process = syclze__process();
    if (__atomic_compare_exchange_n(
            &SYCLZE__STATE.checker, &none, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      checker = created;
      atexit(syclze__check_exit);
    } else {
      free(created);
      checker = none;
    }
  }
  if (checker->process != syclze__process()) return NULL;
  syclze__lock_acquire(&checker->lock);
  return checker;
}

SYCLZE_LOCAL uint32_t syclze__check_bucket(const void *key) {
  return (uint32_t)((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u >> 48);
}

SYCLZE_LOCAL void syclze__check_remove_handle(struct syclze__wrapped **link) {
  struct syclze__wrapped *wrapped = *link;
  *link = wrapped->next;
  free(wrapped);
}

/* True for an object that was freed unseen by the checker: in a file without it, or in another
 * linked image. Children keep a parent without references. */
SYCLZE_LOCAL bool syclze__check_is_stale(const struct syclze__slot *object) {
  if (!SYCLZE_HAS_POOLS || object == NULL) return false;
  const int32_t others = __atomic_load_n(
      &((const struct syclze__ref *)(const void *)object)->others, __ATOMIC_ACQUIRE);
  return others == -1 || others < (int32_t)SYCLZE__REF_CLOSED;
}

SYCLZE_LOCAL struct syclze__wrapped **syclze__check_find_handle(
    struct syclze__checker *checker, const void *native) {
  struct syclze__wrapped **link = &checker->wrapped[syclze__check_bucket(native)];
  while (*link != NULL && (*link)->native != native)
    link = &(*link)->next;
  if (*link != NULL && syclze__check_is_stale((*link)->object)) {
    /* Removes the stale record: the end of the bucket takes a new one. */
    syclze__check_remove_handle(link);
    while (*link != NULL)
      link = &(*link)->next;
  }
  return link;
}

SYCLZE_LOCAL struct syclze__checked **syclze__check_find_object(
    struct syclze__checker *checker, const void *object) {
  struct syclze__checked **link = &checker->objects[syclze__check_bucket(object)];
  while (*link != NULL && (*link)->object != object)
    link = &(*link)->next;
  return link;
}

/* The calling thread; null without memory. */
SYCLZE_LOCAL struct syclze__check_thread *syclze__check_thread_get(
    struct syclze__checker *checker) {
  const void *id = (const void *)&errno;
  struct syclze__check_thread **link =
      &checker->threads[syclze__check_bucket(id) % SYCLZE__CHECK_THREADS];
  while (*link != NULL && (*link)->id != id)
    link = &(*link)->next;
  if (*link == NULL) {
    *link = (struct syclze__check_thread *)calloc(1, sizeof **link);
    if (*link != NULL) (*link)->id = id;
  }
  return *link;
}

SYCLZE_LOCAL struct syclze__site syclze__check_site(struct syclze__checker *checker) {
  static const struct syclze__site unknown = {NULL, 0};
  const struct syclze__check_thread *thread = syclze__check_thread_get(checker);
  return thread != NULL ? thread->site : unknown;
}

SYCLZE_COLD void syclze__check_here(const char *file, int line) {
  /* Bodies that follow check.h are subject to its macros, but are no call site of the application.
   */
  const char *const own = strstr(file, "syclze/");
  if (strcmp(file, __FILE__) == 0 || (own != NULL && strstr(own, "/detail/") != NULL)) return;
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__check_thread *thread = syclze__check_thread_get(checker);
  if (thread != NULL) {
    thread->site.file = file;
    thread->site.line = line;
    thread->frame = (uintptr_t)__builtin_frame_address(0);
  }
  syclze__lock_release(&checker->lock);
}

SYCLZE_LOCAL ze_result_t syclze__check_report(ze_result_t result, const char *function,
    const char *rule, const void *handle, const char *kind, const struct syclze__site *made,
    const struct syclze__site *released) {
  char detail[512];
  int length = snprintf(detail, sizeof detail / 2, "%s made at %s:%d", kind,
      made->file != NULL ? made->file : "?", made->line);
  if (length >= (int)(sizeof detail / 2)) length = (int)(sizeof detail / 2) - 1;
  if (released != NULL)
    snprintf(detail + length, sizeof detail - (size_t)length, ", released at %s:%d",
        released->file != NULL ? released->file : "?", released->line);
  return syclze__fail_detail(result, function, rule, handle, detail);
}

SYCLZE_LOCAL void syclze__check_made(struct syclze__checker *checker,
    const struct syclze__slot *object, const char *kind, bool wraps) {
  struct syclze__checked **link = syclze__check_find_object(checker, object);
  if (*link == NULL) {
    *link = (struct syclze__checked *)calloc(1, sizeof **link);
    if (*link != NULL) (*link)->object = object;
  }
  if (*link == NULL) return;
  (*link)->kind = kind;
  (*link)->wraps = wraps;
  (*link)->made = syclze__check_site(checker);
}

SYCLZE_COLD void syclze__check_made_alone(const struct syclze__slot *object, const char *kind) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  syclze__check_made(checker, object, kind, false);
  syclze__lock_release(&checker->lock);
}

SYCLZE_COLD void syclze__check_wrapped(
    const struct syclze__slot *object, const char *kind, const void *native, uint32_t ownership) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__wrapped **link;
  if (checker == NULL) return;
  syclze__check_made(checker, object, kind, true);
  link = syclze__check_find_handle(checker, native);
  if (*link == NULL) {
    *link = (struct syclze__wrapped *)calloc(1, sizeof **link);
    if (*link != NULL) {
      (*link)->native = native;
      (*link)->kind = kind;
      (*link)->made = syclze__check_site(checker);
      (*link)->number = checker->wrapped_count++;
    }
  }
  if (*link != NULL) {
    (*link)->object = ++(*link)->wraps == 1 ? object : NULL;
    if (ownership == 0) (*link)->transferred = true;
  }
  syclze__lock_release(&checker->lock);
}

SYCLZE_COLD void syclze__check_unwrapped(const void *native) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__wrapped **link;
  if (checker == NULL) return;
  link = &checker->wrapped[syclze__check_bucket(native)];
  while (*link != NULL && (*link)->native != native)
    link = &(*link)->next;
  if (*link != NULL && --(*link)->wraps == 0) {
    if ((*link)->transferred) syclze__check_forget_module(checker, native);
    syclze__check_remove_handle(link);
  }
  syclze__lock_release(&checker->lock);
}

/* An owner has taken the handle, as a transfer does. */
SYCLZE_COLD void syclze__check_owned(const void *native) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__wrapped *wrapped = *syclze__check_find_handle(checker, native);
  if (wrapped != NULL) wrapped->transferred = true;
  syclze__lock_release(&checker->lock);
}

/* The rule is valid until the thread's next refused make. */
SYCLZE_COLD const char *syclze__check_transferred(const void *native) {
  struct syclze__checker *checker = syclze__checker_locked();
  const char *rule = NULL;
  if (checker == NULL) return NULL;
  const struct syclze__wrapped *wrapped = *syclze__check_find_handle(checker, native);
  if (wrapped != NULL && wrapped->transferred) {
    struct syclze__check_thread *thread = syclze__check_thread_get(checker);
    rule = "the handle has been given with transfer before";
    if (thread != NULL) {
      snprintf(thread->rule, sizeof thread->rule, "%s, %s made at %s:%d", rule, wrapped->kind,
          wrapped->made.file != NULL ? wrapped->made.file : "?", wrapped->made.line);
      rule = thread->rule;
    }
  }
  syclze__lock_release(&checker->lock);
  return rule;
}

SYCLZE_COLD bool syclze__check_may_destroy(const void *native, const char *function) {
  const char *kind = NULL;
  struct syclze__site made = {NULL, 0};
  if (!syclze__check_may_free(native, function)) return false;
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return true;
  const struct syclze__wrapped *wrapped = *syclze__check_find_handle(checker, native);
  if (wrapped != NULL) {
    kind = wrapped->kind;
    made = wrapped->made;
  } else
    syclze__check_forget_module(checker, native);
  syclze__lock_release(&checker->lock);
  if (wrapped == NULL) return true;
  syclze__check_report(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, function,
      "Level-Zero backend 4.4: the handle is destroyed while it is wrapped", native, kind, &made,
      NULL);
  return false;
}

SYCLZE_COLD bool syclze__check_enter(const void *native, const char *function) {
  const void *thread = (const void *)&errno;
  struct syclze__checker *checker = syclze__checker_locked();
  const char *kind = NULL;
  struct syclze__site made = {NULL, 0};
  bool clash, entered;
  if (checker == NULL) return false;
  struct syclze__wrapped *wrapped = *syclze__check_find_handle(checker, native);
  clash = wrapped != NULL && wrapped->in_use && wrapped->thread != thread;
  entered = wrapped != NULL && !wrapped->in_use;
  if (entered) {
    wrapped->in_use = true;
    wrapped->thread = thread;
  }
  if (clash) {
    kind = wrapped->kind;
    made = wrapped->made;
  }
  syclze__lock_release(&checker->lock);
  if (clash)
    syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, function,
        "Level-Zero backend 4.4.4: two threads use the handle at once", native, kind, &made, NULL);
  return entered;
}

SYCLZE_COLD ze_result_t syclze__check_leave(const void *native, bool entered, ze_result_t result) {
  struct syclze__checker *checker = entered ? syclze__checker_locked() : NULL;
  if (checker == NULL) return result;
  struct syclze__wrapped *wrapped = *syclze__check_find_handle(checker, native);
  if (wrapped != NULL) wrapped->in_use = false;
  syclze__lock_release(&checker->lock);
  return result;
}

SYCLZE_COLD const char *syclze__check_group_begun(void) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__checked *checked;
  if (checker == NULL) return NULL;
  checked = (struct syclze__checked *)calloc(1, sizeof *checked);
  if (checked != NULL) {
    checked->object = checked;
    checked->is_group = true;
    checked->kind = "group";
    checked->made = syclze__check_site(checker);
    *syclze__check_find_object(checker, checked) = checked;
  }
  syclze__lock_release(&checker->lock);
  return (const char *)checked;
}

/* Ends a group's record. A copy of the group may have ended it before. */
SYCLZE_COLD void syclze__check_group_ended(const char *record) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__checked **link, *checked;
  if (checker == NULL) return;
  link = syclze__check_find_object(checker, record);
  checked = *link;
  if (checked != NULL && checked->is_group) {
    *link = checked->next;
    free(checked);
  }
  syclze__lock_release(&checker->lock);
}

/* Takes the oldest object out of a full quarantine; null if it is not full. */
SYCLZE_LOCAL struct syclze__slot *syclze__check_evict(struct syclze__checker *checker) {
  struct syclze__checked *oldest = checker->oldest, **link;
  struct syclze__slot *slot;
  if (checker->quarantined < SYCLZE__CHECK_QUARANTINE) return NULL;
  link = syclze__check_find_object(checker, oldest->object);
  *link = oldest->next;
  checker->oldest = oldest->newer;
  if (checker->oldest == NULL) checker->newest = NULL;
  checker->quarantined--;
  slot = oldest->slot;
  free(oldest);
  return slot;
}

/* Quarantines an object. Those that another file or image made are unknown, and freed at once. */
SYCLZE_COLD void syclze__check_free(struct syclze__slot *slot) {
  struct syclze__checker *checker = syclze__checker_locked();
  struct syclze__checked *checked = NULL;
  if (checker != NULL) {
    checked = *syclze__check_find_object(checker, slot);
    if (checked != NULL && checked->slot == NULL) {
      struct syclze__slot *evicted = syclze__check_evict(checker);
      checked->slot = slot;
      checked->released = syclze__check_site(checker);
      checked->newer = NULL;
      if (checker->newest != NULL) checker->newest->newer = checked;
      if (checker->oldest == NULL) checker->oldest = checked;
      checker->newest = checked;
      checker->quarantined++;
      slot = evicted;
    }
    syclze__lock_release(&checker->lock);
  }
  if (slot != NULL) syclze__pool_release(slot);
}

SYCLZE_COLD bool syclze__check_alive(const void *object) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return true;
  const struct syclze__checked *checked = *syclze__check_find_object(checker, object);
  bool freed = checked != NULL && checked->slot != NULL;
  syclze__lock_release(&checker->lock);
  return !freed;
}

SYCLZE_LOCAL void syclze__check_report_use(const void *object, const char *function) {
  struct syclze__checker *checker = syclze__checker_locked();
  const char *kind = "object";
  struct syclze__site made = {NULL, 0}, released = {NULL, 0};
  if (checker == NULL) return;
  const struct syclze__checked *checked = *syclze__check_find_object(checker, object);
  if (checked != NULL) {
    kind = checked->kind;
    made = checked->made;
    released = checked->released;
  }
  syclze__lock_release(&checker->lock);
  syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, function,
      "the object is used after its last release", NULL, kind, &made, &released);
}

SYCLZE_COLD bool syclze__check_use(const void *object, const char *function) {
  if (object == NULL) {
    syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the object is null", NULL);
    return false;
  }
  if (syclze__check_alive(object)) return true;
  syclze__check_report_use(object, function);
  return false;
}

SYCLZE_EXTERN_C_END

#include "checker_exit.h"
#include "checker_host_data.h"
#include "checker_modules.h"
#include "checker_waits.h"

#endif

#endif
