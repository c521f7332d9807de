/* Behaviour in which other implementations of the backend depart from the specification.
   tests/conformance/peers.txt lists them, shown by these cases and those of other programs. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

/* Readable memory that is no context, and a handle of another kind. */
TEST(a_garbage_context_handle_is_refused) { // shows peers 1
  static uint64_t garbage[64];
  struct given g = given();
  given_needs_zecl(g.driver);
  syclze_device device = made_device(&g);
  for (int i = 0; i < 64; i++)
    garbage[i] = 0x5a5a5a5a5a5a5a5au * (uint64_t)i;
  const void *const handles[] = {garbage, g.list, g.queue, g.pool};
  for (int i = 0; i < 4; i++) {
    syclze_context_input input = {.device_list = &device, .device_count = 1};
    memcpy(&input.native_handle, &handles[i], sizeof input.native_handle);
    syclze_context context;
    REFUSED(context, syclze_make_context(&input, &context), ZE_RESULT_ERROR_INVALID_ARGUMENT,
        "syclze_make_context", "zeContextGetStatus", handles[i]);
  }
  works_list(&g, g.list);
  given_end(&g);
}

/* A make creates nothing, queries only the list's properties and appends nothing. */
TEST(an_out_of_order_list_stays_out_of_order) { // shows peers 4
  struct given g = given();
  CHECK_EQ(spy_last_queue().flags, 0);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  unsigned alive = spy_alive_in_all();
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(spy_alive_in_all(), alive);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, 0);
  CHECK_EQ(syclze_queue_get_native(queue).list, g.list);
  works_list(&g, syclze_queue_get_native(queue).list);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* The variable applies to queues that syclze creates (4.2). */
TEST(a_made_queue_is_not_affected_by_the_environment) { // shows backend 25
  static const char *const variable = "SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS";
  static const char *const values[] = {NULL, "0", "1", "2"};
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < 4; i++) {
    given_environment(variable, values[i]);
    syclze_queue of_list =
        made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_KEEP);
    syclze_queue of_queue =
        made_queue(&g, context, syclze_native_queue_of(g.queue), SYCLZE_OWNERSHIP_KEEP);
    CHECK_EQ(syclze_queue_get_native(of_list).kind, SYCLZE_NATIVE_QUEUE_LIST);
    CHECK_EQ(syclze_queue_get_native(of_queue).kind, SYCLZE_NATIVE_QUEUE_QUEUE);
    CHECK_EQ(syclze_queue_release(of_list), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(of_queue), ZE_RESULT_SUCCESS);
  }
  given_environment(variable, NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* The list waits for an event that is signalled only after both releases have returned. */
TEST(releasing_a_kept_queue_does_not_wait) { // shows peers 11
  given_needs_execution();
  struct given g = given();
  ze_event_handle_t go = given_event(&g), done = given_event(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(zeCommandListAppendBarrier(g.list, done, 1, &go), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(done), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(go), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(done, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(go), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(done), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* No shadow copy: host writes are visible during and after the buffer's life, and the driver is
   called for the allocation's properties only. */
TEST(host_memory_is_used_in_place) { // shows backend 82 86, peers 6
  enum { SIZE = 4096 };
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  void *memory;
  CHECK_EQ(syclze_malloc_host(SIZE, context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0x5a, SIZE);
  unsigned alive = spy_alive_in_all(), calls = spy_calls();
  syclze_buffer_input input = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive_in_all(), alive);
  memset(memory, 0x3c, SIZE / 2);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK(spy_calls() - calls <= 2);
  for (int i = 0; i < SIZE; i++)
    CHECK_EQ(((unsigned char *)memory)[i], i < SIZE / 2 ? 0x3c : 0x5a);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* A transferred event is destroyed by its own last release, not with the context, so that its pool
   can be destroyed right after. */
TEST(an_event_is_destroyed_before_its_context) { // shows peers 12
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_event_handle_t native = given_event(&g);
  syclze_event event = made_event(context, native, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  spy_check_order(native, g.pool);
  given_end(&g);
}

/* syclze's own pools: each event is destroyed before its pool. */
TEST(events_are_destroyed_before_their_pools) { // shows peers 13
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  void *pool = spy_survivor(SPY_EVENT_POOL);
  ze_event_handle_t native = syclze_event_get_native(event);
  CHECK(pool != g.pool);
  CHECK_EQ(zeCommandListDestroy(g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_EVENT, native));
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  spy_check_order(native, pool);
  spy_check_order(pool, g.context);
  given_end(&g);
}

/* A kernel of a module with the same names is accepted, since Level Zero cannot tell the modules
   apart; a name that the module lacks is refused. */
TEST(a_kernel_name_the_module_lacks_is_refused) { // shows peers 9
  struct given g = given();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_module_handle_t other = given_module(&g, "tests/kernels/spec.spv");
  syclze_kernel_bundle bundle = made_kernel_bundle(context, other, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_input input = {.kernel_bundle = bundle, .native_handle = g.kernel};
  syclze_kernel kernel;
  REFUSED(kernel, syclze_make_kernel(&input, context, &kernel), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_kernel", "module", g.kernel);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(other), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(another_backend_gives_backend_mismatch) { // shows peers 10
  struct given g = given();
  const syclze_backend others[] = {SYCLZE_BACKEND_OPENCL, SYCLZE_BACKEND_EXT_ONEAPI_CUDA,
      SYCLZE_BACKEND_EXT_ONEAPI_HIP, SYCLZE_BACKEND_EXT_ONEAPI_NATIVE_CPU, (syclze_backend)77};
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
    syclze_backend_input input = {
        .backend = others[i], .kind = SYCLZE_OBJECT_PLATFORM, .platform = g.driver};
    syclze_object object;
    REFUSED(object, syclze_make_object(&input, made_no_context(), &object),
        SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "syclze_make_object", "Level Zero", NULL);
    CHECK_EQ(syclze_errc(SYCLZE_RESULT_ERROR_BACKEND_MISMATCH), SYCLZE_ERRC_BACKEND_MISMATCH);
  }
  given_end(&g);
}

TEST_MAIN(a_garbage_context_handle_is_refused, an_out_of_order_list_stays_out_of_order,
    a_made_queue_is_not_affected_by_the_environment, releasing_a_kept_queue_does_not_wait,
    host_memory_is_used_in_place, an_event_is_destroyed_before_its_context,
    events_are_destroyed_before_their_pools, a_kernel_name_the_module_lacks_is_refused,
    another_backend_gives_backend_mismatch)
