/* A queue whose submissions are deferred (syclze/command/detail/submit/deferred.h, open_event.h,
 * submission.h, graph/submit.h, host/task_run.h): an application submits kernels, host tasks and
 * graphs to one queue, in order or out of order, two workers run what is not appended at once, and
 * the device runs the native list and, aside, the command queues of graphs.
 *
 * A native list runs in order where the library relies on it, and may do so elsewhere. A host task
 * may append to it, while nothing else does, and wait for that or leave it there. Submissions run in
 * the order of the queue, or behind those that they name, together with what host tasks have left;
 * and all of them run: no command stands in the list ahead of one that it waits for.
 *
 * Planted errors: 1, a graph aside is executed at once, and its event closed, though it waits for an
 * open event. 2, what a host task leaves in the list is not marked. 3, a deferred submission closes
 * its event before it is appended. 4, a list that is lent is appended to. 5, a deferred submission
 * leaves no place in the order of its queue. */
/* shows promises 1 */
#ifndef PLANTED
#define PLANTED 0
#endif
#define N 4
#define OWN(i) (N + i) /* appended by a host task */
#define MARKS (2 * N)  /* markers have events from here on */
#define MOST 9 /* commands in the list */
#define NONE 31
#define BIT(e) (1 << (e))
#define BELOW(i) ((BIT(i) - 1) | (own & ((BIT(i) - 1) << N)))

mtype = { KERNEL, HOST, GRAPH };

bool in_order;
mtype kind[N];
bool named[N];    /* the submission before, on a queue out of order */
bool deferred[N]; /* or a host task, until a worker takes it */
int waits[N];
int done, open, own, aside, lent; /* events, by bits */
byte line[MOST], first, last;   /* the native list */
byte after = NONE, marker = NONE, marks = MARKS;
bool covered = true; /* the marker, or nothing, stands behind all that the list has */
bool busy; /* a function appends to the list */

/* With the lock of the queue, as each atomic block has it. */
inline append(e) {
  assert(!busy);
  line[last] = e;
  last++
}

inline mark() {
  if
  :: !covered ->
     append(marks);
     marker = marks;
     marks++;
     covered = true
  :: else
  fi
}

inline append_command(i) {
  if
  :: kind[i] == KERNEL ->
     append(i);
     if
     :: in_order -> marker = i; covered = true
     :: else
     fi
  :: else -> aside = aside | BIT(i)
  fi
}

inline submit(i) {
  atomic {
    wait = 0;
    if
    :: in_order && kind[i] != KERNEL ->
       mark();
       if
       :: marker != NONE -> wait = wait | BIT(marker)
       :: else
       fi
    :: else
    fi;
    if
    :: in_order && after != NONE -> wait = wait | BIT(after)
    :: !in_order && named[i] -> wait = wait | BIT(i - 1)
    :: else
    fi;
    if
    :: PLANTED != 4 && !in_order && kind[i] == KERNEL -> wait = wait | lent
    :: else
    fi;
    waits[i] = wait & ~done;
    if
    :: kind[i] == HOST || (!(PLANTED == 1 && kind[i] == GRAPH) && (wait & open) != 0) ->
       deferred[i] = true;
       open = open | BIT(i)
    :: else -> append_command(i)
    fi;
    if
    :: in_order && kind[i] == KERNEL && !deferred[i] -> after = NONE
    :: !in_order || (PLANTED == 5 && kind[i] == KERNEL && deferred[i])
    :: else -> after = i
    fi;
    wait = 0
  }
}

/* What stands before the submission has run. */
inline check(i) {
  assert(!in_order || (BELOW(i) & ~done) == 0);
  assert(!named[i] || (done & BIT(i - 1)) != 0)
}

/* A function that uses the native list of its queue. */
inline use_list(i) {
  atomic {
    if
    :: in_order -> mark()
    :: else -> lent = lent | BIT(i)
    fi
  };
  atomic {
    !busy; /* functions of the application exclude each other */
    append(OWN(i));
    own = own | BIT(OWN(i));
    busy = true
  };
  busy = false;
  if
  :: (done & BIT(OWN(i))) != 0
  :: true /* is left */
  fi;
  atomic { covered = !in_order; lent = lent & ~BIT(i) };
#if PLANTED != 2
  if
  :: in_order ->
     atomic { mark(); left = marker };
     left == NONE || (done & BIT(left)) != 0
  :: else
  fi;
#endif
  left = 0
}

inline run_task(i) {
  check(i);
  if
  :: use_list(i)
  :: true
  fi;
  done = done | BIT(i);
  atomic { open = open & ~BIT(i); waits[i] = 0; kind[i] = 0; named[i] = false }
}

inline finish(i) {
#if PLANTED == 3
  open = open & ~BIT(i);
#endif
  atomic {
    if
    :: PLANTED != 4 && kind[i] == KERNEL && lent != 0 ->
       waits[i] = waits[i] | lent;
       deferred[i] = true;
       again = true
    :: else ->
       append_command(i);
       if
       :: after == i && kind[i] == KERNEL -> after = NONE
       :: else
       fi
    fi
  };
  if
  :: again -> again = false
  :: else -> open = open & ~BIT(i)
  fi
}

#define READY(i)                                                                                   \
  (deferred[i] && (waits[i] & open) == 0 && (kind[i] != HOST || (waits[i] & ~done) == 0))

proctype worker() {
  byte task, left;
  bool again;
end:
  do
  :: atomic {
       if
       :: READY(0) -> task = 0
       :: READY(1) -> task = 1
       :: READY(2) -> task = 2
       :: READY(3) -> task = 3
       fi;
       deferred[task] = false
     };
     if
     :: kind[task] == HOST -> run_task(task)
     :: else -> finish(task)
     fi;
     task = 0
  od
}

#define RUNS(e) (e >= N || (waits[e] & ~done) == 0)

inline execute(e) {
  if
  :: e < N -> check(e); waits[e] = 0; kind[e] = 0; named[e] = false
  :: else
  fi;
  done = done | BIT(e);
  own = own & ~done;
  if
  :: marker == e -> marker = NONE
  :: else
  fi;
  if
  :: first == last -> first = 0; last = 0
  :: else
  fi
}

proctype device() {
  byte e;
end:
  do
  :: atomic { first < last && RUNS(line[first]) ->
       e = line[first];
       line[first] = 0;
       first++;
       execute(e);
       e = 0
     }
  :: atomic {
       !in_order && first + 1 < last && RUNS(line[first + 1]) ->
       e = line[first + 1];
       line[first + 1] = line[first];
       line[first] = 0;
       first++;
       execute(e);
       e = 0
     }
  :: atomic {
       if
       :: (aside & BIT(0)) != 0 && RUNS(0) -> e = 0
       :: (aside & BIT(1)) != 0 && RUNS(1) -> e = 1
       :: (aside & BIT(2)) != 0 && RUNS(2) -> e = 2
       :: (aside & BIT(3)) != 0 && RUNS(3) -> e = 3
       fi;
       aside = aside & ~BIT(e);
       execute(e);
       e = 0
     }
  od
}

inline choose(i) {
  if
  :: kind[i] = KERNEL
  :: kind[i] = HOST
  :: kind[i] = GRAPH
  fi;
  if
  :: !in_order && i > 0 -> named[i] = true
  :: true
  fi
}

init {
  int wait;
  atomic {
    if
    :: in_order = true
    :: in_order = false
    fi;
    choose(0);
    choose(1);
    choose(2);
    choose(3);
    run worker();
    run worker();
    run device()
  };
  submit(0);
  submit(1);
  submit(2);
  submit(3);
  (done & (BIT(N) - 1)) == BIT(N) - 1
}
