/* Sub-devices (4.3): enumerated, and members of a context that has their parent device. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_SUBDEVICES", "2");
}

/* `g` is of the root device. */
struct parts {
  struct given g;
  ze_device_handle_t handles[2];
};

static struct parts begin(void) {
  struct parts p = {.g = given()};
  uint32_t count = given_sub_devices(p.g.device, p.handles, 2);
  given_needs_two(p.g.driver, count);
  return p;
}

static syclze_device device_of(ze_device_handle_t handle) {
  syclze_device device;
  CHECK_EQ(syclze_make_device(handle, &device), ZE_RESULT_SUCCESS);
  return device;
}

/* Runs first, before any enumeration. */
TEST(a_sub_device_can_be_wrapped_before_any_enumeration) {
  struct parts p = begin();
  syclze_device part = device_of(p.handles[1]);
  CHECK_EQ(syclze_device_get_native(part), p.handles[1]);
  CHECK_EQ(syclze_device_get_native(syclze_device_get_parent(part)), p.g.device);
  CHECK_EQ(syclze_platform_get_native(syclze_device_get_platform(part)), p.g.driver);
  given_end(&p.g);
}

TEST(the_sub_device_list_matches_the_device) { // shows backend 31
  struct parts p = begin();
  syclze_device root = device_of(p.g.device), parts[4], roots[4];
  uint32_t count = 0, expected = given_sub_devices(p.g.device, NULL, 0);
  CHECK_EQ(syclze_device_get_sub_devices(root, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, expected);
  CHECK_EQ(syclze_device_get_sub_devices(root, &count, parts), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++) {
    CHECK_EQ(parts[i].rep, device_of(p.handles[i]).rep);
    CHECK_EQ(syclze_device_get_parent(parts[i]).rep, root.rep);
    uint32_t below = 7;
    CHECK_EQ(syclze_device_get_sub_devices(parts[i], &below, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(below, given_sub_devices(p.handles[i], NULL, 0));
  }
  CHECK(parts[0].rep != parts[1].rep);
  count = 4;
  CHECK_EQ(syclze_device_get(syclze_device_get_platform(root), &count, roots), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, given_devices(p.g.driver, NULL, 0));
  for (uint32_t i = 0; i < count; i++)
    CHECK(syclze_device_get_parent(roots[i]).rep == NULL);
  given_end(&p.g);
}

TEST(a_queue_may_be_on_a_sub_device_of_a_device_in_the_context) {
  struct parts p = begin();
  syclze_context context = made_context(&p.g, SYCLZE_OWNERSHIP_KEEP);
  struct given part = p.g;
  part.device = p.handles[1];
  syclze_queue_input input = {.native_handle = syclze_native_queue_of(given_list(&part)),
      .device = device_of(p.handles[1])};
  syclze_queue made, created;
  CHECK_EQ(syclze_make_queue(&input, context, &made), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, input.device, NULL, &created), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_get_device(made).rep, input.device.rep);
  CHECK_EQ(syclze_queue_get_device(created).rep, input.device.rep);
  works_list(&p.g, syclze_queue_get_native(made).list);
  works_list(&p.g, syclze_queue_get_native(created).list);
  CHECK_EQ(syclze_queue_release(made), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(created), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&p.g);
}

TEST(memory_may_be_on_a_sub_device_of_a_device_in_the_context) {
  struct parts p = begin();
  syclze_context context = made_context(&p.g, SYCLZE_OWNERSHIP_KEEP);
  void *memory;
  CHECK_EQ(syclze_malloc_device(64, device_of(p.handles[0]), context, &memory), ZE_RESULT_SUCCESS);
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ze_device_handle_t device = NULL;
  CHECK_EQ(zeMemGetAllocProperties(p.g.context, memory, &properties, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(device, p.handles[0]);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&p.g);
}

/* A context of one sub-device contains neither the parent device nor the sibling. */
TEST(a_context_of_a_sub_device_excludes_its_parent) { // shows backend 38
  struct parts p = begin();
  syclze_device part = device_of(p.handles[0]);
  syclze_device wrong[2] = {device_of(p.g.device), device_of(p.handles[1])};
  syclze_context_input context_input = {p.g.context, &part, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&context_input, &context), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_queue_input input = {
        .native_handle = syclze_native_queue_of(p.g.list), .device = wrong[i]};
    syclze_queue queue;
    void *memory;
    REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_queue", "in the context", p.g.list);
    REFUSED(memory, syclze_malloc_device(64, wrong[i], context, &memory),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_device", "in the context", NULL);
  }
  works_list(&p.g, p.g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&p.g);
}

TEST(a_context_may_mix_devices_and_sub_devices) {
  struct parts p = begin();
  syclze_device devices[2] = {device_of(p.g.device), device_of(p.handles[0])};
  syclze_context context;
  CHECK_EQ(syclze_context_create(devices, 2, &context), ZE_RESULT_SUCCESS);
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(context, devices[1], NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_CONTEXT), 2);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_CONTEXT), 1);
  given_end(&p.g);
}

TEST_MAIN(a_sub_device_can_be_wrapped_before_any_enumeration,
    the_sub_device_list_matches_the_device,
    a_queue_may_be_on_a_sub_device_of_a_device_in_the_context,
    memory_may_be_on_a_sub_device_of_a_device_in_the_context,
    a_context_of_a_sub_device_excludes_its_parent, a_context_may_mix_devices_and_sub_devices)
