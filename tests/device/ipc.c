/* Memory and events of two processes (syclze/ipc.h). Each PARTNER is the second process
   of the case before it. */
#define _GNU_SOURCE
#include "support/made.h"
#include "support/partner.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/ipc.h"

#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Also for ipc_descriptor.c. */
#ifndef IPC_MODE
#define IPC_MODE "1"
#endif

__attribute__((constructor)) static void share_memory(void) {
  given_environment("ZECL_IPC", IPC_MODE);
}

static bool is_descriptor(void) {
  return strcmp(IPC_MODE, "descriptor") == 0;
}

enum { COUNT = 5000, SIZE = COUNT * sizeof(int), EVENTS = 4 };

struct process {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_queue queue;
};

static struct process begin(void) {
  struct process p = {.g = given()};
  ze_ipc_property_flags_t support = 0;
  p.context = made_context(&p.g, SYCLZE_OWNERSHIP_KEEP);
  p.device = made_device(&p.g);
  CHECK_EQ(syclze_queue_create(p.context, p.device, NULL, &p.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_ipc_get_support(syclze_device_get_platform(p.device), &support), ZE_RESULT_SUCCESS);
  if ((support & ZE_IPC_PROPERTY_FLAG_MEMORY) == 0) SKIP("the driver shares no memory");
  return p;
}

static void end(struct process *p) {
  CHECK_EQ(syclze_queue_release(p->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(p->context), ZE_RESULT_SUCCESS);
  /* A buffer that was released before its work was complete ends on a thread of the library. */
  while (spy_alive(SPY_EVENT_POOL) > 1)
    sched_yield();
  given_end(&p->g);
}

static void *device_memory(const struct process *p) {
  void *memory;
  CHECK_EQ(syclze_malloc_device(SIZE, p->device, p->context, &memory), ZE_RESULT_SUCCESS);
  return memory;
}

static void fill(const struct process *p, void *memory, int value) {
  syclze_group group = syclze_group_begin(p->queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(memory), &value, sizeof value, SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p->queue), ZE_RESULT_SUCCESS);
}

static bool holds(const struct process *p, const void *memory, int value) {
  static int values[COUNT];
  bool same = true;
  memset(values, 0x5a, sizeof values);
  syclze_group group = syclze_group_begin(p->queue);
  CHECK_EQ(
      syclze_group_copy(&group, syclze_mem_arg((void *)values), syclze_mem_arg(memory), SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p->queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < COUNT; i++)
    same = same && values[i] == value;
  return same;
}

/* Valgrind has no pidfd_getfd, nor have kernels before 5.6. */
#define NEEDS_FETCHED_DESCRIPTORS()                                                                \
  if (is_descriptor() && syscall(438, -1, 0, 0) != 0 && errno == ENOSYS)                           \
  SKIP("the system has no pidfd_getfd")

static syclze_ipc_memory exported_to(const struct process *p, void *memory, int link) {
  syclze_ipc_memory exported;
  CHECK_EQ(syclze_ipc_memory_export(memory, 0, p->context, &exported), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  partner_send(link, &handle, sizeof handle);
  return exported;
}

static syclze_ipc_memory opened_of(const struct process *p, const syclze_ipc_handle *handle) {
  syclze_ipc_memory opened;
  CHECK_EQ(syclze_ipc_memory_open(handle, 0, p->device, p->context, &opened), ZE_RESULT_SUCCESS);
  return opened;
}

static syclze_ipc_memory opened_from(const struct process *p, int link) {
  syclze_ipc_handle handle;
  partner_receive(link, &handle, sizeof handle);
  return opened_of(p, &handle);
}

static void send_word(int link) {
  partner_send(link, "w", 1);
}

static void await_word(int link) {
  char word;
  partner_receive(link, &word, 1);
}

TEST(a_command_group_uses_memory_of_another_process) { // shows memory 1 17
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_uses_a_buffer");
  void *memory = device_memory(&p);
  fill(&p, memory, 3);
  syclze_ipc_memory exported = exported_to(&p, memory, other.link);
  partner_end(&other);
  CHECK(holds(&p, memory, 4));
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

/* The buffer's release closes the memory, after the fill. */
PARTNER(partner_uses_a_buffer, link) {
  const int four = 4;
  struct process p = begin();
  syclze_ipc_memory opened = opened_from(&p, link);
  CHECK_EQ(syclze_ipc_memory_get_size(opened), SIZE);
  CHECK(holds(&p, syclze_ipc_memory_get_pointer(opened), 3));
  const syclze_buffer_input input = {.native_handle = syclze_ipc_memory_get_pointer(opened),
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(int)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, p.context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_get_range(buffer, 0), COUNT);
  CHECK_EQ(syclze_buffer_set_owner(buffer, syclze_ipc_memory_as_owner(opened)), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(p.queue);
  const syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &four, sizeof four, SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p.queue), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST(a_handle_is_opened_twice) { // shows memory 3
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_opens_twice");
  void *memory = device_memory(&p);
  fill(&p, memory, 5);
  syclze_ipc_memory exported = exported_to(&p, memory, other.link);
  partner_end(&other);
  CHECK(holds(&p, memory, 6));
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_opens_twice, link) {
  struct process p = begin();
  syclze_ipc_memory first = opened_from(&p, link);
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(first);
  syclze_ipc_memory second = opened_of(&p, &handle);
  void *pointers[] = {syclze_ipc_memory_get_pointer(first), syclze_ipc_memory_get_pointer(second)};
  CHECK(pointers[0] != pointers[1]);
  CHECK(holds(&p, pointers[0], 5));
  CHECK_EQ(syclze_ipc_memory_release(first), ZE_RESULT_SUCCESS);
  CHECK(holds(&p, pointers[1], 5));
#if SYCLZE_HAS_POOLS
  FAILED(syclze_ipc_memory_release(first), SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_memory_release",
      "no reference left", NULL);
#endif
  fill(&p, pointers[1], 6);
  CHECK_EQ(syclze_ipc_memory_release(second), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST(an_interior_pointer_is_the_same_in_both) { // shows memory 1
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_reads_a_part");
  int *memory = device_memory(&p);
  const int numbers[3] = {10, 20, 30};
  syclze_group group = syclze_group_begin(p.queue);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((void *)(memory + 100)),
               syclze_mem_arg((const void *)numbers), sizeof numbers, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p.queue), ZE_RESULT_SUCCESS);
  syclze_ipc_memory exported = exported_to(&p, memory + 101, other.link);
  partner_end(&other);
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_reads_a_part, link) {
  int numbers[2] = {0, 0};
  struct process p = begin();
  syclze_ipc_memory opened = opened_from(&p, link);
  CHECK_EQ(syclze_ipc_memory_get_size(opened), SIZE - 101 * sizeof(int));
  syclze_group group = syclze_group_begin(p.queue);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((void *)numbers),
               syclze_mem_arg(syclze_ipc_memory_get_pointer(opened)), sizeof numbers, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p.queue), ZE_RESULT_SUCCESS);
  CHECK(numbers[0] == 20 && numbers[1] == 30);
  CHECK_EQ(syclze_ipc_memory_release(opened), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST(what_is_open_outlives_its_exporter) { // shows memory 3
  NEEDS_FETCHED_DESCRIPTORS();
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_ends_while_it_exports");
  syclze_ipc_handle handle;
  syclze_ipc_memory again;
  partner_receive(other.link, &handle, sizeof handle);
  syclze_ipc_memory opened = opened_of(&p, &handle);
  partner_kill(&other);
  CHECK(holds(&p, syclze_ipc_memory_get_pointer(opened), 7));
  fill(&p, syclze_ipc_memory_get_pointer(opened), 8);
  CHECK(holds(&p, syclze_ipc_memory_get_pointer(opened), 8));
  REFUSED(again, syclze_ipc_memory_open(&handle, 0, p.device, p.context, &again),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_memory_open", "may have ended", NULL);
  CHECK_EQ(syclze_ipc_memory_release(opened), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_ends_while_it_exports, link) {
  struct process p = begin();
  void *memory = device_memory(&p);
  fill(&p, memory, 7);
  exported_to(&p, memory, link);
  await_word(link); /* which does not come */
}

/* The exporter has not put its handle: the memory is freed, and still what it was. */
TEST(what_is_open_outlives_the_allocation) { // shows memory 3
  struct process p = begin();
  given_needs_zecl(p.g.driver);
  struct partner other = partner_begin("partner_reads_freed_memory");
  void *memory = device_memory(&p);
  fill(&p, memory, 9);
  syclze_ipc_memory exported = exported_to(&p, memory, other.link);
  await_word(other.link);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  send_word(other.link);
  partner_end(&other);
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_reads_freed_memory, link) {
  struct process p = begin();
  syclze_ipc_memory opened = opened_from(&p, link);
  send_word(link);
  await_word(link);
  CHECK(holds(&p, syclze_ipc_memory_get_pointer(opened), 9));
  CHECK_EQ(syclze_ipc_memory_release(opened), ZE_RESULT_SUCCESS);
  end(&p);
}

/* A command group waits for an event that the other process signals, and the other way round. */
TEST(events_order_the_work_of_two_processes) { // shows memory 1
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_answers_by_an_event");
  syclze_ipc_event_pool pool;
  syclze_event call, answer, done;
  int *shared;
  CHECK_EQ(syclze_ipc_event_pool_create(p.context, EVENTS, &pool), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_event_pool_get_handle(pool);
  CHECK_EQ(syclze_ipc_event_pool_get_event(pool, 0, &call), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_get_event(pool, 1, &answer), ZE_RESULT_SUCCESS);
  partner_send(other.link, &handle, sizeof handle);
  CHECK_EQ(syclze_malloc_shared(sizeof *shared, p.device, p.context, (void **)&shared),
      ZE_RESULT_SUCCESS);
  *shared = 0;
  await_word(other.link);
  const int one = 1;
  syclze_group group = syclze_group_begin(p.queue);
  syclze_group_depends_on(&group, answer);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(shared), &one, sizeof one, sizeof one, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_get_native(done)), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(call)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(*shared, 1);
  partner_end(&other);
  CHECK_EQ(syclze_queue_wait(p.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_release(pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(call), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(answer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(shared, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_answers_by_an_event, link) {
  struct process p = begin();
  syclze_ipc_handle handle;
  syclze_ipc_event_pool pool;
  syclze_event call, answer;
  partner_receive(link, &handle, sizeof handle);
  CHECK_EQ(syclze_ipc_event_pool_open(&handle, p.context, &pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_get_event(pool, 0, &call), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_get_event(pool, 1, &answer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_release(pool), ZE_RESULT_SUCCESS);
  send_word(link);
  CHECK_EQ(syclze_event_wait(call), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(answer)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(call), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(answer), ZE_RESULT_SUCCESS);
  end(&p);
}

/* Both openings have the same events; what is open outlives the exporter, and is closed once. */
TEST(a_pool_is_opened_twice_and_outlives_its_exporter) { // shows memory 3
  NEEDS_FETCHED_DESCRIPTORS();
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_ends_while_it_exports_a_pool");
  syclze_ipc_handle handle;
  syclze_ipc_event_pool first, second, again;
  syclze_event events[2];
  partner_receive(other.link, &handle, sizeof handle);
  CHECK_EQ(syclze_ipc_event_pool_open(&handle, p.context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_open(&handle, p.context, &second), ZE_RESULT_SUCCESS);
  CHECK(syclze_ipc_event_pool_get_native(first) != syclze_ipc_event_pool_get_native(second));
  partner_kill(&other);
  CHECK_EQ(syclze_ipc_event_pool_get_event(first, 3, &events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_get_event(second, 3, &events[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_get_native(events[1])), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(events[0])), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(events[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_release(first), ZE_RESULT_SUCCESS);
#if SYCLZE_HAS_POOLS
  FAILED(syclze_ipc_event_pool_release(first), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_ipc_event_pool_release", "no reference left", NULL);
#endif
  CHECK_EQ(syclze_event_wait(events[1]), ZE_RESULT_SUCCESS);
  REFUSED(again, syclze_ipc_event_pool_open(&handle, p.context, &again),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_event_pool_open", "may have ended", NULL);
  CHECK_EQ(syclze_event_release(events[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_release(second), ZE_RESULT_SUCCESS);
  end(&p);
}

PARTNER(partner_ends_while_it_exports_a_pool, link) {
  struct process p = begin();
  syclze_ipc_event_pool pool;
  CHECK_EQ(syclze_ipc_event_pool_create(p.context, EVENTS, &pool), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_event_pool_get_handle(pool);
  partner_send(link, &handle, sizeof handle);
  await_word(link); /* which does not come */
}

TEST(a_handle_is_sent_over_a_socket) { // shows memory 17
  struct process p = begin();
  given_needs_execution();
  struct partner other = partner_begin("partner_receives_a_handle");
  void *memory = device_memory(&p);
  fill(&p, memory, 11);
  syclze_ipc_memory exported;
  CHECK_EQ(syclze_ipc_memory_export(memory, 0, p.context, &exported), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  if (given_is_zecl(p.g.driver)) CHECK_EQ(handle.process, is_descriptor() ? getpid() : 0);
  CHECK_EQ(syclze_ipc_handle_send(other.link, &handle), ZE_RESULT_SUCCESS);
  partner_end(&other);
  CHECK(holds(&p, memory, 12));
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

/* A process that may not trace its exporter cannot fetch the descriptor, and receives it. */
PARTNER(partner_receives_a_handle, link) {
  struct process p = begin();
  syclze_ipc_handle handle, fetched;
  syclze_ipc_memory opened, refused;
  int descriptor;
  CHECK_EQ(syclze_ipc_handle_receive(link, &handle, &descriptor), ZE_RESULT_SUCCESS);
  CHECK_EQ(descriptor >= 0, handle.process != 0);
  fetched = handle;
  fetched.process = getppid();
  if (descriptor >= 0 && getuid() == 0 && setresuid(65534, 65534, 65534) == 0)
    REFUSED(refused, syclze_ipc_memory_open(&fetched, 0, p.device, p.context, &refused),
        ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, "syclze_ipc_memory_open",
        "syclze_ipc_handle_send", NULL);
  CHECK_EQ(syclze_ipc_memory_open(&handle, 0, p.device, p.context, &opened), ZE_RESULT_SUCCESS);
  if (descriptor >= 0) CHECK_EQ(close(descriptor), 0);
  CHECK(holds(&p, syclze_ipc_memory_get_pointer(opened), 11));
  fill(&p, syclze_ipc_memory_get_pointer(opened), 12);
  CHECK_EQ(syclze_ipc_memory_release(opened), ZE_RESULT_SUCCESS);
  end(&p);
}

static int open_descriptors(void) {
  int count = 0;
  for (int i = 0; i < 1024; i++)
    count += dup2(i, i) == i;
  return count;
}

/* A descriptor of another file than the exported one, of none, and of no process. */
TEST(a_handle_of_another_file_is_refused) { // shows memory 17
  if (!is_descriptor()) SKIP("handles of this driver have no descriptor");
  NEEDS_FETCHED_DESCRIPTORS();
  struct process p = begin();
  given_needs_zecl(p.g.driver);
  void *memory = device_memory(&p);
  syclze_ipc_memory exported, object;
  CHECK_EQ(syclze_ipc_memory_export(memory, 0, p.context, &exported), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  const int before = open_descriptors();
  for (int i = 0; i < 5; i++) {
    syclze_ipc_handle wrong = handle;
    const uint64_t number = 1u << 20;
    const pid_t child = fork();
    if (child == 0) pause();
    if (i == 0) wrong.inode++;
    if (i == 1) wrong.device++;
    if (i == 2) memcpy(&wrong.native, &number, sizeof number);
    if (i == 3) wrong.process = -1;
    /* The child has the file by another number. */
    if (i == 4) wrong.process = child, wrong.inode++;
    REFUSED(object, syclze_ipc_memory_open(&wrong, 0, p.device, p.context, &object),
        ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_memory_open", "may have ended", NULL);
    kill(child, SIGKILL);
    CHECK_EQ(waitpid(child, NULL, 0), child);
  }
  CHECK_EQ(open_descriptors(), before);
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

/* Bytes that are no handle, a handle without its descriptor, and two with one or two descriptors
   too many. */
TEST(what_is_no_handle_is_not_received) { // shows memory 17
  struct process p = begin();
  syclze_ipc_handle handle, none;
  int links[2], descriptor, ends[2];
  memset(&none, 0, sizeof none);
  const int before = open_descriptors();
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, links), 0);
    memset(&handle, 0, sizeof handle);
    handle.kind = SYCLZE_IPC_KIND_MEMORY;
    handle.process = i == 1 ? getpid() : 0;
    if (i >= 2) {
      const size_t size = i == 2 ? sizeof *ends : sizeof ends;
      union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof ends)];
      } control = {
          .header = {
              .cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
      struct iovec part = {&handle, sizeof handle};
      const struct msghdr message = {.msg_iov = &part,
          .msg_iovlen = 1,
          .msg_control = &control,
          .msg_controllen = CMSG_SPACE(size)};
      CHECK_EQ(pipe(ends), 0);
      memcpy(CMSG_DATA(&control.header), ends, size);
      CHECK_EQ(sendmsg(links[0], &message, 0), sizeof handle);
      close(ends[0]), close(ends[1]);
    } else
      CHECK_EQ(write(links[0], &handle, i == 0 ? 8 : sizeof handle), i == 0 ? 8 : sizeof handle);
    close(links[0]);
    FAILED(syclze_ipc_handle_receive(links[1], &handle, &descriptor),
        i == 0 ? SYCLZE_RESULT_ERROR_RUNTIME : SYCLZE_RESULT_ERROR_INVALID,
        "syclze_ipc_handle_receive", i == 0 ? "no whole handle" : "a descriptor beside it", NULL);
    CHECK_EQ(descriptor, -1);
    CHECK_EQ(memcmp(&handle, &none, sizeof none), 0);
    close(links[1]);
  }
  FAILED(syclze_ipc_handle_send(-1, &none), SYCLZE_RESULT_ERROR_RUNTIME, "syclze_ipc_handle_send",
      "does not take", NULL);
  FAILED(syclze_ipc_handle_send(-1, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_ipc_handle_send", "null", NULL);
  FAILED(syclze_ipc_handle_receive(-1, NULL, &descriptor), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_ipc_handle_receive", "null", NULL);
  CHECK_EQ(open_descriptors(), before);
  end(&p);
}

/* Needs no execution. */
TEST(the_exporter_opens_its_own_handle) {
  struct process p = begin();
  char *memory = device_memory(&p);
  syclze_ipc_memory exported, opened;
  CHECK_EQ(syclze_ipc_memory_export(memory + 8, 0, p.context, &exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_memory_get_pointer(exported), memory + 8);
  CHECK(syclze_ipc_memory_get_size(exported) >= SIZE - 8);
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  if (syclze_ipc_memory_open(&handle, 0, p.device, p.context, &opened) == ZE_RESULT_SUCCESS) {
    CHECK(syclze_ipc_memory_get_pointer(opened) != NULL);
    CHECK_EQ(syclze_ipc_memory_release(opened), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_ipc_memory_release(exported), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST(what_cannot_be_shared_is_refused) { // shows memory 16
  struct process p = begin();
  int local = 0;
  void *memory = device_memory(&p);
  syclze_ipc_memory object;
  REFUSED(object, syclze_ipc_memory_export(&local, 0, p.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_memory_export",
      "must be an allocation of the context", &local);
  syclze_ipc_handle junk;
  memset(&junk, 0x5a, sizeof junk);
  REFUSED(object, syclze_ipc_memory_open(&junk, 0, p.device, p.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_memory_open", "must be one of memory", NULL);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST(the_driver_s_refusals_are_passed_through) { // shows memory 16
  struct process p = begin();
  given_needs_zecl(p.g.driver);
  void *shared, *memory = device_memory(&p);
  syclze_ipc_memory object;
  syclze_ipc_handle junk = {.kind = SYCLZE_IPC_KIND_MEMORY};
  CHECK_EQ(syclze_malloc_shared(8, p.device, p.context, &shared), ZE_RESULT_SUCCESS);
  REFUSED(object, syclze_ipc_memory_export(shared, 0, p.context, &object),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_memory_export", "zeMemGetIpcHandle", shared);
  REFUSED(object, syclze_ipc_memory_export(memory, SYCLZE_IPC_FLAG_FABRIC, p.context, &object),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_ipc_memory_export",
      "zeMemGetIpcHandleWithProperties", memory);
  memset(&junk.native, 0x5a, sizeof junk.native);
  REFUSED(object, syclze_ipc_memory_open(&junk, 0, p.device, p.context, &object),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_memory_open", "refuses the handle", NULL);
  CHECK_EQ(syclze_free(shared, p.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, p.context), ZE_RESULT_SUCCESS);
  end(&p);
}

TEST_MAIN(a_command_group_uses_memory_of_another_process, a_handle_is_opened_twice,
    an_interior_pointer_is_the_same_in_both, what_is_open_outlives_its_exporter,
    what_is_open_outlives_the_allocation, events_order_the_work_of_two_processes,
    a_pool_is_opened_twice_and_outlives_its_exporter, a_handle_is_sent_over_a_socket,
    a_handle_of_another_file_is_refused, what_is_no_handle_is_not_received,
    the_exporter_opens_its_own_handle, what_cannot_be_shared_is_refused,
    the_driver_s_refusals_are_passed_through)
