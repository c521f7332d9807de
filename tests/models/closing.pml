/* The references of a parent whose children may retain it (syclze/detail/memory/sharded_count.h).
 *
 * One thread drops the only reference. Two others hold a child each, through which they retain and
 * release the parent, before or after they release the child. A release that leaves no reference
 * closes the parent with the lock held; from then on references count from CLOSED. The parent must
 * end once, and not while a child is alive.
 *
 * Planted errors: 1, the close stores CLOSED whatever references have come meanwhile. 2, a parent
 * ends although references count on from CLOSED. 3, a release reads the count again, which the end
 * of the parent may have set since. */
#ifndef PLANTED
#define PLANTED 0
#endif
#define CLOSED (-100)
#define FREE (-1000)

short others = 0; /* references besides one */
byte children = 2, ended, retained, done;
bool lock, closing;

inline look() {
  if
  :: closing && children == 0 && (others == CLOSED || (PLANTED == 2 && others < 0)) ->
    assert(retained == 0);
    closing = false;
    others = FREE;
    ended++;
    assert(ended == 1)
  :: else
  fi
}

inline release_reference() {
  atomic { others--; left = others };
  if
  :: left < 0 ->
    /* A release without reference leaves less. */
    assert((PLANTED == 3 -> others : left) >= CLOSED);
    atomic { !lock -> lock = true };
#if PLANTED == 1
    if
    :: others == -1 -> others = CLOSED; closing = true
    :: else
    fi;
#else
    if
    :: atomic { others == -1 -> others = CLOSED }; closing = true
    :: else
    fi;
#endif
    look();
    lock = false
  :: else
  fi
}

inline release_child() {
  atomic { !lock -> lock = true };
  children--;
  look();
  lock = false
}

proctype owner() {
  short left;
  release_reference();
  done++
}

proctype holder() {
  short left;
  others++;
  retained++;
  if
  :: retained--; release_reference(); release_child()
  :: release_child(); retained--; release_reference()
  fi;
  done++
}

init {
  atomic {
    run owner();
    run holder();
    run holder()
  };
  done == 3;
  assert(ended == 1)
}
