/* External memory and semaphores (syclze/external_memory.h, command/external_semaphore.h) as the
 * driver has them: what works, also between two processes, or is refused by name. The PARTNER is
 * the second process of the case before it. */
#define _GNU_SOURCE
#include "support/made.h"
#include "support/partner.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/command/external_semaphore.h"
#include "syclze/command/graph.h"
#include "syclze/external_memory.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define OPAQUE ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD

/* LARGER: than any page of memory that is exported. */
enum { SIZE = 65536, LARGER = 64 << 20 };

/* Sends a descriptor, or receives one with -1. */
static int pass_fd(int link, int fd) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.bytes = {0}};
  char byte = 'f';
  struct iovec data = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (fd < 0) {
    CHECK(recvmsg(link, &message, 0) == 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  CHECK(sendmsg(link, &message, 0) == 1);
  return fd;
}

static void fill(syclze_queue queue, void *memory, int value) {
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(memory), &value, sizeof value, SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
}

/* The last number in the memory. */
static int last_of(syclze_queue queue, const void *memory) {
  int value = 0;
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((void *)&value),
               syclze_mem_arg((const void *)((const char *)memory + SIZE - sizeof value)),
               sizeof value, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  return value;
}

struct world {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_queue queue;
};

static struct world begin(void) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  struct world w = {.g = given()};
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.device = made_device(&w.g);
  CHECK_EQ(syclze_queue_create(w.context, w.device, &in_order, &w.queue), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

TEST(two_processes_share_memory_by_a_descriptor) { // shows memory 10
  struct world w = begin();
  given_needs_zecl(w.g.driver);
  struct partner other = partner_begin("partner_imports");
  void *memory;
  int fd;
  CHECK_EQ(syclze_external_memory_allocate(SIZE, OPAQUE, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  fill(w.queue, memory, 3);
  CHECK_EQ(syclze_external_memory_get_fd(memory, OPAQUE, w.context, &fd), ZE_RESULT_SUCCESS);
  pass_fd(other.link, fd);
  partner_end(&other);
  CHECK_EQ(last_of(w.queue, memory), 4);
  CHECK_EQ(syclze_free(memory, w.context), ZE_RESULT_SUCCESS);
  CHECK(dup(fd) < 0); /* it was the driver's */
  end(&w);
}

/* The memory is a buffer's, which frees it. */
PARTNER(partner_imports, link) {
  struct world w = begin();
  void *memory;
  syclze_buffer buffer;
  const int four = 4, fd = pass_fd(link, -1);
  CHECK_EQ(syclze_external_memory_import(fd, OPAQUE, SIZE, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  CHECK(dup(fd) < 0);
  CHECK_EQ(last_of(w.queue, memory), 3);
  const syclze_buffer_input input = {.native_handle = memory, .element_size = sizeof(int)};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queue);
  const syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &four, sizeof four, SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

/* After an error the descriptor is the caller's, and no memory is left. */
TEST(what_cannot_be_exported_or_imported_is_refused) { // shows memory 10
  struct world w = begin();
  given_needs_zecl(w.g.driver);
  const char *imports = "syclze_external_memory_import", *gets = "syclze_external_memory_get_fd";
  void *memory, *plain, *none;
  int fd, pipes[2];
  CHECK_EQ(syclze_external_memory_allocate(SIZE, OPAQUE, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_device(SIZE, w.device, w.context, &plain), ZE_RESULT_SUCCESS);
  FAILED(syclze_external_memory_get_fd(plain, OPAQUE, w.context, &fd),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, gets, "does not export", plain);
  CHECK_EQ(fd, -1);
  FAILED(
      syclze_external_memory_get_fd(memory, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, w.context, &fd),
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, gets, "does not export", memory);
  CHECK_EQ(syclze_external_memory_get_fd(memory, OPAQUE, w.context, &fd), ZE_RESULT_SUCCESS);
  const int mine = dup(fd);
  CHECK(pipe(pipes) == 0);
  REFUSED(none, syclze_external_memory_import(pipes[0], OPAQUE, SIZE, w.device, w.context, &none),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, imports, "refuses external memory", w.g.context);
  REFUSED(none, syclze_external_memory_import(mine, OPAQUE, LARGER, w.device, w.context, &none),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, imports, "refuses external memory", w.g.context);
  REFUSED(none, syclze_external_memory_import(mine, OPAQUE, 0, w.device, w.context, &none),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, imports, "refuses external memory", w.g.context);
  /* A part of it may be imported, twice too. */
  const int again = dup(mine);
  void *parts[2];
  CHECK_EQ(syclze_external_memory_import(mine, OPAQUE, 8, w.device, w.context, &parts[0]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_external_memory_import(again, OPAQUE, SIZE, w.device, w.context, &parts[1]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.context), ZE_RESULT_SUCCESS);
  fill(w.queue, parts[1], 6);
  CHECK_EQ(last_of(w.queue, parts[1]), 6);
  CHECK(close(pipes[0]) == 0 && close(pipes[1]) == 0 && close(mine) < 0 && close(again) < 0);
  CHECK_EQ(syclze_free(parts[0], w.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(parts[1], w.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(plain, w.context), ZE_RESULT_SUCCESS);
  end(&w);
}

static bool is_of_nvidia(const struct world *w) {
  enum { NVIDIA = 0x10de };
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK_EQ(zeDeviceGetProperties(w->g.device, &properties), ZE_RESULT_SUCCESS);
  return properties.vendorId == NVIDIA;
}

/* True if the loader has external semaphores; else they are refused with its version. CUDA does not
 * accept an eventfd. */
static bool has_semaphores(const struct world *w, int fd) {
  syclze_external_semaphore semaphore;
  refused_begin();
  const ze_result_t result = syclze_external_semaphore_import(
      fd, SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD, w->device, w->context, &semaphore);
  if (result == ZE_RESULT_SUCCESS) {
    CHECK_EQ(syclze_external_semaphore_release(semaphore), ZE_RESULT_SUCCESS);
    return true;
  }
  CHECK_EQ(refused_count(), 1);
  CHECK_EQ(semaphore.rep, NULL);
  if (given_is_zecl(w->g.driver) &&
      !(is_of_nvidia(w) && result == ZE_RESULT_ERROR_INVALID_ARGUMENT))
    FAILED(syclze_external_semaphore_import(
               fd, SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD, w->device, w->context, &semaphore),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_external_semaphore_import", "Level Zero 1.12",
        w->g.device);
  CHECK(close(fd) == 0); /* still the caller's */
  return false;
}

static void use(const struct world *w, syclze_external_semaphore semaphore, bool signals,
    uint64_t value, syclze_event *event) {
  if (event == NULL) { /* without a group object */
    CHECK_EQ(signals
                 ? syclze_queue_signal_external_semaphore(w->queue, semaphore, value, NULL, 0, NULL)
                 : syclze_queue_wait_external_semaphore(w->queue, semaphore, value, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    return;
  }
  syclze_group group = syclze_group_begin(w->queue);
  CHECK_EQ(signals ? syclze_group_signal_external_semaphore(&group, semaphore, value, event)
                   : syclze_group_wait_external_semaphore(&group, semaphore, value, event),
      ZE_RESULT_SUCCESS);
}

/* Refused by a queue that records, or would begin to. */
static void check_not_recorded(const struct world *w, syclze_external_semaphore semaphore) {
  syclze_graph graph;
  syclze_event event, recorded;
  syclze_queue other;
  CHECK_EQ(syclze_graph_create(w->context, w->device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w->queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w->queue);
  REFUSED(event, syclze_group_signal_external_semaphore(&group, semaphore, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_signal_external_semaphore", "not recorded",
      syclze_queue_get_native(w->queue).list);
  CHECK_EQ(syclze_queue_submit_barrier(w->queue, &recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w->context, w->device, NULL, &other), ZE_RESULT_SUCCESS);
  REFUSED(event, syclze_queue_signal_external_semaphore(other, semaphore, 0, &recorded, 1, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_signal_external_semaphore", "not recorded",
      syclze_queue_get_native(other).list);
  CHECK(!syclze_queue_is_recording(other));
  CHECK_EQ(syclze_release(other, recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
}

TEST(commands_signal_and_wait_for_external_semaphores) { // shows memory 12
  struct world w = begin();
  const bool there = has_semaphores(&w, eventfd(0, EFD_SEMAPHORE));
  if (there && given_executes()) {
    const int fd = eventfd(0, EFD_SEMAPHORE), other = dup(fd);
    uint64_t count = 1;
    syclze_external_semaphore semaphore;
    syclze_event done;
    CHECK_EQ(syclze_external_semaphore_import(
                 fd, SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD, w.device, w.context, &semaphore),
        ZE_RESULT_SUCCESS);
    CHECK(syclze_external_semaphore_get_native(semaphore) != NULL);
    use(&w, semaphore, false, 0, &done);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(done)), ZE_RESULT_NOT_READY);
    CHECK(write(other, &count, sizeof count) == (ssize_t)sizeof count);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
    use(&w, semaphore, true, 0, NULL);
    CHECK(read(other, &count, sizeof count) == (ssize_t)sizeof count);
    CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
    check_not_recorded(&w, semaphore);
    CHECK_EQ(syclze_external_semaphore_retain(semaphore), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_external_semaphore_release(semaphore), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_external_semaphore_release(semaphore), ZE_RESULT_SUCCESS);
#if SYCLZE_HAS_POOLS
    FAILED(syclze_external_semaphore_release(semaphore), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_external_semaphore_release", "no reference left", NULL);
#endif
    CHECK(dup(fd) < 0);
    CHECK(close(other) == 0);
  }
  end(&w);
  if (!there) SKIP("the loader or the driver has no external semaphores: refused");
}

TEST(a_timeline_has_values) { // shows memory 12
  struct world w = begin();
  const bool there = given_is_zecl(w.g.driver) && has_semaphores(&w, eventfd(0, EFD_SEMAPHORE));
  if (there) {
    const int fd = memfd_create("timeline", MFD_CLOEXEC), other = dup(fd);
    uint64_t value = 0;
    syclze_external_semaphore semaphore;
    syclze_event done;
    CHECK(ftruncate(fd, sizeof value) == 0);
    CHECK_EQ(syclze_external_semaphore_import(
                 fd, SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_FD, w.device, w.context, &semaphore),
        ZE_RESULT_SUCCESS);
    use(&w, semaphore, true, 5, NULL);
    use(&w, semaphore, false, 5, NULL);
    use(&w, semaphore, false, 9, &done);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(done)), ZE_RESULT_NOT_READY);
    value = 9;
    CHECK(pwrite(other, &value, sizeof value, 0) == (ssize_t)sizeof value);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_external_semaphore_release(semaphore), ZE_RESULT_SUCCESS);
    CHECK(close(other) == 0);
  }
  end(&w);
  if (!there) SKIP("the loader has no external semaphores");
}

TEST(wrong_arguments_of_semaphores_are_refused) { // shows memory 13
  struct world w = begin();
  const char *imports = "syclze_external_semaphore_import";
  const syclze_external_semaphore none = {0};
  const syclze_device no_device = {0};
  const syclze_context no_context = {0};
  const syclze_external_semaphore_type opaque = SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD;
  syclze_external_semaphore made;
  syclze_event event;
  REFUSED(made, syclze_external_semaphore_import(-1, opaque, w.device, w.context, &made),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, imports, "negative", NULL);
  REFUSED(made,
      syclze_external_semaphore_import(
          0, (syclze_external_semaphore_type)3, w.device, w.context, &made),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, imports, "not one of file descriptors", NULL);
  REFUSED(made, syclze_external_semaphore_import(0, opaque, no_device, w.context, &made),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, imports, "null", NULL);
  REFUSED(made, syclze_external_semaphore_import(0, opaque, w.device, no_context, &made),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, imports, "null", NULL);
  FAILED(syclze_external_semaphore_import(0, opaque, w.device, w.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, imports, "null", NULL);
  CHECK_EQ(syclze_external_semaphore_release(none), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queue);
  REFUSED(event, syclze_group_wait_external_semaphore(&group, none, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_group_wait_external_semaphore",
      "semaphore is null", syclze_queue_get_native(w.queue).list);
  group = syclze_group_begin(w.queue);
  REFUSED(event, syclze_group_signal_external_semaphore(&group, none, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_group_signal_external_semaphore",
      "semaphore is null", syclze_queue_get_native(w.queue).list);
  end(&w);
}

/* Types that the device lacks are refused, and those that it has are allocated. */
TEST(each_type_is_exportable_or_refused) { // shows memory 9
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  const ze_external_memory_type_flag_t types[] = {
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  ze_external_memory_type_flags_t imports, exports;
  CHECK_EQ(syclze_external_memory_get_support(device, &imports, &exports), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    void *memory;
    if ((exports & types[i]) == 0)
      REFUSED(memory, syclze_external_memory_allocate(SIZE, types[i], device, context, &memory),
          ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_allocate",
          "does not export", g.context);
    else {
      CHECK_EQ(syclze_external_memory_allocate(SIZE, types[i], device, context, &memory),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
    }
    if ((imports & types[i]) == 0)
      REFUSED(memory, syclze_external_memory_import(0, types[i], SIZE, device, context, &memory),
          ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_import",
          "does not import", g.context);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(host_memory_is_registered_or_refused) { // shows memory 9
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  void *memory = aligned_alloc(SIZE, SIZE), *function = NULL;
  if (zeDriverGetExtensionFunctionAddress(g.driver, "zexDriverImportExternalPointer", &function) ==
      ZE_RESULT_SUCCESS) {
    CHECK_EQ(syclze_host_memory_register(memory, SIZE, context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_host_memory_unregister(memory, context), ZE_RESULT_SUCCESS);
  } else
    FAILED(syclze_host_memory_register(memory, SIZE, context), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "syclze_host_memory_register", "zexDriverImportExternalPointer", memory);
  free(memory);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(each_type_is_exportable_or_refused, host_memory_is_registered_or_refused,
    two_processes_share_memory_by_a_descriptor, what_cannot_be_exported_or_imported_is_refused,
    commands_signal_and_wait_for_external_semaphores, a_timeline_has_values,
    wrong_arguments_of_semaphores_are_refused)
