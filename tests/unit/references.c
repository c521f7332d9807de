/* syclze_retain and syclze_release of the kinds that are not in syclze.h. */
#include "syclze/syclze.h"

#include "syclze/command/external_semaphore.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/async_memory.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/offload/program.h"

#include "support/memory.h"
#include "support/zoo.h"
#include "tests/check.h"

TEST(a_graph_is_retained_and_released_by_the_generic_names) { // shows promises 8
  world_begin();
  syclze_graph graph;
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_retain(graph));
  CHECK_OK(syclze_release(graph));
  CHECK_OK(syclze_release(graph));
  /* A released object can be read where there are pools. */
  if (SYCLZE_HAS_POOLS) CHECK_EQ(syclze_release(graph), SYCLZE_RESULT_ERROR_INVALID);
  world_end();
}

TEST(exported_memory_is_retained_and_released_by_the_generic_names) { // shows promises 8
  enum { SIZE = 4096 };
  world_begin();
  void *memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, SIZE);
  syclze_ipc_memory exported;
  CHECK_OK(syclze_ipc_memory_export(memory, 0, world.context, &exported));
  CHECK_OK(syclze_retain(exported));
  CHECK_OK(syclze_release(exported));
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 0);
  CHECK_OK(syclze_release(exported));
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 1);
  fake_destroy(memory);
  world_end();
}

TEST(null_of_every_kind_has_no_effect) { // shows promises 8
  const syclze_graph graph = {NULL};
  const syclze_executable_graph executable = {NULL};
  const syclze_ipc_memory memory = {NULL};
  const syclze_ipc_event_pool pool = {NULL};
  const syclze_growable_memory growable = {NULL};
  const syclze_memory_pool pieces = {NULL};
  const syclze_external_semaphore semaphore = {NULL};
  const syclze_program program = {NULL};
  const syclze_host_accessor accessor = {NULL};
  CHECK_OK(syclze_retain(graph));
  CHECK_OK(syclze_release(graph));
  CHECK_OK(syclze_retain(executable));
  CHECK_OK(syclze_release(executable));
  CHECK_OK(syclze_retain(memory));
  CHECK_OK(syclze_release(memory));
  CHECK_OK(syclze_retain(pool));
  CHECK_OK(syclze_release(pool));
  CHECK_OK(syclze_retain(growable));
  CHECK_OK(syclze_release(growable));
  CHECK_OK(syclze_retain(pieces));
  CHECK_OK(syclze_release(pieces));
  CHECK_OK(syclze_retain(semaphore));
  CHECK_OK(syclze_release(semaphore));
  CHECK_OK(syclze_retain(program));
  CHECK_OK(syclze_release(program));
  CHECK_OK(syclze_release(accessor));
}

TEST(several_objects_are_released_in_their_order_and_after_an_error) { // shows promises 6
  for (int failing = 0; failing < 2; failing++) {
    zoo_begin();
    const syclze_event_input event_input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
    const syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_TRANSFER};
    const syclze_sampler none = {NULL};
    syclze_event event;
    syclze_kernel_bundle bundle;
    syclze_kernel kernel;
    syclze_graph graph;
    CHECK_OK(syclze_make_native(&event_input, world.context, &event));
    CHECK_OK(syclze_make_native(&bundle_input, world.context, &bundle));
    const syclze_kernel_input kernel_input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_native(&kernel_input, world.context, &kernel));
    CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
    if (failing) fake_fail(FAKE_zeEventDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_EQ(syclze_release(graph, event, none, kernel, bundle),
        failing ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
    if (!failing) CHECK_EQ(fake_destroyed_as(zoo.event), 1);
    CHECK(fake_is_alive(zoo.event) == failing);
    CHECK(!fake_is_alive(zoo.kernel));
    CHECK(!fake_is_alive(zoo.module));
    zoo_end(); /* which finds what was not released */
  }
}

TEST(sixteen_objects_are_released_by_one_call) { // shows promises 6
  world_begin();
  syclze_event e;
  CHECK_OK(syclze_event_create(world.context, 0, &e));
  for (int i = 0; i < 15; i++)
    CHECK_OK(syclze_retain(e));
  CHECK_OK(syclze_release(e, e, e, e, e, e, e, e, e, e, e, e, e, e, e, e));
  world_end();
}

TEST_MAIN(a_graph_is_retained_and_released_by_the_generic_names,
    exported_memory_is_retained_and_released_by_the_generic_names, null_of_every_kind_has_no_effect,
    several_objects_are_released_in_their_order_and_after_an_error,
    sixteen_objects_are_released_by_one_call)
