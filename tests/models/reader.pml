/* A reader uses the event and the record of one that is done
 * (syclze/command/detail/single_access.h).
 *
 * Readers of an out-of-order queue record an access each, which keeps the event of its command; the
 * queue keeps it too until it has seen it signalled. A writer, with the object's lock, keeps the
 * events of the records that it finds, and ends these; then it waits. A reader with the locks of
 * the queue and of the object resets and uses the queue's oldest event again, if that is signalled,
 * its record is still there, and nothing but queue and record keeps it. `use` counts the uses of an
 * event: what a writer waits for is the one that it found.
 *
 * There are two events. Planted errors: 1, the record is not looked at. 2, nor is the number of
 * references. 3, the object's lock is not held. */
#ifndef PLANTED
#define PLANTED 0
#endif
#define EVENTS 2
#define READS 4
#define WRITES 2
#define NONE EVENTS

bool object_lock; /* the queue has one thread */
byte references[EVENTS], use[EVENTS];
bool signalled[EVENTS], pending[EVENTS], recorded[EVENTS], begun[EVENTS];
byte oldest = NONE;

inline acquire(lock) { atomic { !lock; lock = true } }

inline begin(event) {
  use[event]++;
  signalled[event] = false;
  begun[event] = true;
  oldest = event
}

/* What a writer waits for must not be reset. */
byte awaited[EVENTS];

inline find_free() {
  atomic {
    if
    :: references[0] == 0 -> event = 0
    :: references[1] == 0 -> event = 1
    :: else -> event = NONE
    fi
  }
}

proctype reader() {
  byte i, event;
  bool may;
  for (i : 1 .. READS) {
    event = oldest;
#if PLANTED != 3
    acquire(object_lock);
#endif
    may = event != NONE;
    if
    :: may -> may = pending[event] && signalled[event]
    :: else
    fi;
    if
    :: may ->
#if PLANTED != 1 && PLANTED != 2
       may = recorded[event];
#endif
       skip
    :: else
    fi;
    if
    :: may ->
#if PLANTED != 2
       may = references[event] == 2;
#endif
       skip
    :: else
    fi;
    if
    :: may ->
       assert(awaited[event] == 0);
       atomic { begin(event) }
    :: else ->
       /* The queue drops what is done, and the reader takes an event that nothing keeps. */
       atomic {
         if
         :: event != NONE && pending[event] && signalled[event] ->
            pending[event] = false;
            references[event]--;
            oldest = NONE
         :: else
         fi
       };
       find_free();
       if
       :: event != NONE ->
          atomic {
            references[event] = 2;
            pending[event] = true;
            recorded[event] = true;
            begin(event)
          }
       :: else
       fi
    fi;
#if PLANTED != 3
    object_lock = false;
#endif
    skip
  }
}

proctype writer() {
  byte i, k;
  bool found[EVENTS];
  byte which[EVENTS];
  for (i : 1 .. WRITES) {
    acquire(object_lock);
    for (k : 0 .. EVENTS - 1) {
      found[k] = recorded[k];
      if
      :: found[k] ->
         which[k] = use[k];
         atomic { references[k]++; awaited[k]++ };
         atomic { recorded[k] = false; references[k]-- }
      :: else
      fi
    };
    object_lock = false;
    for (k : 0 .. EVENTS - 1) {
      if
      :: found[k] ->
         signalled[k];
         assert(which[k] == use[k]);
         atomic { references[k]--; awaited[k]-- }
      :: else
      fi
    }
  }
}

proctype device() {
  end:
  do
  :: atomic { begun[0] -> begun[0] = false; signalled[0] = true }
  :: atomic { begun[1] -> begun[1] = false; signalled[1] = true }
  od
}

init {
  atomic {
    run reader();
    run writer();
    run device()
  }
}
