/* Which mutant a program is, chosen by SYCLZE_MUTANT in its environment; 0 for none. What was
   reached is written to the file that SYCLZE_MUTANT_REACHED names, when the program ends. */
#ifndef TESTS_MUTATE_MUTANT_H
#define TESTS_MUTATE_MUTANT_H

#include <stdint.h>

extern int syclze_mutant;
extern unsigned char syclze_mutants_reached[];

#define SYCLZE__MUTANT(n)                                                                          \
  (__atomic_store_n(&syclze_mutants_reached[n], 1, __ATOMIC_RELAXED),                              \
      __builtin_expect(syclze_mutant == (n), 0))

#endif
