/* Locks (syclze/detail/sync/lock.h), on a machine that delays stores behind later loads.
 *
 * Three threads acquire and release a lock twice each. One that does not get it sets `asleep` and
 * sleeps while the lock is held and `asleep` is set; a release clears the lock by a store, loads
 * `asleep` without a fence, and wakes all if it is set. A sleep may end at any time, since it is
 * limited: without the limit a release that misses `asleep` leaves a thread asleep for ever.
 *
 * Planted errors: 1, the lock is taken by a load and a store. 2, sleeps are not limited. */
/* shows promises 44 */
#ifndef PLANTED
#define PLANTED 0
#endif
#define THREADS 3
#define ROUNDS 2

bool held; /* the lock, as other threads see it */
bool clearing[THREADS]; /* the store of a release is delayed */
bool asleep;
bool sleeping[THREADS];
byte inside, done;

inline drain(me) {
  atomic { if :: clearing[me] -> held = false; clearing[me] = false :: else fi }
}

/* An atomic exchange, which drains the thread's stores. */
inline try(me) {
  drain(me);
#if PLANTED == 1
  got = !held;
  held = true
#else
  atomic { got = !held; held = true }
#endif
}

proctype worker(byte me) {
  byte i, k;
  bool got;
  for (i : 1 .. ROUNDS) {
    try(me);
    do
    :: got -> break
    :: else ->
      asleep = true;
      /* The kernel compares both before it puts the thread to sleep. */
      atomic { if :: held && asleep -> sleeping[me] = true :: else fi };
#if PLANTED == 2
      !sleeping[me];
#else
      sleeping[me] = false;
#endif
      try(me)
    od;
    inside++;
    assert(inside == 1);
    inside--;
    clearing[me] = true;
    if
    :: asleep ->
      drain(me); /* the wake-up is a system call */
      asleep = false;
      atomic { for (k : 0 .. THREADS - 1) { sleeping[k] = false } }
    :: else
    fi
  };
  drain(me);
  done++
}

/* Stores become visible at any time. */
proctype visible(byte whose) {
  do
  :: clearing[whose] -> drain(whose)
  :: done == THREADS -> break
  od
}

init {
  byte n;
  atomic {
    for (n : 0 .. THREADS - 1) {
      run worker(n);
      run visible(n)
    }
  };
  done == THREADS
}
