/* Submissions to lists that are not in order, to synchronous ones and to command queues. */
#include "submissions_by_hand.h"

BENCH_ALL_ON(any, OUT_OF_ORDER)
BENCH_ALL_ON(regular, REGULAR)
BENCH_ALL_ON(synchronous, SYNCHRONOUS)

const struct bench_op bench_submit_other_ops[] = {
    BENCH_ROW("submit a kernel, out of order, no event", 250, 1, 0, any_launch, true),
    BENCH_ROW("submit a kernel, out of order, with an event", 340, 2, 0, any_event, true),
    BENCH_ROW("submit a kernel, out of order, two accessors", 1590, 13, 0, any_accessors, true),
    BENCH_ROW("submit a USM copy, out of order", 180, 1, 0, any_copy, false),
    BENCH_ROW("submit a USM copy and wait, out of order", 225, 1, 0, any_copy_and_wait, false),
    BENCH_ROW("submit a barrier, out of order", 612, 4, 0, any_barrier, false),
    BENCH_ROW("wait for a queue, out of order", 60, 0, 0, any_wait, false),
    BENCH_ROW("submit a kernel, command queue, no event", 750, 5, 0, regular_launch, true),
    BENCH_ROW("submit a kernel, command queue, with an event", 780, 5, 0, regular_event, true),
    BENCH_ROW(
        "submit a kernel, command queue, two accessors", 1640, 13, 0, regular_accessors, true),
    BENCH_ROW("submit a USM copy, command queue", 620, 3, 0, regular_copy, false),
    BENCH_ROW("submit a USM copy and wait, command queue", 805, 4, 0, regular_copy_and_wait, false),
    BENCH_ROW("submit a barrier, command queue", 690, 5, 0, regular_barrier, false),
    BENCH_ROW("wait for a queue, command queue", 60, 0, 0, regular_wait, false),
    BENCH_ROW("submit a kernel, synchronous, no event", 250, 1, 0, synchronous_launch, true),
    BENCH_ROW("submit a kernel, synchronous, with an event", 340, 2, 0, synchronous_event, true),
    BENCH_ROW(
        "submit a kernel, synchronous, two accessors", 1600, 13, 0, synchronous_accessors, true),
    BENCH_ROW("submit a USM copy, synchronous", 180, 1, 0, synchronous_copy, false),
    BENCH_ROW(
        "submit a USM copy and wait, synchronous", 220, 1, 0, synchronous_copy_and_wait, false),
    BENCH_ROW("submit a barrier, synchronous", 340, 1, 0, synchronous_barrier, false),
    BENCH_ROW("wait for a queue, synchronous", 60, 0, 0, synchronous_wait, false),
    {0},
};
