/* Wake-ups of workers (syclze/detail/sync/worker.h): two threads submit tasks, two workers run them, and
 * a thread that waits helps.
 *
 * With a task in line a thread has one sleeping worker look at it, unless one is on its way to
 * the line (`woken`), which then has the next one look at what it leaves there. A worker sleeps
 * while `change` is as it was when the worker found the line empty. The end of the task FIRST makes
 * its successor NEXT ready, without a wake-up: the worker runs it at once where the line is empty,
 * else has it stand in line and looks there. A helper does the same and goes on with what it did
 * before. NEXT runs until OTHER has run: no task may be left in line while a worker sleeps.
 *
 * Planted errors: 1, a submission wakes none while a worker ends a task, which may go on with the
 * successor. 2, a worker that takes one of several tasks has none look at the others. 3, a helper
 * has none look at what it leaves. 4, a worker that comes to the line leaves `woken` set. 5, a
 * worker reads `change` after it has released the lock. */
/* shows promises 42 */
#ifndef PLANTED
#define PLANTED 0
#endif
#define WORKERS 2
#define FIRST 0
#define NEXT 1
#define OTHER 2
#define MORE 3
#define TASKS 4
#define NONE TASKS

chan line = [TASKS] of { byte };
byte change, idle, done;
byte ending; /* for a planted error: workers at the end of a task */
bool woken;
bool asleep[WORKERS];
bool ran[TASKS];

/* With the lock, as each atomic block has it: has a sleeping worker look at the line. */
inline call() {
  if
  :: idle > 0 && !woken -> woken = true; change++; wakes = true
  :: else
  fi
}

/* Without the lock. */
inline wake() {
  atomic {
    if
    :: wakes && asleep[0] -> asleep[0] = false
    :: wakes && asleep[1] -> asleep[1] = false
    :: else
    fi;
    wakes = false
  }
}

inline execute(task) {
  task != NEXT || ran[OTHER];
  atomic { ran[task] = true; done++ }
}

inline submit(task) {
  atomic {
#if PLANTED == 1
    if
    :: ending > 0 && empty(line)
    :: else -> call()
    fi;
#else
    call();
#endif
    line ! task
  };
  wake()
}

proctype first_thread() {
  bool wakes;
  submit(FIRST);
  submit(MORE)
}

proctype other_thread() {
  bool wakes;
  submit(OTHER)
}

proctype helper() {
  byte task;
  bool wakes;
  if
  :: atomic { idle == 0 && nempty(line) -> line ? task };
     execute(task);
     atomic {
       if
       :: task == FIRST -> line ! NEXT
       :: else
       fi
     };
#if PLANTED != 3
     atomic {
       if
       :: nempty(line) -> call()
       :: else
       fi
     };
#endif
     wake()
  :: true
  fi
}

proctype worker(byte me) {
  byte task, seen;
  bool wakes;
  do
  :: atomic {
       task = NONE;
       if
       :: nempty(line) ->
          line ? task;
#if PLANTED != 2
          if
          :: nempty(line) -> call()
          :: else
          fi
#endif
       :: empty(line) -> idle++; seen = change
       fi
     };
     if
     :: task != NONE ->
        wake();
        execute(task);
        if
        :: task == FIRST ->
           ending++;
           if
           :: empty(line) -> execute(NEXT)
           :: atomic { nempty(line) -> line ! NEXT }
           fi;
           ending--
        :: else
        fi
     :: else ->
#if PLANTED == 5
        seen = change;
#endif
        /* The kernel compares before it puts the thread to sleep. */
        atomic {
          if
          :: change == seen -> asleep[me] = true
          :: else
          fi
        };
end:    !asleep[me];
        atomic {
          idle--;
#if PLANTED != 4
          woken = false
#endif
        }
     fi
  od
}

init {
  atomic {
    run worker(0);
    run worker(1);
    run helper();
    run first_thread();
    run other_thread()
  };
  done == TASKS
}
