/* Variables of images that a kernel's image is linked with: all in one module by the driver's
   extension, or each in the module of its image, by zeModuleDynamicLink. */
#define _POSIX_C_SOURCE 200809L
#include "support/offload.h"
#include "support/spy.h"
#include "tests/offload/support/properties.h"

#include "syclze/offload/global.h"
#include "syclze/offload/launch.h"
#include "syclze/offload/registry.h"

#include <sys/wait.h>
#include <unistd.h>

/* A kernel's image, and the one that has the variable which the kernel imports. */
struct linked {
  struct offload o;
  syclze_queue queue;
  bool is_native;
  syclze_offload_string strings[OFFLOAD_FILES][2]; /* which the images of the set refer to */
};

/* A native module of tests/kernels, which is built with the embedded device. */
static const char *native_path(const char *name) {
  static char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  CHECK(length > 0);
  path[length] = 0;
  for (int parts = 0; parts < 2; parts++)
    *strrchr(path, '/') = 0;
  const size_t used = strlen(path);
  snprintf(path + used, sizeof path - used, "/zecl/test/kernels/%s.so", name);
  return path;
}

static void begin(struct linked *l, bool is_native) {
  given_needs_execution();
  memset(l, 0, sizeof *l);
  offload_begin(&l->o, NULL);
  l->queue = offload_queue(&l->o);
  l->is_native = is_native;
}

static void end(struct linked *l) {
  CHECK_EQ(syclze_queue_release(l->queue), ZE_RESULT_SUCCESS);
  offload_end(&l->o);
}

static void add(struct linked *l, const char *path, const char *kernel,
    const struct properties_set *sets, size_t count) {
  const struct given_file file = l->o.files[l->o.file_count++] = given_file(path);
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file.bytes, file.size));
  syclze_offload_string *strings = l->strings[l->o.file_count - 1];
  strings[0] =
      (syclze_offload_string){syclze_text_of("triple"), syclze_bytes_of("spir64_x86_64", 13)};
  strings[1] =
      (syclze_offload_string){syclze_text_of("symbols"), syclze_bytes_of(kernel, strlen(kernel))};
  if (l->is_native) syclze_offload_image_set_strings(&image, strings, 2);
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + count);
  CHECK_EQ(syclze_offload_set_add(l->o.set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
}

/* Adds both: the user imports the variable, which the owner exports and describes. */
static void add_both(struct linked *l, const char *user, const char *kernel, const char *owner,
    const char *name, uint32_t has_scope) {
  static struct properties_bytes value;
  static struct properties_property imported, exported, variable;
  static struct properties_set of_user[1], of_owner[2];
  const uint32_t words[] = {4 * sizeof(int), has_scope};
  value = properties_bytes_of(words, sizeof words);
  imported = exported = properties_number(name, 1);
  variable = properties_property(name, &value);
  of_user[0] = (struct properties_set){"SYCL/imported symbols", &imported, &imported + 1};
  of_owner[0] = (struct properties_set){"SYCL/exported symbols", &exported, &exported + 1};
  of_owner[1] = (struct properties_set){"SYCL/device globals", &variable, &variable + 1};
  add(l, user, kernel, of_user, 1);
  add(l, owner, "unused", of_owner, 2);
}

static void launch(struct linked *l, const char *kernel, syclze_argument argument) {
  static char log[1024];
  const syclze_nd_range one = {.global = {1}};
  const syclze_program_request request = {.kernel = kernel, .log = log, .log_size = sizeof log};
  syclze_event done;
  syclze_group group = syclze_group_begin(l->queue);
  const ze_result_t result =
      syclze_program_launch(l->o.program, &group, &request, &one, &argument, 1, &done);
  if (result != ZE_RESULT_SUCCESS) check_fail(__FILE__, __LINE__, "%s: %s", kernel, log);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
}

static void copy(
    struct linked *l, const char *kernel, const char *name, int *values, bool is_to, size_t size) {
  const syclze_program_request request = {.kernel = kernel};
  syclze_event done;
  syclze_group group = syclze_group_begin(l->queue);
  CHECK_EQ(is_to ? syclze_program_copy_to_global(
                       l->o.program, &group, &request, name, values, size, 0, &done)
                 : syclze_program_copy_from_global(
                       l->o.program, &group, &request, name, values, size, 0, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
}

/* The variable holds its value: it is found in the module that has it. */
TEST(variables_of_images_in_one_module_are_found) {
  struct linked l;
  int value = 21;
  begin(&l, false);
  add_both(&l, "tests/kernels/globals_imports.spv", "double_counter", "tests/kernels/globals.spv",
      "counter", 1);
  copy(&l, "double_counter", "counter", &value, true, sizeof value);
  launch(&l, "double_counter", syclze_arg(l.o.ints));
  CHECK_EQ(l.o.ints[0], 42);
  copy(&l, "double_counter", "counter", &value, false, sizeof value);
  CHECK_EQ(value, 42);
  end(&l);
}

TEST(variables_of_linked_modules_are_found) { // shows offload 24
  struct linked l;
  int value = 20;
  begin(&l, true);
  char *user = strdup(native_path("native_imports"));
  add_both(&l, user, "imported", native_path("native_exports"), "zecl_test_counter", 1);
  copy(&l, "imported", "zecl_test_counter", &value, true, sizeof value);
  launch(&l, "imported", syclze_arg(l.o.ints));
  CHECK(l.o.ints[0] == 21 && l.o.ints[1] == 31 && l.o.ints[2] == 31);
  copy(&l, "imported", "zecl_test_counter", &value, false, sizeof value);
  CHECK_EQ(value, 31);
  end(&l);
  free(user);
}

/* No image describes this one: the first module that exports it has it. */
TEST(variables_that_are_not_described_are_found_in_linked_modules) {
  struct linked l;
  void *value, *none;
  begin(&l, true);
  char *user = strdup(native_path("native_imports"));
  add_both(&l, user, "imported", native_path("native_exports"), "zecl_test_shared", 0);
  const syclze_program_request request = {.kernel = "imported"};
  CHECK_EQ(syclze_program_get_global(
               l.o.program, l.o.device, &request, "zecl_test_counter", &value, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(*(const int *)value, 100);
  CHECK_EQ(
      syclze_program_get_global(l.o.program, l.o.device, &request, "zecl_test_other", &none, NULL),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  end(&l);
  free(user);
}

/* The variable holds a pointer, which is stored in the module that has it. */
static void check_pointer(struct linked *l, const char *kernel, const char *name) {
  int values[] = {1, 2, 3, 4};
  launch(l, kernel, syclze_arg(l->o.ints));
  CHECK(l->o.ints[0] == 0 && l->o.ints[3] == 0);
  copy(l, kernel, name, values, true, sizeof values);
  launch(l, kernel, syclze_arg(l->o.ints));
  CHECK(l->o.ints[0] == 1 && l->o.ints[3] == 4);
  memset(values, 0, sizeof values);
  copy(l, kernel, name, values, false, sizeof values);
  CHECK_EQ(values[1], 2);
}

TEST(pointers_of_images_in_one_module_are_stored) { // shows offload 24
  struct linked l;
  begin(&l, false);
  add_both(&l, "tests/kernels/shared_globals_imports.spv", "copy_imported",
      "tests/kernels/shared_globals.spv", "shared_values", 0);
  check_pointer(&l, "copy_imported", "shared_values");
  /* Its own kernels, in a module of their own, have the same. */
  launch(&l, "add_to_shared", syclze_arg((int){5}));
  launch(&l, "copy_imported", syclze_arg(l.o.ints));
  CHECK_EQ(l.o.ints[1], 7);
  end(&l);
}

TEST(pointers_of_linked_modules_are_stored) { // shows offload 24
  struct linked l;
  begin(&l, true);
  char *user = strdup(native_path("native_imports"));
  add_both(&l, user, "copy_shared", native_path("native_exports"), "zecl_test_shared", 0);
  check_pointer(&l, "copy_shared", "zecl_test_shared");
  end(&l);
  free(user);
}

static struct linked shared;
static const char nothing[] = "nothing";

/* Another thread may hold the sanitizer's allocator at the fork. */
static bool is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
  return is_child;
}

static void release_in_child(void) {
  const unsigned destroys = spy_destroys();
  const syclze_bytes bytes = syclze_bytes_of(nothing, sizeof nothing);
  CHECK_EQ(syclze_program_release(shared.o.program), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), destroys);
  CHECK_EQ(syclze_register_image(bytes), ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_EQ(syclze_unregister_image(bytes), 0);
}

/* At the fork another thread may hold the locks of the program and of the registered images. */
TEST(a_child_releases_a_program_without_locks_and_destroys_nothing) {
  int status = -1;
  begin(&shared, true);
  char *user = strdup(native_path("native_imports"));
  add_both(&shared, user, "copy_shared", native_path("native_exports"), "zecl_test_shared", 0);
  check_pointer(&shared, "copy_shared", "zecl_test_shared");
  uint8_t *const locks[] = {(uint8_t *)&shared.o.program.rep->cache.lock,
      (uint8_t *)&syclze_offload_registered().rep->lock};
  for (int i = 0; i < 2; i++)
    locks[i][0] = 1;
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    is_child = true;
    check_case_end = NULL;
    alarm(300);
    release_in_child();
    exit(check_program.case_failed);
  }
  for (int i = 0; i < 2; i++)
    locks[i][0] = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  end(&shared);
  free(user);
}

TEST_MAIN(variables_of_images_in_one_module_are_found, variables_of_linked_modules_are_found,
    variables_that_are_not_described_are_found_in_linked_modules,
    pointers_of_images_in_one_module_are_stored, pointers_of_linked_modules_are_stored,
    a_child_releases_a_program_without_locks_and_destroys_nothing)
