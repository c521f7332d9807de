/* Test programs of C and C++: cases, checks, and a closing line that counts them.

   Example:

       TEST(one_is_one) {
         CHECK_EQ(1, 1);
       }
       TEST_MAIN(one_is_one)

   Each case prints `pass NAME`, `FAIL NAME: file:line: text` or `skip NAME: reason`; the last line
   is `N passed, N failed`, followed by `, N skipped` where cases were skipped. The program returns
   1 when something failed. `program text` runs only the cases whose names contain the text.

   A check may stand in any function that a case calls, of any return type and in any file of the
   program: a failed one ends the case by longjmp. On a thread that the case started there is
   nowhere to jump to: the failure is reported and counted, and the thread goes on. A test's name is
   a function's name, static in its file. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) static void name(void)

#define TEST_MAIN(...)                                                                             \
  int main(int argc, char **argv) {                                                                \
    static void (*const cases[])(void) = {__VA_ARGS__};                                            \
    return check_run_all(                                                                          \
        cases, (int)(sizeof cases / sizeof *cases), #__VA_ARGS__, argc > 1 ? argv[1] : "");        \
  }

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) check_fail(__FILE__, __LINE__, "%s", #condition);                            \
  } while (0)

/* Integers, enumerators and pointers, of any width and sign: both are compared as 64 bits. */
#define CHECK_EQ(a, b) check_equal(CHECK_BITS(a), CHECK_BITS(b), __FILE__, __LINE__, #a " == " #b)

/* Strings, either of which may be null. */
#define CHECK_STR_EQ(a, b) check_equal_strings(a, b, __FILE__, __LINE__, #a " == " #b)

/* Ends the case and counts it as skipped. Only on the case's own thread. */
#define SKIP(reason) check_skip(reason)

/* The number of repetitions of a case that only a rare order of threads would break: `count`, or
 * with TEST_SHARE=N in the environment an N-th of that, at least one. */
static inline int check_repeats(int count) {
  const char *share = getenv("TEST_SHARE");
  const int part = share != NULL && atoi(share) > 1 ? count / atoi(share) : count;
  return part > 0 ? part : 1;
}

struct check_program {
  const char *name; /* of the running case, not terminated */
  int name_length;
  int case_failed;
  int passed, failed, skipped;
};

/* One of each in a program, whichever of its files include this header. */
__attribute__((weak)) struct check_program check_program;
__attribute__((weak)) __thread jmp_buf *check_case_end;

/* A floating-point argument of CHECK_EQ is refused, since 64-bit integers would cut it short. */
#ifdef __cplusplus
template <typename T> static inline unsigned long long check_bits(T value) {
  return (unsigned long long)value;
}
unsigned long long check_bits(float) = delete;
unsigned long long check_bits(double) = delete;
#define CHECK_BITS(x) check_bits(x)
#else
extern struct check_eq_takes_no_floating_point check_eq_takes_no_floating_point;
// clang-format off
#define CHECK_BITS(x)                                \
  ((unsigned long long)_Generic((x),                 \
      float: check_eq_takes_no_floating_point,       \
      double: check_eq_takes_no_floating_point,      \
      default: (x)))
// clang-format on
#endif

static inline void check_end_case(int how) {
  if (check_case_end) longjmp(*check_case_end, how);
}

__attribute__((format(printf, 3, 4))) static inline void check_fail(
    const char *file, int line, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  __atomic_store_n(&check_program.case_failed, 1, __ATOMIC_RELAXED);
  printf("FAIL %.*s: %s:%d: %s\n", check_program.name_length, check_program.name, file, line, text);
  check_end_case(1);
}

static inline void check_skip(const char *reason) {
  printf("skip %.*s: %s\n", check_program.name_length, check_program.name, reason);
  check_end_case(2);
}

static inline void check_equal(
    unsigned long long a, unsigned long long b, const char *file, int line, const char *text) {
  if (a != b)
    check_fail(
        file, line, "%s: %lld (0x%llx) and %lld (0x%llx)", text, (long long)a, a, (long long)b, b);
}

static inline void check_equal_strings(
    const char *a, const char *b, const char *file, int line, const char *text) {
  if (a != b && (!a || !b || strcmp(a, b) != 0))
    check_fail(file, line, "%s: \"%s\" and \"%s\"", text, a ? a : "(null)", b ? b : "(null)");
}

static inline void check_run(void (*body)(void)) {
  jmp_buf end;
  check_case_end = &end;
  check_program.case_failed = 0;
  int how = setjmp(end);
  if (how == 0) body();
  check_case_end = NULL;
  if (__atomic_load_n(&check_program.case_failed, __ATOMIC_RELAXED)) {
    check_program.failed++;
  } else if (how == 2) {
    check_program.skipped++;
  } else {
    check_program.passed++;
    printf("pass %.*s\n", check_program.name_length, check_program.name);
  }
}

/* `names` holds the names of the `count` cases, separated by a comma and a space. A filter that
   no name contains is a failure: it would be a run that cannot fail. */
static inline int check_run_all(
    void (*const *cases)(void), int count, const char *names, const char *filter) {
  int found = 0;
  setvbuf(stdout, NULL, _IOLBF, 1024);
  for (int i = 0; i < count; i++) {
    char name[256];
    int length = (int)strcspn(names, ",");
    snprintf(name, sizeof name, "%.*s", length, names);
    if (strstr(name, filter)) {
      found++;
      check_program.name = names;
      check_program.name_length = length;
      check_run(cases[i]);
    }
    names += length;
    names += strspn(names, ", ");
  }
  if (!found) {
    printf("FAIL %s: no case has this in its name\n", filter);
    check_program.failed++;
  }
  printf("%d passed, %d failed", check_program.passed, check_program.failed);
  if (check_program.skipped) printf(", %d skipped", check_program.skipped);
  printf("\n");
  return check_program.failed != 0;
}

#endif
