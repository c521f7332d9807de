/* Tried locks (syclze/command/detail/single_access.h): the owner of a memory object changes.
 *
 * Two driver-in-order queues, one thread for each that submits writes the short way, and one that
 * submits to the first by the way of all commands, and has another object too. `position` is that
 * of the last write in the list of the owner, with the owner's lock; a command is recorded first
 * and appended later, with its queue's lock held all the time. What follows another queue's write
 * waits for a marker, which covers what is in that list. `last` and `last_position` are where the
 * last write really is.
 *
 * The short way holds its queue's lock and tries the others; what is not to be had goes the other
 * way, which holds the object's lock, waits for that of the owner, and tries the queue's.
 *
 * Planted errors: 1, the short way waits for the object's lock. 2, it takes an object over without
 * the owner's lock. 3, it reads the owner before it has its queue's lock. 4, the other way keeps
 * no lock between its read of the owner and its record. */
#ifndef PLANTED
#define PLANTED 0
#endif
#define QUEUES 2
#define ROUNDS 2
#define NONE QUEUES

bool queue_lock[QUEUES], object_lock;
byte appended[QUEUES]; /* commands in the native list */
byte marked[QUEUES];   /* of which the marker covers so many */
byte owner = NONE, former = NONE, position;
byte last = NONE, last_position;

inline acquire(lock) { atomic { !lock; lock = true } }
inline try(lock) { atomic { got = !lock; lock = true } }
inline release(lock) { lock = false }

/* A marker behind all commands so far, if one is needed. */
inline mark(whose) {
  atomic { if :: marked[whose] < position -> marked[whose] = appended[whose] :: else fi }
}

/* The write is ordered behind the last one, and is the last one from here on. */
inline record(on) {
  atomic {
    assert(last == NONE || last == on || marked[last] >= last_position);
    owner = on;
    position = appended[on] + 1;
    last = on;
    last_position = position
  }
}

inline append(on) {
  appended[on]++;
  release(queue_lock[on])
}

/* The way of all commands. */
inline submit(on) {
  do
  :: acquire(object_lock);
     is_own = owner == on;
     if
     :: !is_own && owner != NONE ->
        acquire(queue_lock[owner]);
        mark(owner);
        former = owner;
        owner = NONE;
        release(queue_lock[former])
     :: else
     fi;
     if
     :: has_another -> /* object, which the other queue owns */
        acquire(queue_lock[1 - on]);
        release(queue_lock[1 - on])
     :: else
     fi;
#if PLANTED == 4
     release(object_lock);
#endif
     try(queue_lock[on]);
     if
     :: got -> break
     :: else
     fi;
#if PLANTED != 4
     release(object_lock);
#endif
     skip
  od;
  if
  :: is_own -> atomic { assert(last == on); record(on) }
  :: else -> record(on)
  fi;
#if PLANTED != 4
  release(object_lock);
#endif
  append(on)
}

/* The short way; `done` if that was enough. With the queue's lock, which is released. */
inline submit_single(on) {
  done = false;
#if PLANTED != 3
  is_own = owner == on;
#endif
  if
  :: is_own -> atomic { assert(last == on); record(on) }; done = true
  :: else ->
#if PLANTED == 1
     acquire(object_lock);
     got = true;
#else
     try(object_lock);
#endif
     if
     :: got ->
        before = owner;
        if
        :: before != NONE && before != on ->
#if PLANTED != 2
           try(queue_lock[before]);
#endif
           if
           :: got ->
              mark(before);
              record(on);
              done = true;
#if PLANTED != 2
              release(queue_lock[before])
#endif
           :: else
           fi
        :: else
        fi;
        release(object_lock)
     :: else
     fi
  fi;
  if
  :: done -> append(on)
  :: else -> release(queue_lock[on])
  fi
}

proctype writer(byte on) {
  byte i, before;
  bool got, is_own, done, has_another;
  for (i : 1 .. ROUNDS) {
#if PLANTED == 3
    is_own = owner == on;
#endif
    done = false;
    try(queue_lock[on]);
    if
    :: got -> submit_single(on)
    :: else
    fi;
    if
    :: !done -> submit(on)
    :: else
    fi
  }
}

proctype other(byte on) {
  byte i;
  bool got, is_own, has_another = true;
  for (i : 1 .. ROUNDS) { submit(on) }
}

init {
  atomic {
    run writer(0);
    run writer(1);
    run other(0)
  }
}
