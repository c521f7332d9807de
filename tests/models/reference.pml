/* References (syclze/detail/ref.h): the last one is recognised by a load where it is the only one,
 * by the count that an atomic subtraction leaves else.
 *
 * Three threads hold a reference each; the first hands another to a fourth thread before it
 * releases its own. The object must be destroyed once, by the last.
 *
 * Planted errors: 1, the count is loaded and then stored. 2, the reference that is handed over is
 * added by the thread that gets it. */
#ifndef PLANTED
#define PLANTED 0
#endif
#define HOLDERS 4

short others = 2; /* references besides one */
byte destroyed, held = 3, done;
bool handed;

inline release() {
  held--;
  if
  :: others == 0 -> others = -1; last = true
  :: else ->
#if PLANTED == 1
    left = others - 1;
    others = left;
#else
    atomic { others--; left = others };
#endif
    last = left < 0
  fi;
  if
  :: last -> assert(held == 0); destroyed++; assert(destroyed == 1)
  :: else
  fi;
  done++
}

proctype giver() {
  short left;
  bool last = false;
  held++;
#if PLANTED != 2
  others++;
#endif
  handed = true;
  release()
}

proctype getter() {
  short left;
  bool last = false;
  handed;
#if PLANTED == 2
  others++;
#endif
  release()
}

proctype holder() {
  short left;
  bool last = false;
  release()
}

init {
  atomic {
    run giver();
    run getter();
    run holder();
    run holder()
  };
  done == HOLDERS;
  assert(destroyed == 1)
}
