/* ZECL_CHECK=1 reports what a program leaves behind; a forked child's calls fail and do not hang.
 */
#define _GNU_SOURCE
#include "support/handles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs this program again, as another process with one case, and returns its stderr. */
static char *output_of(const char *name) {
  int ends[2];
  enum { ROOM = 1 << 16 };
  char *text = calloc(1, ROOM);
  CHECK(text && pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    close(ends[0]);
    setenv("ZECL_CHECK", "1", 1);
    setenv("ZECL_TEST_CHILD", name, 1);
    execl("/proc/self/exe", "leaks", name, (char *)NULL);
    _exit(99);
  }
  close(ends[1]);
  size_t used = 0;
  for (ssize_t part; (part = read(ends[0], text + used, ROOM - 1 - used)) > 0;)
    used += (size_t)part;
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

static int is_child(const char *name) {
  const char *asked = getenv("ZECL_TEST_CHILD");
  return asked && strcmp(asked, name) == 0;
}

static unsigned lines_with(const char *text, const char *part) {
  unsigned count = 0;
  for (; (text = strstr(text, part)); text += strlen(part))
    count++;
  return count;
}

static void *volatile kept[16]; /* reachable, so that it is no leak of the host's memory */

TEST(leaving_much) {
  if (!is_child("leaving_much")) return;
  const ze_sampler_desc_t sampler = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2);
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_module_handle_t module = test_native("native");
  ze_sampler_handle_t made = NULL;
  void *reserved = NULL;
  OK(zeSamplerCreate(test_context(), test_device(), &sampler, &made));
  kept[0] = pool;
  kept[1] = test_event(pool, 0);
  kept[2] = test_event(pool, 1);
  kept[3] = queue;
  kept[4] = test_fence(queue);
  kept[5] = test_list();
  kept[6] = module;
  kept[7] = test_kernel(module, "axpy");
  kept[8] = test_shared(123);
  kept[9] = made;
  OK(zeVirtualMemReserve(test_context(), NULL, 1 << 16, &reserved));
  OK(zeEventDestroy(test_event(pool, 0)));
  test_free(test_shared(77));
  fprintf(stderr, "event %p\n", kept[1]);
}

TEST(leaving_nothing) {
  if (!is_child("leaving_nothing")) return;
  ze_event_handle_t event = test_lone_event();
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  OK(zeCommandListAppendSignalEvent(list, event));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  OK(zeEventDestroy(event));
  OK(zeCommandListDestroy(list));
  test_free(test_shared(10));
  OK(zeContextDestroy(test_context()));
}

TEST(each_leak_is_reported) {
  char *text = output_of("leaving_much");
  CHECK_EQ(lines_with(text, "not destroyed: event pool 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: event 0x"), 2);
  CHECK_EQ(lines_with(text, "not destroyed: command queue 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: command list 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: fence 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: module 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: kernel 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: sampler 0x"), 1);
  CHECK_EQ(lines_with(text, "not destroyed: context 0x"), 1);
  CHECK_EQ(lines_with(text, "not freed: 123 bytes of shared memory at 0x"), 1);
  CHECK_EQ(lines_with(text, "not freed: 65536 bytes of virtual memory at 0x"), 1);
  CHECK_EQ(lines_with(text, "zecl: 12 left behind"), 1);
  char *line = strstr(text, "event 0x"), handle[32] = "";
  CHECK(line && sscanf(line, "event %31s", handle) == 1);
  CHECK_EQ(lines_with(text, handle), 2); /* the program's own line, and the report's */
  free(text);
}

TEST(no_leaks_are_reported_as_zero) {
  char *text = output_of("leaving_nothing");
  CHECK_STR_EQ(text, "zecl: 0 left behind\n");
  free(text);
}

/* The parent has used every path before: none of them may hang the child. */
TEST(a_forked_child_fails_and_does_not_hang) {
  ze_module_handle_t module = test_native("native");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t event = test_lone_event();
  char *memory = test_shared(1 << 20);
  OK(zeCommandListAppendMemoryCopy(list, memory, memory + (1 << 19), 1 << 19, event, 0, NULL));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    uint32_t count = 0;
    void *more = NULL;
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    alarm(600);
    int good = zeDriverGet(&count, NULL) != ZE_RESULT_SUCCESS;
    good &= zeMemAllocHost(test_context(), &desc, 8, 0, &more) == ZE_RESULT_ERROR_DEVICE_LOST;
    good &= zeCommandListAppendMemoryCopy(list, memory, memory + 9, 9, NULL, 0, NULL) ==
            ZE_RESULT_ERROR_DEVICE_LOST;
    good &= zeEventHostSynchronize(event, UINT64_MAX) == ZE_RESULT_ERROR_DEVICE_LOST;
    good &= zeEventDestroy(event) == ZE_RESULT_ERROR_DEVICE_LOST;
    good &= zeModuleDestroy(module) == ZE_RESULT_ERROR_DEVICE_LOST;
    exit(good ? 0 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  OK(zeCommandListAppendMemoryCopy(list, memory, memory + 9, 9, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeModuleDestroy(module));
  test_free(memory);
}

TEST_MAIN(each_leak_is_reported, no_leaks_are_reported_as_zero,
    a_forked_child_fails_and_does_not_hang, leaving_much, leaving_nothing)
