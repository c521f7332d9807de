/* Updates of several launches at once, by a value: on mutable lists, and on lists that are recorded
   anew. The kernels are those of tests/kernels/graph.spv. */
#include "support/failing.h"
#include "support/refused.h"
#include "support/updated.h"

static const char update_parameter[] = "syclze_executable_graph_update_parameter";

static uint32_t result_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return (a * b + c) * 3 + d;
}

static void share_a_parameter(struct world *w) {
  /* Two of one launch; the last repeats another. */
  static const syclze_graph_argument places[] = {{0, 3}, {1, 2}, {2, 3}, {1, 3}, {0, 3}};
  syclze_executable_graph executable = three(w);
  run(w, executable);
  check_all(w->memory[0], result_of(10, 20, 30, 40));
  for (uint32_t value = 5; value < 8; value++) {
    const syclze_argument argument = syclze_argument_value(&value, sizeof value);
    CHECK_EQ(syclze_executable_graph_update_parameter(executable, places, value - 3, &argument),
        ZE_RESULT_SUCCESS);
    run(w, executable);
    const uint32_t d = value > 5 ? value : 40, c = value > 6 ? value : 30;
    check_all(w->memory[0], result_of(value, value, c, d));
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(launches_share_a_parameter) { // shows graphs 20
  in_both_ways(share_a_parameter);
}

/* All launches have the value, or none: the last place cannot have it. */
static void refuse_a_parameter(struct world *w) {
  const void *native = syclze_get_native(w->all.context);
  const syclze_graph_argument no_node[] = {{0, 3}, {1, 3}, {3, 3}};
  const syclze_graph_argument no_argument[] = {{0, 3}, {1, 3}, {2, 4}};
  const uint32_t five = 5;
  const syclze_argument value = syclze_argument_value(&five, sizeof five);
  syclze_executable_graph executable = three(w);
  FAILED(syclze_executable_graph_update_parameter(executable, no_node, 3, &value),
      SYCLZE_RESULT_ERROR_INVALID, update_parameter, "no such node", native);
  FAILED(syclze_executable_graph_update_parameter(executable, no_argument, 3, &value),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, update_parameter, "of this index", native);
  FAILED(syclze_executable_graph_update_parameter(executable, NULL, 1, &value),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, update_parameter, "null", native);
  FAILED(syclze_executable_graph_update_parameter(executable, no_node, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, update_parameter, "null", native);
  CHECK_EQ(
      syclze_executable_graph_update_parameter(executable, NULL, 0, &value), ZE_RESULT_SUCCESS);
  run(w, executable);
  check_all(w->memory[0], result_of(10, 20, 30, 40));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}

TEST(a_parameter_is_updated_for_all_launches_or_none) { // shows graphs 20
  in_both_ways(refuse_a_parameter);
}

static void fail_a_parameter(struct world *w) {
  static const syclze_graph_argument places[] = {{0, 3}, {1, 2}, {2, 3}, {1, 3}, {0, 3}};
  const uint32_t five = 5;
  const syclze_argument value = syclze_argument_value(&five, sizeof five);
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    syclze_executable_graph executable = three(w);
    failing_at(n);
    const ze_result_t result =
        syclze_executable_graph_update_parameter(executable, places, 5, &value);
    failed = failing_end();
    CHECK_EQ(result, failed ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    run(w, executable);
    check_all(w->memory[0], failed ? result_of(10, 20, 30, 40) : result_of(5, 5, 5, 5));
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
    CHECK(failed || n > 5);
  }
}

TEST(every_allocation_of_a_parameter_may_fail) { // shows graphs 20
  in_both_ways(fail_a_parameter);
}

TEST_MAIN(launches_share_a_parameter, a_parameter_is_updated_for_all_launches_or_none,
    every_allocation_of_a_parameter_may_fail)
