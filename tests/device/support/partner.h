/* A second process of the test: its own program, begun by exec, with a socket between the two. It
   runs the body that is named, before main, and ends.

     PARTNER(its_partner, link) {
       ...
     }
     TEST(a_case) {
       struct partner p = partner_begin("its_partner");
       ...
       partner_end(&p);
     } */
#ifndef TESTS_DEVICE_PARTNER_H
#define TESTS_DEVICE_PARTNER_H

#include "tests/check.h"

#include <stdbool.h>
#include <sys/types.h>

struct partner {
  pid_t process;
  int link; /* of this process */
};

struct partner partner_begin(const char *name);

/* Waits until it ends. A failed check of its is a failure here. */
void partner_end(struct partner *partner);

/* Ends it at once. */
void partner_kill(struct partner *partner);

/* Defines a body, with the name of its socket. */
#define PARTNER(name, link)                                                                        \
  static void name(int link);                                                                      \
  __attribute__((constructor)) static void name##_begin(void) {                                    \
    partner_run(#name, name);                                                                      \
  }                                                                                                \
  static void name(int link)

/* Returns in a process that is no partner of this name. */
void partner_run(const char *name, void (*body)(int link));

/* Whole messages; a partner that has ended fails the case. */
void partner_send(int link, const void *bytes, size_t size);
void partner_receive(int link, void *bytes, size_t size);

#endif
