#define _DEFAULT_SOURCE
#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 16 };

int syclze_mutant;
__attribute__((aligned(1 << 16))) unsigned char syclze_mutants_reached[MOST];

__attribute__((constructor(101))) static void choose(void) {
  const char *number = getenv("SYCLZE_MUTANT");
  syclze_mutant = number != NULL ? atoi(number) : 0;
  /* A forked child, which may end without destructors, marks what its parent writes. */
  mmap(syclze_mutants_reached, MOST, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Also of child processes, each of which adds its own. */
__attribute__((destructor(101))) static void note(void) {
  const char *path = getenv("SYCLZE_MUTANT_REACHED");
  if (path == NULL) return;
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (file < 0) return;
  ssize_t written = write(file, syclze_mutants_reached, MOST);
  (void)written;
  close(file);
}
