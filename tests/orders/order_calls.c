/* Counts of the driver's calls for commands, waits and queries, besides their order; and errors
   that a group reports before any call. The device holds everything until a case lets it go, and
   then runs the command that was appended last among those that may run. */
#undef SYCLZE_DECLARATIONS
#include "support/scene.h"

#include "syclze/command/detail/order/access.h"

#include <sched.h>

static struct scene_base scene;
static syclze_kernel kernel;

static const syclze_event no_event = {NULL};
static const syclze_nd_range one = {.global = {1}, .local = {1}};

static void begin(void) {
  kernel = scene_begin_held(&scene);
}

static void end(void) {
  scene_end_with(&scene, kernel);
}

/* A buffer of bytes of up to three dimensions, each of which holds its index. */
static syclze_buffer bytes_buffer(
    uint32_t dimensions, size_t x, size_t y, size_t z, syclze_event available) {
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(x * y * z, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  for (size_t i = 0; i < x * y * z; i++)
    ((unsigned char *)memory)[i] = (unsigned char)i;
  syclze_buffer_input input = {
      .native_handle = memory, .element_size = 1, .dimensions = dimensions, .range = {x, y, z}};
  syclze_buffer buffer;
  CHECK_EQ(available.rep != NULL
               ? syclze_make_buffer_after(&input, scene.context, available, &buffer)
               : syclze_make_buffer(&input, scene.context, &buffer),
      ZE_RESULT_SUCCESS);
  return buffer;
}

/* A launch that accesses a range of a buffer of one dimension; all of it for no count. */
static void launch(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, size_t first, size_t count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor accessor = count == 0
                                 ? syclze_require(&group, buffer, mode)
                                 : syclze_group_require_range(&group, buffer, mode, first, count);
  CHECK_EQ(syclze_launch(&group, kernel, &one, event, syclze_arg(node), syclze_arg(accessor)), 0);
}

TEST(memory_that_an_event_made_available_is_asked_for_once) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_event available;
  CHECK_EQ(syclze_event_create(scene.context, 0, &available), ZE_RESULT_SUCCESS);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, available);
  struct node *first = node_after(NULL), *second = node_after(first), *third = node_after(second);
  launch(queue, first, buffer, SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  CHECK_EQ(strict_step(10), 0);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(available)), ZE_RESULT_SUCCESS);
  launch(queue, second, buffer, SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  CHECK_EQ(strict_step(10), 2);
  CHECK_EQ(syclze_release(available), ZE_RESULT_SUCCESS);
  const unsigned asked = strict_calls_of("zeEventQueryStatus"), calls = strict_calls();
  launch(queue, third, buffer, SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  CHECK_EQ(strict_calls_of("zeEventQueryStatus"), asked);
  CHECK(strict_calls() > calls);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(first);
  node_end(second);
  node_end(third);
  end();
}

/* The event of the whole access stands for it, not what the same queue does to another part. */
TEST(another_part_waits_for_what_overlaps_only) {
  begin();
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event);
  struct node *whole = node_after(NULL), *part = node_after(whole), *other = node_after(whole);
  syclze_event event;
  launch(a, whole, buffer, SYCLZE_ACCESS_WRITE, 0, 0, &event);
  launch(a, part, buffer, SYCLZE_ACCESS_WRITE, 0, 8, NULL);
  launch(b, other, buffer, SYCLZE_ACCESS_WRITE, 32, 8, NULL);
  CHECK_EQ(strict_step(1), 1);
  CHECK(node_has_run(whole));
  CHECK_EQ(strict_step(1), 1);
  CHECK(node_has_run(other) && !node_has_run(part));
  scene_end_queue(a);
  scene_end_queue(b);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(whole);
  node_end(part);
  node_end(other);
  end();
}

/* Each queue that is waited for appends one barrier for all that wait. */
TEST(one_barrier_stands_for_accesses_without_events) {
  begin();
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_queue others[3];
  syclze_buffer buffers[3];
  struct node *last = NULL, *nodes[3], *readers[3];
  for (int i = 0; i < 3; i++) {
    others[i] = scene_queue(&scene, 0);
    buffers[i] = bytes_buffer(1, 64, 1, 1, no_event);
    last = nodes[i] = node_after(last);
    launch(a, nodes[i], buffers[i], SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  }
  const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
  for (int i = 0; i < 3; i++) {
    readers[i] = node_after(nodes[i]);
    launch(others[i], readers[i], buffers[i], SYCLZE_ACCESS_READ, 0, 0, NULL);
  }
  CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers + 1);
  for (int i = 0; i < 3; i++) {
    scene_end_queue(others[i]);
    CHECK_EQ(syclze_release(buffers[i]), ZE_RESULT_SUCCESS);
    node_end(readers[i]);
  }
  scene_end_queue(a);
  for (int i = 0; i < 3; i++)
    node_end(nodes[i]);
  end();
}

/* A command with an event covers all before it: nothing is appended for those that wait. */
TEST(an_event_stands_for_the_commands_before_it) {
  begin();
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event),
                other = bytes_buffer(1, 8, 1, 1, no_event);
  syclze_event event;
  struct node *first = node_after(NULL), *second = node_after(first), *reader = node_after(first);
  launch(a, first, buffer, SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  launch(a, second, other, SYCLZE_ACCESS_WRITE, 0, 0, &event);
  const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
  launch(b, reader, buffer, SYCLZE_ACCESS_READ, 0, 0, NULL);
  CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
  scene_end_queue(b);
  scene_end_queue(a);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  node_end(first);
  node_end(second);
  node_end(reader);
  end();
}

static unsigned copies(void) {
  return strict_calls_of("zeCommandListAppendMemoryCopy");
}

static unsigned regions(void) {
  return strict_calls_of("zeCommandListAppendMemoryCopyRegion");
}

static syclze_accessor box(syclze_group *group, syclze_buffer buffer, syclze_access_mode mode,
    size_t x, size_t y, size_t z, size_t nx, size_t ny, size_t nz) {
  const size_t offset[3] = {x, y, z}, count[3] = {nx, ny, nz};
  return syclze_group_require_range_nd(group, buffer, mode, offset, count);
}

static const unsigned char *bytes_of(syclze_buffer buffer) {
  return buffer.rep->memory.native;
}

/* Without gaps parts of any shape are one copy of their bytes; with gaps their rows are copied. */
TEST(parts_without_gaps_are_copied_at_once) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer cube = bytes_buffer(3, 2, 3, 4, no_event),
                row = bytes_buffer(1, 64, 1, 1, no_event);
  const unsigned char *to = bytes_of(row);
  unsigned plain = copies(), by_rows = regions();
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = box(&group, cube, SYCLZE_ACCESS_READ, 1, 0, 0, 1, 2, 4);
  syclze_accessor into = syclze_group_require_range(&group, row, SYCLZE_ACCESS_WRITE, 32, 8);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(into), syclze_mem_arg(from), NULL), 0);
  CHECK_EQ(copies(), ++plain);
  /* One byte. */
  group = syclze_group_begin(queue);
  from = box(&group, cube, SYCLZE_ACCESS_READ, 1, 2, 3, 1, 1, 1);
  into = syclze_group_require_range(&group, row, SYCLZE_ACCESS_WRITE, 50, 1);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(into), syclze_mem_arg(from), NULL), 0);
  CHECK_EQ(copies(), ++plain);
  CHECK_EQ(regions(), by_rows);
  strict_step(10);
  for (unsigned i = 0; i < 8; i++)
    CHECK_EQ(to[32 + i], 12 + i);
  CHECK_EQ(to[50], 23);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(cube), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(row), ZE_RESULT_SUCCESS);
  end();
}

TEST(parts_with_gaps_are_copied_by_rows) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer cube = bytes_buffer(3, 2, 3, 4, no_event),
                whole = bytes_buffer(3, 2, 2, 2, no_event);
  unsigned char host[8] = {0};
  const unsigned plain = copies();
  unsigned by_rows = regions();
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = box(&group, cube, SYCLZE_ACCESS_READ, 0, 1, 2, 2, 2, 2);
  syclze_accessor into = syclze_require(&group, whole, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(into), syclze_mem_arg(from), NULL), 0);
  CHECK_EQ(regions(), ++by_rows);
  group = syclze_group_begin(queue);
  from = box(&group, cube, SYCLZE_ACCESS_READ, 0, 1, 2, 2, 2, 2);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(host), syclze_mem_arg(from), NULL), 0);
  CHECK_EQ(regions(), ++by_rows);
  CHECK_EQ(copies(), plain);
  strict_step(10);
  for (unsigned i = 0; i < 8; i++) {
    const unsigned expected = (i / 4) * 12 + (1 + i / 2 % 2) * 4 + 2 + i % 2;
    CHECK_EQ(bytes_of(whole)[i], expected);
    CHECK_EQ(host[i], expected);
  }
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(cube), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(whole), ZE_RESULT_SUCCESS);
  end();
}

/* Accessors are values: one of another group counts where the group has an equal one, wherever it
   stood there, and only there. */
TEST(an_accessor_of_another_group_needs_an_equal_one) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer first = bytes_buffer(1, 64, 1, 1, no_event),
                second = bytes_buffer(1, 64, 1, 1, no_event);
  unsigned char host[64] = {0};
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, first, SYCLZE_ACCESS_READ);
  const syclze_accessor other = syclze_require(&group, second, SYCLZE_ACCESS_READ);
  syclze_group_end(&group);
  /* The group's own place, which held it a moment ago. */
  group = syclze_group_begin(queue);
  syclze_require(&group, first, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(host), syclze_mem_arg(other), 64, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR);
  group = syclze_group_begin(queue);
  syclze_require(&group, second, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(host), syclze_mem_arg(other), 64, NULL),
      ZE_RESULT_SUCCESS);
  strict_step(10);
  CHECK_EQ(host[63], 63);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
  end();
}

/* A kernel that the application keeps is the application's to destroy, launched or not. */
TEST(a_kept_kernel_is_not_destroyed_after_its_launches) {
  begin();
  for (int in_order = 0; in_order < 2; in_order++) {
    const uint32_t flags = in_order ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0;
    syclze_queue queue = scene_queue(&scene, flags), other = scene_queue(&scene, flags);
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "iota"};
    syclze_kernel_input input = {.kernel_bundle = scene.bundle, .ownership = SYCLZE_OWNERSHIP_KEEP};
    CHECK_EQ(
        zeKernelCreate(syclze_get_native(scene.bundle).modules[0], &desc, &input.native_handle),
        ZE_RESULT_SUCCESS);
    syclze_kernel kept;
    CHECK_EQ(syclze_make_kernel(&input, scene.context, &kept), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++) {
      syclze_group group = syclze_group_begin(i == 0 ? queue : other);
      CHECK_EQ(syclze_launch(&group, kept, &one, NULL), ZE_RESULT_SUCCESS);
    }
    const unsigned destroys = strict_destroys(STRICT_KERNEL);
    const unsigned barriers = strict_calls_of("zeCommandListAppendBarrier");
    CHECK_EQ(syclze_release(kept), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), barriers);
    scene_end_queue(queue);
    scene_end_queue(other);
    CHECK_EQ(strict_destroys(STRICT_KERNEL), destroys);
    CHECK(strict_is_alive(input.native_handle));
    CHECK_EQ(zeKernelDestroy(input.native_handle), ZE_RESULT_SUCCESS);
    strict_hold(true);
  }
  strict_hold(false);
  end();
}

static ze_result_t count_waits(syclze_interop_handle handle, void *argument) {
  const ze_event_handle_t *events;
  return syclze_interop_handle_get_wait_list(handle, argument, &events);
}

/* A native command appends what waits; for a host task all has been waited for. */
TEST(only_native_commands_have_a_wait_list) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_event before;
  CHECK_EQ(syclze_event_create(scene.context, 0, &before), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(before)), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 4; i++) {
    uint32_t count = 7;
    syclze_group group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, before);
    CHECK_EQ(syclze_group_native_command(&group, count_waits, &count, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 1);
    syclze_event event;
    group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, before);
    CHECK_EQ(syclze_group_host_task(&group, count_waits, &count, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 0);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
  end();
}

/* Neither arguments nor an event, and a range that the compiler does not know. */
__attribute__((noinline)) static ze_result_t launch_plain(
    syclze_queue queue, syclze_kernel plain, const syclze_nd_range *range) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_launch(&group, plain, range, NULL);
}

static unsigned launches(void) {
  return strict_calls_of("zeCommandListAppendLaunchKernel");
}

TEST(plain_launches_check_their_range) {
  static const syclze_nd_range right[] = {{.global = {8}, .local = {4}},
      {.global = {8}, .local = {0}}, {.global = {8}, .local = {8}},
      {.dimensions = 1, .global = {8}, .local = {1}},
      {.dimensions = 2, .global = {8, 6}, .local = {4, 3}}, {.global = {8, 6}, .local = {4, 3}},
      {.global = {UINT32_MAX}, .local = {5}}};
  static const syclze_nd_range wrong[] = {{.global = {8}, .local = {16}},
      {.global = {8}, .local = {3}}, {.global = {0}, .local = {1}},
      {.global = {(size_t)UINT32_MAX + 1}, .local = {1}},
      {.dimensions = 2, .global = {8, 0}, .local = {1, 1}},
      {.dimensions = 2, .global = {8, 8}, .local = {4, 3}},
      {.dimensions = 4, .global = {8}, .local = {1}},
      {.dimensions = 4, .global = {8}, .local = {0}}};
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_kernel plain = scene_kernel(&scene, "iota");
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
      const unsigned before = launches();
      CHECK_EQ(launch_plain(queue, plain, &right[i]), ZE_RESULT_SUCCESS);
      CHECK_EQ(launches(), before + 1);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      const unsigned before = launches();
      const unsigned suggestions = strict_calls_of("zeKernelSuggestGroupSize");
      CHECK(launch_plain(queue, plain, &wrong[i]) != ZE_RESULT_SUCCESS);
      CHECK_EQ(launches(), before);
      CHECK_EQ(strict_calls_of("zeKernelSuggestGroupSize"), suggestions);
    }
  }
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  end();
}

static ze_result_t wait_for_word(syclze_interop_handle handle, void *argument) {
  (void)handle;
  while (__atomic_load_n((uint32_t *)argument, __ATOMIC_ACQUIRE) == 0)
    sched_yield();
  return ZE_RESULT_SUCCESS;
}

TEST(a_plain_launch_does_not_overtake_a_host_task) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_kernel plain = scene_kernel(&scene, "iota");
  uint32_t goes = 0;
  CHECK_EQ(launch_plain(queue, plain, &one), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_step(10), 1);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, wait_for_word, &goes, NULL), ZE_RESULT_SUCCESS);
  strict_step(10);
  const unsigned before = launches();
  CHECK_EQ(launch_plain(queue, plain, &one), ZE_RESULT_SUCCESS);
  CHECK_EQ(launches(), before);
  __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
  scene_end_queue(queue);
  CHECK_EQ(launches(), before + 1);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_kernel_outlives_its_plain_launches_to_every_queue) {
  begin();
  syclze_queue queues[3];
  syclze_kernel plain = scene_kernel(&scene, "iota");
  const void *native = syclze_get_native(plain);
  for (int i = 0; i < 3; i++)
    queues[i] = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 3; i++)
      CHECK_EQ(launch_plain(queues[i], plain, &one), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  for (int left = 9; left > 0; left--) {
    CHECK(strict_is_alive(native));
    CHECK_EQ(strict_step(1), 1);
  }
  for (int i = 0; i < 3; i++)
    scene_end_queue(queues[i]);
  end();
}

TEST(a_kernel_outlives_a_launch_that_left_no_event_behind_one_that_did) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event);
  syclze_kernel used = scene_kernel(&scene, "iota");
  const void *native = syclze_get_native(used);
  syclze_event event;
  bool empty;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, used, &one, &event), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_launch(&group, used, &one, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(used), ZE_RESULT_SUCCESS);
  while (strict_pending() > 0) {
    CHECK(strict_is_alive(native));
    CHECK_EQ(strict_step(1), 1);
    CHECK_EQ(syclze_queue_is_empty(queue, &empty), ZE_RESULT_SUCCESS);
  }
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

/* An access of a part covers those that the same queue made of it before: one record stays. */
TEST(accesses_of_one_queue_leave_one_record) {
  begin();
  for (int writes = 0; writes < 2; writes++) {
    syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
    syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event);
    struct node *nodes[6];
    for (int i = 0; i < 6; i++) {
      nodes[i] = node_after(NULL);
      launch(queue, nodes[i], buffer, writes ? SYCLZE_ACCESS_WRITE : SYCLZE_ACCESS_READ, 8,
          i < 5 ? 8 : 16, NULL);
      const struct syclze__accesses *all = syclze__accesses_of(&buffer.rep->memory);
      CHECK((writes ? all->writers : all->readers)->next == NULL);
    }
    scene_end_queue(queue);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 6; i++)
      node_end(nodes[i]);
  }
  end();
}

TEST(a_plain_copy_that_fails_returns_its_error) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  uint64_t from = 7, to = 0;
  for (int i = 0; i < 6; i++) {
    const bool fails = i % 3 == 1;
    if (fails)
      strict_fail_named("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    syclze_group group = syclze_group_begin(queue);
    const ze_result_t result =
        i < 3 ? syclze_group_copy(
                    &group, syclze_mem_arg(&to), syclze_mem_arg(&from), sizeof from, NULL)
              : syclze_queue_copy(queue, &to, &from, sizeof from, NULL, 0, NULL);
    CHECK_EQ(result, fails ? ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET : ZE_RESULT_SUCCESS);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(strict_pending(), 4);
  scene_end_queue(queue);
  CHECK_EQ(to, 7);
  end();
}

TEST(every_access_mode_is_taken_and_no_other) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event);
  for (int mode = SYCLZE_ACCESS_READ; mode <= SYCLZE_ACCESS_DISCARD_READ_WRITE + 1; mode++)
    for (int is_part = 0; is_part < 2; is_part++) {
      syclze_group group = syclze_group_begin(queue);
      if (is_part)
        syclze_group_require_range(&group, buffer, (syclze_access_mode)mode, 0, 8);
      else
        syclze_require(&group, buffer, (syclze_access_mode)mode);
      CHECK_EQ(syclze_group_barrier(&group, NULL), mode <= SYCLZE_ACCESS_DISCARD_READ_WRITE
                                                       ? ZE_RESULT_SUCCESS
                                                       : ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

/* A barrier that waits for events covers nothing else of its queue. */
TEST(a_barrier_for_events_does_not_end_a_launch) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_kernel plain = scene_kernel(&scene, "iota");
  const void *native = syclze_get_native(plain);
  syclze_event before;
  CHECK_EQ(syclze_event_create(scene.context, 0, &before), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(before)), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch_plain(queue, plain, &one), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_step(1), 1); /* the barrier, which was appended last */
  CHECK_EQ(strict_pending(), 1);
  CHECK_EQ(syclze_release(plain), ZE_RESULT_SUCCESS);
  CHECK(strict_is_alive(native));
  CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
  scene_end_queue(queue);
  end();
}

/* More dependencies than a group holds in itself, before and behind a failure. */
TEST(a_group_may_be_ended_again) {
  enum { MANY = 40 };
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_buffer buffer = bytes_buffer(1, MANY, 1, 1, no_event);
  syclze_event events[MANY];
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(syclze_event_create(scene.context, 0, &events[i]), ZE_RESULT_SUCCESS);
  for (int fails = 0; fails < 2; fails++) {
    syclze_group group = syclze_group_begin(queue);
    for (int i = 0; i < MANY; i++) {
      syclze_group_depends_on(&group, events[i]);
      syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, (size_t)i, 1);
    }
    if (fails != 0) syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, MANY, 1);
    CHECK_EQ(syclze_group_barrier(&group, NULL), fails != 0 ? SYCLZE_RESULT_ERROR_INVALID : 0);
    syclze_group_end(&group);
    syclze_group_end(&group);
  }
  CHECK_EQ(strict_step(10), 0);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(zeEventHostSignal(syclze_get_native(events[i])), ZE_RESULT_SUCCESS);
    if (i < MANY - 1) CHECK_EQ(strict_step(10), 0);
    CHECK_EQ(syclze_release(events[i]), ZE_RESULT_SUCCESS);
  }
  CHECK(strict_step(10) > 0);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_group_of_a_null_queue_is_refused) {
  const syclze_queue none = {NULL};
  begin();
  syclze_buffer buffer = bytes_buffer(1, 8, 1, 1, no_event);
  const unsigned calls = strict_calls();
  syclze_group group = syclze_group_begin(none);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, 0, 1);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(strict_calls(), calls);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

/* Launches with an event that the caller drops, of the nodes `from` to `to`. */
static void launch_nodes(syclze_queue queue, struct node **nodes, int from, int to) {
  void *none = NULL;
  for (int i = from; i < to; i++) {
    syclze_event event;
    nodes[i] = node_after(i == 0 ? NULL : nodes[i - 1]);
    CHECK_EQ(zeKernelSetArgumentValue(syclze_get_native(kernel), 0, sizeof nodes[i], &nodes[i]), 0);
    CHECK_EQ(zeKernelSetArgumentValue(syclze_get_native(kernel), 1, sizeof none, &none), 0);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_launch(&group, kernel, &one, NULL, 0, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
}

/* Whose word the device may just have written; those that are done are retired all the same. */
TEST(a_launch_queries_the_oldest_event_once) {
  enum { HELD = 32, ALL = 2 * HELD + 16, EVERY = 8 };
  struct node *nodes[ALL];
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_queue other = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  const unsigned queries = strict_calls_of("zeEventQueryStatus");
  launch_nodes(queue, nodes, 0, HELD);
  CHECK(strict_calls_of("zeEventQueryStatus") - queries <= HELD + HELD / EVERY);
  CHECK_EQ(strict_step(HELD), HELD);
  const unsigned events = strict_calls_of("zeEventCreate");
  for (int i = HELD; i < 2 * HELD; i++) {
    launch_nodes(queue, nodes, i, i + 1);
    CHECK_EQ(strict_step(1), 1);
  }
  launch_nodes(other, nodes, 2 * HELD, ALL); /* with the events that the first queue had */
  if (SYCLZE__HAS_IDLE_OBJECTS) CHECK_EQ(strict_calls_of("zeEventCreate"), events);
  scene_end_queue(queue);
  scene_end_queue(other);
  for (int i = 0; i < ALL; i++)
    node_end(nodes[i]);
  end();
}

/* Every loader has both: the first is the strict device's, the second the loader's alone. */
/* A launch of the node, behind an event that may be null; returns how many calls it made. */
static unsigned launch_behind(
    syclze_queue queue, struct node *node, syclze_event before, syclze_event *event) {
  const void *none = NULL;
  const unsigned calls = strict_calls();
  CHECK_EQ(syclze_queue_launch(
               queue, kernel, &one, &before, 1, event, syclze_arg(node), syclze_arg(none)),
      ZE_RESULT_SUCCESS);
  return strict_calls() - calls;
}

/* The native list has both commands in order. */
TEST(an_event_of_the_same_in_order_queue_is_not_waited_for) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_queue other = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *nodes[5] = {node_after(NULL)};
  syclze_event event, second;
  for (int i = 1; i < 5; i++)
    nodes[i] = node_after(nodes[i == 4 ? 3 : i - 1]);
  launch_behind(queue, nodes[0], no_event, &event);
  const unsigned calls = launch_behind(queue, nodes[1], no_event, NULL);
  CHECK_EQ(launch_behind(queue, nodes[2], event, NULL), calls);
  syclze_group group = syclze_group_begin(queue);
  const void *none = NULL;
  const unsigned before = strict_calls();
  syclze_group_depends_on(&group, event);
  CHECK_EQ(syclze_launch(&group, kernel, &one, &second, syclze_arg(nodes[3]), syclze_arg(none)), 0);
  CHECK(strict_calls() - before <= calls + 2); /* an event is found done or created, or reset */
  /* Another queue waits. */
  launch_behind(other, nodes[4], second, NULL);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event, second, other), ZE_RESULT_SUCCESS);
  scene_end_queue(queue);
  for (int i = 0; i < 5; i++)
    node_end(nodes[i]);
  end();
}

/* Each event is looked at, by a launch of the queue and by one of a group, without and with memory.
   The device runs the last command first that may run. The kernel stays the queue's: the other
   queue launches one of its own. */
TEST(an_event_of_another_queue_is_waited_for_behind_own_ones) {
  enum { LAUNCHES = 3 };
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_queue other = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer buffer = bytes_buffer(1, 64, 1, 1, no_event);
  struct node *own = node_after(NULL), *used = node_after(NULL), *foreign[LAUNCHES],
              *last[LAUNCHES];
  const void *none = NULL;
  syclze_kernel its_kernel = scene_kernel(&scene, "node");
  syclze_event waits[2];
  for (int i = 0; i < LAUNCHES; i++) {
    foreign[i] = node_after(NULL);
    last[i] = node_after(foreign[i]);
  }
  launch_behind(queue, own, no_event, &waits[0]);
  launch(queue, used, buffer, SYCLZE_ACCESS_WRITE, 0, 0, NULL);
  for (int i = 0; i < LAUNCHES; i++) {
    CHECK_EQ(syclze_queue_launch(other, its_kernel, &one, NULL, 0, &waits[1],
                 syclze_arg(foreign[i]), syclze_arg(none)),
        ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, waits[0]);
    syclze_group_depends_on(&group, waits[1]);
    if (i == 0)
      CHECK_EQ(syclze_queue_launch(
                   queue, kernel, &one, waits, 2, NULL, syclze_arg(last[i]), syclze_arg(none)),
          ZE_RESULT_SUCCESS);
    else if (i == 1)
      CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(last[i]), syclze_arg(none)), 0);
    else {
      syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
      CHECK_EQ(
          syclze_launch(&group, kernel, &one, NULL, syclze_arg(last[i]), syclze_arg(accessor)), 0);
    }
    syclze_group_end(&group);
    CHECK(strict_step(10) > 0);
    CHECK_EQ(syclze_release(waits[1]), ZE_RESULT_SUCCESS);
  }
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  scene_end_queue(queue);
  CHECK_EQ(syclze_release(waits[0], other, buffer, its_kernel), ZE_RESULT_SUCCESS);
  node_end(own);
  node_end(used);
  for (int i = 0; i < LAUNCHES; i++) {
    node_end(foreign[i]);
    node_end(last[i]);
  }
  end();
}

/* Nor is one that the host has waited for; but the object of an event is used again, by a queue
   whose commands may run in any order, and by the application. */
TEST(an_event_that_is_known_to_be_done_is_not_waited_for) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_queue any = scene_queue(&scene, 0);
  enum { OTHERS = 6, OWN = 4 };
  struct node *nodes[OTHERS + OWN];
  syclze_event event, again, own[OWN];
  for (int i = 0; i < OTHERS + OWN; i++)
    nodes[i] = node_after(i == 4 ? nodes[3] : NULL);
  launch_behind(any, nodes[0], no_event, &event);
  strict_hold(false);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  strict_hold(true);
  launch_behind(queue, nodes[5], no_event, NULL); /* the kernel is this queue's from here on */
  const unsigned calls = launch_behind(queue, nodes[1], no_event, NULL);
  CHECK_EQ(launch_behind(queue, nodes[2], event, NULL), calls);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  launch_behind(any, nodes[3], no_event, &again);
  launch_behind(any, nodes[4], again, NULL);
  strict_hold(false);
  CHECK_EQ(syclze_event_wait(again), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(any), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(again, any), ZE_RESULT_SUCCESS);
  strict_hold(true);
  for (int i = 0; i < OWN; i++)
    CHECK_EQ(syclze_event_create(scene.context, 0, &own[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < OWN; i++)
    launch_behind(queue, nodes[OTHERS + i], own[i], NULL);
  CHECK_EQ(strict_step(OWN), 0);
  for (int i = 0; i < OWN; i++) {
    CHECK_EQ(zeEventHostSignal(syclze_get_native(own[i])), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(own[i]), ZE_RESULT_SUCCESS);
  }
  scene_end_queue(queue);
  for (int i = 0; i < OTHERS + OWN; i++)
    node_end(nodes[i]);
  end();
}

TEST(functions_found_by_name_are_the_devices) {
  CHECK(syclze__loader_symbol("zeCommandListClose") != NULL);
  CHECK(syclze__loader_symbol("zeDeviceGetP2PProperties") == NULL);
}

TEST_MAIN(functions_found_by_name_are_the_devices,
    an_event_of_the_same_in_order_queue_is_not_waited_for,
    an_event_of_another_queue_is_waited_for_behind_own_ones,
    an_event_that_is_known_to_be_done_is_not_waited_for,
    memory_that_an_event_made_available_is_asked_for_once, a_launch_queries_the_oldest_event_once,
    another_part_waits_for_what_overlaps_only, one_barrier_stands_for_accesses_without_events,
    an_event_stands_for_the_commands_before_it, parts_without_gaps_are_copied_at_once,
    parts_with_gaps_are_copied_by_rows, an_accessor_of_another_group_needs_an_equal_one,
    a_kept_kernel_is_not_destroyed_after_its_launches, only_native_commands_have_a_wait_list,
    plain_launches_check_their_range, a_plain_launch_does_not_overtake_a_host_task,
    a_kernel_outlives_its_plain_launches_to_every_queue,
    a_kernel_outlives_a_launch_that_left_no_event_behind_one_that_did,
    accesses_of_one_queue_leave_one_record, a_plain_copy_that_fails_returns_its_error,
    every_access_mode_is_taken_and_no_other, a_barrier_for_events_does_not_end_a_launch,
    a_group_may_be_ended_again, a_group_of_a_null_queue_is_refused)
