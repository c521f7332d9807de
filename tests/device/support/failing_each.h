/* Repeats a case in which each allocation, or each call, fails once. After failing.h.

     static bool attempt(long nth, bool of_calls) {
       failing_nth(nth, of_calls);
       ... what may fail, with its checks ...
       return failing_nth_end(of_calls, context);
     }

     CHECK(failing_each(attempt, true) >= 3); */
#ifndef TESTS_DEVICE_FAILING_EACH_H
#define TESTS_DEVICE_FAILING_EACH_H

#include "failing.h"
#include "spy.h"
#include "tests/check.h"

/* The nth allocation, or call, from here fails, counted from 1. */
static inline void failing_nth(long nth, bool of_calls) {
  if (of_calls)
    spy_fail_at((unsigned)nth, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  else
    failing_at(nth);
}

/* From here on none fails. Whether one did; the list or the memory whose destruction failed is
   destroyed. */
static inline bool failing_nth_end(bool of_calls, ze_context_handle_t context) {
  const char *call = of_calls ? spy_failed_call() : NULL;
  const bool failed = of_calls ? call != NULL : failing_end();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  if (call != NULL && strcmp(call, "zeCommandListDestroy") == 0)
    CHECK_EQ(zeCommandListDestroy(spy_survivor(SPY_LIST)), ZE_RESULT_SUCCESS);
  if (call != NULL && strcmp(call, "zeMemFree") == 0)
    CHECK_EQ(zeMemFree(context, spy_survivor(SPY_MEMORY)), ZE_RESULT_SUCCESS);
  return failed;
}

/* Until an attempt returns that nothing failed. How many failed. */
static inline long failing_each(bool (*attempt)(long nth, bool of_calls), bool of_calls) {
  enum { MOST = 200 };
  long failed = 0;
  while (attempt(failed + 1, of_calls))
    CHECK(++failed < MOST);
  return failed;
}

#endif
