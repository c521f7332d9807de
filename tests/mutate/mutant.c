#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 14 };

int syclze_mutant;
unsigned char syclze_mutants_reached[MOST];

__attribute__((constructor(101))) static void choose(void) {
  const char *number = getenv("SYCLZE_MUTANT");
  syclze_mutant = number != NULL ? atoi(number) : 0;
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
