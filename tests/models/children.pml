/* The counts of children in the blocks of threads (syclze/detail/memory/sharded_count.h), on a machine that
 * delays stores behind later loads.
 *
 * Thread 0 has a child X and makes another, Y, which X covers; then it gives X to thread 1, which
 * releases it, and releases Y itself. A third thread drops the parent's last reference at any time.
 * The parent must end once, and not while a child is alive.
 *
 * Planted errors: 1, no barrier between closing and the sum: the close and a release may miss each
 * other. 2, children are still made in blocks after the close: a sum reads a block before Y is made
 * there, and another after X has gone. 3, a release in its block does not look for the close. */
#ifndef PLANTED
#define PLANTED 0
#endif
#define THREADS 2

short memory[THREADS]; /* counts, as other threads see them */
short buffer[THREADS]; /* a thread's last store, while it is `pending` */
bool pending[THREADS];
short shared;
bool open = true, lock, given;
byte references = 1, closing, ended, alive = 1, done;

#define OWN(me) (pending[me] -> buffer[me] : memory[me])

inline drain(me) {
  atomic { if :: pending[me] -> memory[me] = buffer[me]; pending[me] = false :: else fi }
}

inline acquire(me) {
  atomic { !lock -> lock = true };
  if :: me < THREADS -> drain(me) :: else fi /* a locked instruction */
}

/* With the lock held. */
inline look() {
  if
  :: closing == 1 && references == 0 ->
    sum = shared;
    i = 0;
    do
    :: i < THREADS -> sum = sum + memory[i]; i++
    :: else -> break
    od;
    if
    :: sum == 0 -> closing = 2; assert(alive == 0); ended++; assert(ended == 1)
    :: else
    fi
  :: else
  fi
}

inline make(me) {
  fast = open;
  alive++;
  if
  :: fast -> atomic { buffer[me] = OWN(me) + 1; pending[me] = true }
  :: else -> acquire(me); shared++; lock = false
  fi
}

inline release(me) {
  fast = open;
  alive--;
  if
  :: fast ->
    atomic { buffer[me] = OWN(me) - 1; pending[me] = true };
    if
    :: PLANTED != 3 && closing != 0 -> acquire(me); look(); lock = false
    :: else
    fi
  :: else -> acquire(me); shared--; look(); lock = false
  fi
}

proctype maker() {
  byte i;
  short sum;
  bool fast;
  make(0);
  drain(0); /* stores become visible in order */
  given = true;
  release(0);
  done++
}

proctype taker() {
  byte i;
  short sum;
  bool fast;
  given;
  release(1);
  done++
}

proctype closer() {
  byte i;
  short sum;
  acquire(THREADS);
  references = 0;
  if :: PLANTED != 2 -> open = false :: else fi;
  closing = 1;
#if PLANTED != 1
  atomic { drain(0); drain(1) };
#endif
  look();
  lock = false;
  done++
}

/* Stores become visible at any time. */
proctype visible(byte whose) {
  do
  :: drain(whose)
  :: done == 3 -> break
  od
}

init {
  atomic {
    memory[0] = 1;
    run maker();
    run taker();
    run closer();
    run visible(0);
    run visible(1)
  };
  done == 3;
  assert(ended == 1)
}
