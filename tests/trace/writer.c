/* The written files, and their contents. */
#define _DEFAULT_SOURCE
#undef SYCLZE_DECLARATIONS
#include "../whole_file.h"
#include "syclze/command/host_accessor.h"
#include "syclze/queue_commands.h"
#include "syclze/syclze.h"
#include "syclze/trace/marks.h"
#include "syclze/trace/writer.h"

#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/syclze-trace-XXXXXX";

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Reads the file, zero-terminated. The caller frees it. */
static char *written(const char *name) {
  CHECK_EQ(syclze_trace_write(path_of(name)), ZE_RESULT_SUCCESS);
  char *text = whole_file(path_of(name));
  remove(path_of(name));
  return text;
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
    count++;
  return count;
}

static uint32_t diagnostics;

static void notify(void *user, const syclze_diagnostic *diagnostic) {
  (void)user, (void)diagnostic;
  diagnostics++;
}

static const syclze_diagnostic_handler handler = {notify, NULL};

/* Plain Level Zero, as an application calls it. */
static struct {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t events[3];
  void *memory;
} app;

enum { SIZE = 4096 };

static void begin(ze_event_pool_flags_t flags) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_command_queue_desc_t queue = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | flags,
      .count = 3};
  const ze_host_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDriverGet(&one, &driver), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDeviceGet(driver, &one, &app.device), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextCreate(driver, &context, &app.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListCreateImmediate(app.context, app.device, &queue, &app.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolCreate(app.context, &pool, 1, &app.device, &app.pool), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++) {
    const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
    CHECK_EQ(zeEventCreate(app.pool, &event, &app.events[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(zeMemAllocHost(app.context, &memory, SIZE, 8, &app.memory), ZE_RESULT_SUCCESS);
  diagnostics = 0;
  syclze_diagnostic_set_handler(&handler);
}

static void end(void) {
  CHECK_EQ(zeMemFree(app.context, app.memory), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++)
    CHECK_EQ(zeEventDestroy(app.events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(app.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(app.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextDestroy(app.context), ZE_RESULT_SUCCESS);
}

/* A fill, and a copy and a barrier that wait for it. */
static void work(void) {
  const int zero = 0;
  char *half = (char *)app.memory + SIZE / 2;
  CHECK_EQ(zeCommandListAppendMemoryFill(
               app.list, app.memory, &zero, sizeof zero, SIZE / 2, app.events[0], 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendMemoryCopy(
               app.list, half, app.memory, SIZE / 2, app.events[1], 1, &app.events[0]),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendBarrier(app.list, app.events[2], 1, &app.events[0]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++)
    CHECK_EQ(zeEventHostSynchronize(app.events[i], UINT64_MAX), ZE_RESULT_SUCCESS);
}

/* The value of a key of `otherData`. */
static unsigned long figure(const char *text, const char *name) {
  const char *at = strstr(text, name);
  CHECK(at != NULL);
  return strtoul(at + strlen(name) + 2, NULL, 10);
}

/* The memory in use at the end. */
static unsigned long last_bytes(const char *text) {
  const char *last = text + strlen(text);
  while (last > text && strncmp(last, "\"bytes\":", 8) != 0)
    last--;
  return strtoul(last + 8, NULL, 10);
}

TEST(chrome_format_has_calls_commands_arrows_and_memory) {
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  char *before = written("before.json");
  work();
  char *text = written("run.json");
  CHECK_EQ(figure(text, "commands without device times"),
      figure(before, "commands without device times"));
  CHECK_EQ(figure(text, "lost"), 0);
  CHECK_EQ(
      count_of(text, "\"cat\":\"dependency\"") - count_of(before, "\"cat\":\"dependency\""), 2 * 2);
  CHECK_EQ(count_of(text, "\"cat\":\"submit\"") - count_of(before, "\"cat\":\"submit\""), 2 * 3);
  /* An arrow has a begin and an end. */
  CHECK_EQ(count_of(text, "{\"ph\":\"s\",") - count_of(before, "{\"ph\":\"s\","), 2 + 3);
  CHECK_EQ(count_of(text, "{\"ph\":\"f\",\"bp\":\"e\",") -
               count_of(before, "{\"ph\":\"f\",\"bp\":\"e\","),
      2 + 3);
  CHECK_EQ(
      count_of(text, "zeCommandListAppendBarrier") - count_of(before, "zeCommandListAppendBarrier"),
      1);
  CHECK_EQ(
      count_of(text, "\"name\":\"MemoryCopy\"") - count_of(before, "\"name\":\"MemoryCopy\""), 1);
  CHECK(strstr(text, "\"bytes\":4096") != NULL);
  end();
  free(text);
  text = written("after.json");
  CHECK(strstr(text, "\"bytes\":0}") != NULL);
  free(text);
  free(before);
}

TEST(commands_with_events_without_timestamps_are_counted) {
  begin(0);
  char *before = written("before.json");
  work();
  char *text = written("run.json");
  CHECK_EQ(figure(text, "commands without device times"),
      figure(before, "commands without device times") + 3);
  CHECK_EQ(count_of(text, "\"ph\":\"i\"") - count_of(before, "\"ph\":\"i\""), 3);
  end();
  free(text);
  free(before);
}

TEST(timestamps_are_read_before_an_event_is_reset) {
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  char *before = written("before.json");
  for (int round = 0; round < 4; round++) {
    work();
    for (uint32_t i = 0; i < 3; i++)
      CHECK_EQ(zeEventHostReset(app.events[i]), ZE_RESULT_SUCCESS);
  }
  char *text = written("run.json");
  CHECK_EQ(count_of(text, "\"cat\":\"submit\"") - count_of(before, "\"cat\":\"submit\""), 2 * 12);
  end();
  free(text);
  free(before);
}

/* The application has not asked for the event. */
TEST(times_of_pending_events_are_read_when_the_trace_is_written) {
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  char *before = written("before.json");
  CHECK_EQ(zeCommandListAppendBarrier(app.list, app.events[0], 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendBarrier(app.list, app.events[1], 1, &app.events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(app.events[1], UINT64_MAX), ZE_RESULT_SUCCESS);
  char *text = written("run.json");
  CHECK_EQ(count_of(text, "\"cat\":\"submit\"") - count_of(before, "\"cat\":\"submit\""), 2 * 2);
  end();
  free(text);
  free(before);
}

TEST(what_waits_for_an_event_that_was_reset_depends_on_no_earlier_command) {
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  work();
  char *before = written("before.dot");
  CHECK_EQ(zeEventHostReset(app.events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostReset(app.events[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendBarrier(app.list, app.events[1], 1, &app.events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(app.events[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(app.events[1], UINT64_MAX), ZE_RESULT_SUCCESS);
  char *text = written("run.dot");
  CHECK_EQ(count_of(text, "[fillcolor") - count_of(before, "[fillcolor"), 1);
  CHECK_EQ(count_of(text, " -> "), count_of(before, " -> "));
  end();
  free(text);
  free(before);
}

TEST(the_graph_has_a_node_for_each_command_and_its_edges) {
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  char *before = written("before.dot");
  work();
  char *text = written("run.dot");
  CHECK_EQ(count_of(text, "[fillcolor") - count_of(before, "[fillcolor"), 3);
  CHECK_EQ(count_of(text, " -> ") - count_of(before, " -> "), 2);
  CHECK(strncmp(text, "digraph", 7) == 0);
  end();
  free(text);
  free(before);
}

TEST(a_failed_free_keeps_the_memory_in_use) {
  begin(0);
  CHECK(zeMemFree(NULL, app.memory) != ZE_RESULT_SUCCESS);
  char *text = written("run.json");
  CHECK_EQ(last_bytes(text), SIZE);
  end();
  free(text);
}

/* The embedded device fails the second query of an image's size. */
TEST(image_memory_is_counted_by_driver_properties_or_descriptors) {
  if (getenv("ZE_ENABLE_ALT_DRIVERS") == NULL) SKIP("a driver that fails no call");
  const ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
          .type = ZE_IMAGE_FORMAT_TYPE_UINT,
          .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
          .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
          .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 30,
      .height = 20,
      .depth = 1};
  ze_image_handle_t images[2];
  begin(0);
  for (uint32_t i = 0; i < 2; i++)
    CHECK_EQ(zeImageCreate(app.context, app.device, &desc, &images[i]), ZE_RESULT_SUCCESS);
  char *text = written("run.json");
  CHECK_EQ(figure(text, "images of computed size"), 1);
  CHECK_EQ(last_bytes(text), SIZE + 2 * 30 * 20 * 4);
  free(text);
  CHECK(zeImageDestroy(NULL) != ZE_RESULT_SUCCESS);
  CHECK_EQ(zeImageDestroy(images[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeImageDestroy(images[1]), ZE_RESULT_SUCCESS);
  text = written("after.json");
  CHECK_EQ(last_bytes(text), SIZE);
  free(text);
  end();
}

TEST(an_unwritable_file_gives_one_diagnostic) {
  begin(0);
  CHECK_EQ(syclze_trace_write("/nowhere/at/all.json"), ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK_EQ(diagnostics, 1);
  CHECK_EQ(symlink("/dev/full", path_of("full.html")), 0);
  CHECK_EQ(syclze_trace_write(path_of("full.html")), ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK_EQ(diagnostics, 2);
  remove(path_of("full.html"));
  end();
}

TEST(file_names_without_a_known_format_are_refused) {
  begin(0);
  CHECK_EQ(syclze_trace_write("run.txt"), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(syclze_trace_write("run"), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(syclze_trace_write(NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(diagnostics, 3);
  end();
}

/* A kernel's name is the module's, and what it says is no part of the file's format. */
TEST(names_are_text_in_every_format) {
  static const char name[] = "a\"b\\c\n</script><script>alert(1)</script><!-- \xc3\xa9&lt;\xe9"
                             "\xf0\x9f\x98\x80\xed\xa0\x80\xc0\xaf\xe2\x82";
#define CHARACTERS(less, ampersand)                                                                \
  less "/script>" less "script>alert(1)" less "/script>" less "!-- \xc3\xa9" ampersand             \
       "lt;" MALFORMED                                                                             \
       "\xf0\x9f\x98\x80" MALFORMED MALFORMED MALFORMED MALFORMED MALFORMED MALFORMED MALFORMED
#define MALFORMED "\xef\xbf\xbd"
  static const char *const texts[] = {
      "a\\\"b\\\\c\\u000a" CHARACTERS("\\u003c", "&"),
      "a\\\"b\\\\c " CHARACTERS("<", "&amp;"),
      "a\"b\\c " CHARACTERS("<", "&"),
  };
#undef CHARACTERS
#undef MALFORMED
  for (int format = SYCLZE__TEXT_JSON; format <= SYCLZE__TEXT_PLAIN; format++) {
    FILE *file = fopen(path_of("name"), "w");
    CHECK(file != NULL);
    syclze__write_text(file, (enum syclze__text_format)format, name);
    fclose(file);
    char *bytes = whole_file(path_of("name"));
    CHECK_STR_EQ(bytes, texts[format]);
    free(bytes);
    remove(path_of("name"));
  }
  begin(0);
  char *page = written("page.html");
  CHECK_EQ(count_of(page, " src="), 0);
  CHECK_EQ(count_of(page, "<link"), 0);
  CHECK_EQ(count_of(page, "import("), 0);
  CHECK_EQ(count_of(page, "fetch("), 0);
  free(page);
  end();
}

/* A range that began before another one's end, in each format; and a queue by the name that it has.
 */
TEST(ranges_and_names_of_the_application_are_in_every_format) { // shows queues 19
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  const syclze_trace_range whole = syclze_trace_range_begin("the whole of it");
  const syclze_trace_range part = syclze_trace_range_begin("its \"part\"");
  CHECK_EQ(syclze_trace_name_object(app.list, "former name"), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_trace_name_object(app.list, "copies <1>"), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_trace_name_object(NULL, "none"), ZE_RESULT_SUCCESS);
  const uint32_t before = diagnostics;
  CHECK_EQ(syclze_trace_name_object(app.list, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(diagnostics, before + 1);
  work();
  syclze_trace_range_end(part);
  syclze_trace_range_end(whole);
  const char *const files[] = {"run.json", "run.html", "run.dot"};
  for (int i = 0; i < 3; i++) {
    char *text = written(files[i]);
    CHECK(count_of(text, i < 2 ? "copies \\u003c1>" : "copies <1>") >= 1);
    CHECK_EQ(count_of(text, "former name"), 0);
    if (i < 2) CHECK_EQ(count_of(text, "the whole of it"), 1);
    if (i < 2) CHECK_EQ(count_of(text, "its \\\"part\\\""), 1);
    free(text);
  }
  end();
}

static ze_kernel_handle_t kernel_of(ze_module_handle_t *module) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "nothing"};
  static unsigned char words[1 << 16];
  FILE *file = fopen("tests/kernels/basic.spv", "rb");
  CHECK(file != NULL);
  const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = fread(words, 1, sizeof words, file),
      .pInputModule = words};
  ze_kernel_handle_t kernel;
  fclose(file);
  CHECK_EQ(zeModuleCreate(app.context, app.device, &module_desc, module, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelCreate(*module, &desc, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(kernel, 1, 1, 1), ZE_RESULT_SUCCESS);
  return kernel;
}

static syclze_context context_of_app(syclze_queue *queue) {
  syclze_device device;
  syclze_context context;
  CHECK_EQ(syclze_make_native(app.device, &device), ZE_RESULT_SUCCESS);
  const syclze_context_input made = {app.context, &device, 1, SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&made, &context), ZE_RESULT_SUCCESS);
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of(app.list),
      .device = device,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&input, context, queue), ZE_RESULT_SUCCESS);
  return context;
}

/* One submission of the library. */
static void submit(ze_module_handle_t module, ze_kernel_handle_t native) {
  const syclze_nd_range one = {.global = {1}, .local = {1}};
  syclze_queue queue;
  syclze_context context = context_of_app(&queue);
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  const syclze_kernel_bundle_input bundle_input = {module, SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&bundle_input, context, &bundle), ZE_RESULT_SUCCESS);
  const syclze_kernel_input input = {bundle, native, SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&input, context, &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_launch(queue, kernel, &one, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel, bundle, queue, context), ZE_RESULT_SUCCESS);
}

/* The number of the first command whose name begins with the text. */
static unsigned long command_of(const char *dot, const char *name) {
  char label[64];
  snprintf(label, sizeof label, "label=\"%s", name);
  const char *at = strstr(dot, label);
  CHECK(at != NULL && (at = strstr(at, "\\n#")) != NULL);
  return strtoul(at + 3, NULL, 10);
}

TEST(a_host_accessor_depends_on_the_command_that_it_waits_for) {
  const uint32_t seven = 7;
  syclze_queue queue;
  syclze_buffer buffer;
  syclze_host_accessor accessor;
  begin(0);
  syclze_context context = context_of_app(&queue);
  const syclze_buffer_input input = {
      .native_handle = app.memory, .element_size = 4, .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_native(&input, context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &seven, sizeof seven, SIZE, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer, queue, context), ZE_RESULT_SUCCESS);
  char *text = written("run.dot"), edge[64];
  const unsigned long host = command_of(text, "host accessor (writer.c:");
  snprintf(edge, sizeof edge, "  c%lu -> c%lu;\n", host - 1, host);
  CHECK_EQ(count_of(text, edge), 1);
  free(text);
  end();
}

/* A named kernel is appended by the application and by a submission; a kernel that is made later
 * has its own. */
TEST(kernels_have_the_names_of_the_application) { // shows queues 19
  const ze_group_count_t groups = {1, 1, 1};
  begin(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_module_handle_t module, other;
  ze_kernel_handle_t kernel = kernel_of(&module);
  CHECK_EQ(zeCommandListAppendLaunchKernel(app.list, kernel, &groups, app.events[0], 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(app.events[0], UINT64_MAX), ZE_RESULT_SUCCESS);
  char *before = written("before.dot");
  CHECK(count_of(before, "nothing") >= 1);
  CHECK_EQ(syclze_trace_name_object(kernel, "smooth <1>"), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendLaunchKernel(app.list, kernel, &groups, app.events[1], 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(app.events[1], UINT64_MAX), ZE_RESULT_SUCCESS);
  submit(module, kernel);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  const char *const files[] = {"run.json", "run.html", "run.dot"};
  for (int i = 0; i < 3; i++) {
    char *text = written(files[i]);
    CHECK(count_of(text, i < 2 ? "smooth \\u003c1>" : "smooth <1>") >= 1);
    if (i == 0) CHECK(count_of(text, "launch smooth \\u003c1> (writer.c:") >= 1);
    if (i == 2) CHECK_EQ(count_of(text, "nothing"), count_of(before, "nothing"));
    free(text);
  }
  kernel = kernel_of(&other);
  CHECK_EQ(zeCommandListAppendLaunchKernel(app.list, kernel, &groups, app.events[2], 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(app.events[2], UINT64_MAX), ZE_RESULT_SUCCESS);
  char *after = written("after.dot");
  CHECK(count_of(after, "nothing") > count_of(before, "nothing"));
  free(before);
  free(after);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(other), ZE_RESULT_SUCCESS);
  end();
}

/* The output of a function to stderr; the caller frees it. */
static char *on_stderr(ze_result_t (*write_trace)(const char *), const char *path) {
  const int before = dup(2);
  FILE *file = fopen(path_of("stderr"), "w");
  CHECK(file != NULL && dup2(fileno(file), 2) == 2);
  const ze_result_t result = write_trace(path);
  fflush(stderr);
  CHECK_EQ(dup2(before, 2), 2);
  close(before);
  fclose(file);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  char *text = whole_file(path_of("stderr"));
  remove(path_of("stderr"));
  return text;
}

/* The row of a name: count, total, average, minimum, maximum. */
static void read_row(const char *table, const char *name, double *numbers) {
  char end[64];
  snprintf(end, sizeof end, "  %s\n", name);
  const char *at = strstr(table, end);
  CHECK(at != NULL);
  while (at > table && at[-1] != '\n')
    at--;
  CHECK_EQ(sscanf(at, "%lf %lf %lf %lf %lf", &numbers[0], &numbers[1], &numbers[2], &numbers[3],
               &numbers[4]),
      5);
}

TEST(totals_are_a_table_on_stderr) { // shows queues 19
  enum { COUNT = 5 };
  double of_ranges[5], of_calls[5];
  begin(0);
  for (int i = 0; i < COUNT; i++) {
    const syclze_trace_range range = syclze_trace_range_begin("a counted range");
    uint32_t none = 0;
    CHECK_EQ(zeDriverGet(&none, NULL), ZE_RESULT_SUCCESS);
    syclze_trace_range_end(range);
  }
  char *table = on_stderr(syclze_trace_write, "table");
  CHECK(strstr(table, "count      total us        avg us        min us        max us") != NULL);
  read_row(table, "a counted range", of_ranges);
  read_row(table, "zeDriverGet", of_calls);
  CHECK(of_ranges[0] == COUNT && of_calls[0] >= COUNT);
  for (int i = 0; i < 2; i++) {
    const double *row = i ? of_calls : of_ranges;
    CHECK(row[3] <= row[2] && row[2] <= row[4] && row[4] <= row[1]);
    CHECK(row[2] * row[0] <= row[1] + 0.001 * row[0] && row[2] * row[0] >= row[1] - 0.002 * row[0]);
  }
  free(table);
  end();
}

/* The child is not recorded; the parent is, before and after. The lock is one that a thread of the
 * parent holds while it writes. */
TEST(a_child_records_nothing) {
  begin(0);
  syclze__mutex_lock(&SYCLZE__STATE.recorder->rings->lock);
  const pid_t child = fork();
  if (child != 0) syclze__mutex_unlock(&SYCLZE__STATE.recorder->rings->lock);
  if (child == 0) {
    uint32_t none = 0;
    zeDriverGet(&none, NULL);
    alarm(60);
    if (syclze_trace_write("table") != ZE_RESULT_ERROR_UNINITIALIZED) _exit(2);
    _exit(SYCLZE__STATE.recorder->rings->stopped ? 0 : 1);
  }
  int status = 1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  char *before = written("before.json");
  uint32_t none = 0;
  CHECK_EQ(zeDriverGet(&none, NULL), ZE_RESULT_SUCCESS);
  char *text = written("run.json");
  CHECK_EQ(count_of(text, "zeDriverGet\"") - count_of(before, "zeDriverGet\""), 1);
  end();
  free(text);
  free(before);
}

__attribute__((constructor)) static void prepare(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  setenv("ZECL_FAIL", "zeImageGetMemoryPropertiesExp:2", 1);
  if (mkdtemp(folder) == NULL) abort();
}

__attribute__((destructor)) static void tidy(void) {
  rmdir(folder);
}

TEST_MAIN(chrome_format_has_calls_commands_arrows_and_memory,
    commands_with_events_without_timestamps_are_counted,
    timestamps_are_read_before_an_event_is_reset,
    times_of_pending_events_are_read_when_the_trace_is_written,
    what_waits_for_an_event_that_was_reset_depends_on_no_earlier_command,
    the_graph_has_a_node_for_each_command_and_its_edges, a_failed_free_keeps_the_memory_in_use,
    image_memory_is_counted_by_driver_properties_or_descriptors,
    an_unwritable_file_gives_one_diagnostic, names_are_text_in_every_format,
    file_names_without_a_known_format_are_refused,
    ranges_and_names_of_the_application_are_in_every_format,
    a_host_accessor_depends_on_the_command_that_it_waits_for,
    kernels_have_the_names_of_the_application, totals_are_a_table_on_stderr,
    a_child_records_nothing)
