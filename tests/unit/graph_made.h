/* A context, two queues and a kernel of the fake, on a driver that has what graphs need. Included
   by one file of a program. */
#ifndef TESTS_UNIT_GRAPH_MADE_H
#define TESTS_UNIT_GRAPH_MADE_H

#include "support/forget.h"
#include "support/world.h"
#include "syclze/command/graph.h"
#include "tests/check.h"

#include "graph_driver.h"

static struct {
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  ze_kernel_handle_t native;
  ze_module_handle_t module;
  syclze_queue queue, unordered;
} made;

static const syclze_nd_range range = {.global = {8}, .local = {4}};
static const uint32_t one = 1, two = 2;

static void begin(bool updates, bool graphs) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  world_begin();
  driver.text[0] = 0;
  driver.updates = updates ? 15 : 0;
  driver.graphs = graphs;
  made.module = fake_module(world.native_context, "kernel");
  made.native = fake_kernel(made.module, "kernel");
  const syclze_kernel_bundle_input bundle = {
      .native_handle = made.module, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_kernel_bundle(&bundle, world.context, &made.bundle));
  const syclze_kernel_input kernel = {
      .kernel_bundle = made.bundle, .native_handle = made.native, .ownership = 0};
  CHECK_OK(syclze_make_kernel(&kernel, world.context, &made.kernel));
  CHECK_OK(syclze_queue_create(world.context, world.device, &in_order, &made.queue));
  CHECK_OK(syclze_queue_create(world.context, world.device, NULL, &made.unordered));
}

/* Forgets the records of memory objects that the process keeps. */
static void forget_aliases(void) {
  struct syclze__aliases *aliases = SYCLZE__STATE.aliases;
  for (uint32_t i = 0; aliases != NULL && i < SYCLZE__ALIAS_SHARDS; i++)
    free((void *)aliases->shards[i].buckets);
  free(aliases);
  SYCLZE__STATE.aliases = NULL;
}

static void end(void) {
  CHECK_OK(syclze_queue_wait(made.unordered));
  CHECK_OK(syclze_queue_wait(made.queue));
  CHECK_OK(syclze_queue_release(made.unordered));
  CHECK_OK(syclze_queue_release(made.queue));
  CHECK_OK(syclze_kernel_release(made.kernel));
  CHECK_OK(syclze_kernel_bundle_release(made.bundle));
  work_settle();
  forget_aliases();
  world_end();
}

#endif
