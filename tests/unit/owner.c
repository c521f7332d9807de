/* Owners of native handles (owner.h): when they are called, and what is refused. */
#define _POSIX_C_SOURCE 200809L
#include "support/memory.h"
#include "support/zoo.h"
#include "tests/check.h"

#include <sys/wait.h>
#include <unistd.h>

static struct called {
  unsigned count; /* of calls */
  const void *data;
  ze_result_t result; /* that the callback returns */
} called;

/* An owner's callback: as the owner of the handle it destroys it. */
static ze_result_t destroy(void *data) {
  called.count++;
  called.data = data;
  if (called.result == ZE_RESULT_SUCCESS) fake_destroy(data);
  return called.result;
}

static ze_result_t other(void *data) {
  (void)data;
  CHECK(!"the owner that was refused is called");
  return ZE_RESULT_SUCCESS;
}

static const syclze_object_kind kinds[] = {SYCLZE_OBJECT_CONTEXT, SYCLZE_OBJECT_QUEUE,
    SYCLZE_OBJECT_EVENT, SYCLZE_OBJECT_KERNEL_BUNDLE, SYCLZE_OBJECT_KERNEL, SYCLZE_OBJECT_BUFFER,
    SYCLZE_OBJECT_IMAGE, SYCLZE_OBJECT_SAMPLER};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The name that a diagnostic has: syclze_KIND_VERB. */
static const char *name_of(syclze_object_kind kind, const char *verb) {
  static const char *const names[] = {"none", "platform", "device", "context", "queue", "event",
      "kernel_bundle", "kernel", "buffer", "image", "sampler"};
  static char name[64];
  snprintf(name, sizeof name, "syclze_%s_%s", names[kind], verb);
  return name;
}

static void *native_of(syclze_object_kind kind) {
  switch (kind) {
  case SYCLZE_OBJECT_CONTEXT:
    return zoo.context;
  case SYCLZE_OBJECT_QUEUE:
    return zoo.list;
  case SYCLZE_OBJECT_EVENT:
    return zoo.event;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    return zoo.module;
  case SYCLZE_OBJECT_KERNEL:
    return zoo.kernel;
  case SYCLZE_OBJECT_BUFFER:
    return zoo.memory;
  case SYCLZE_OBJECT_IMAGE:
    return zoo.image;
  default:
    return zoo.sampler;
  }
}

/* An object of the zoo's handle of the kind. */
static syclze_object made(syclze_object_kind kind, syclze_ownership ownership) {
  syclze_backend_input input = zoo_input(kind, ownership);
  syclze_object object;
  CHECK_OK(syclze_make_object(&input, world.context, &object));
  return object;
}

static syclze_owner owner_of(void *native) {
  const syclze_owner owner = {destroy, native};
  return owner;
}

static void check_owner(syclze_object object, syclze_owner owner) {
  const syclze_owner found = syclze_object_get_owner(object);
  CHECK(found.release == owner.release);
  CHECK_EQ(found.data, owner.data);
}

/* Runs a case for each kind, under transfer and under keep. */
static void for_each(void (*body)(syclze_object_kind kind, syclze_ownership ownership)) {
  for (int i = 0; i < KINDS; i++)
    for (int ownership = 0; ownership < 2; ownership++) {
      zoo_begin();
      memset(&called, 0, sizeof called);
      /* Its module may be destroyed. */
      if (kinds[i] == SYCLZE_OBJECT_KERNEL_BUNDLE) fake_destroy(zoo.kernel);
      body(kinds[i], (syclze_ownership)ownership);
      zoo_end();
    }
}

static void own_and_release(syclze_object_kind kind, syclze_ownership ownership) {
  const syclze_owner none = {NULL, NULL};
  void *native = native_of(kind);
  const syclze_object object = made(kind, ownership);
  check_owner(object, none);
  CHECK_OK(syclze_object_set_owner(object, owner_of(native)));
  check_owner(object, owner_of(native));
  CHECK_OK(syclze_object_retain(object));
  CHECK_OK(syclze_object_release(object));
  CHECK_EQ(called.count, 0);
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_object_release(object));
  CHECK_EQ(called.count, 1);
  CHECK_EQ(called.data, native);
  CHECK_EQ(fake_destroys(native), 1);
}

TEST(the_last_release_calls_the_owner_and_destroys_nothing) {
  for_each(own_and_release);
}

/* The memory of an object is used again, without its owner. */
static void make_again(syclze_object_kind kind, syclze_ownership ownership) {
  const syclze_owner none = {NULL, NULL};
  syclze_object object = made(kind, ownership);
  called.result = ZE_RESULT_ERROR_UNKNOWN; /* the handle stays */
  CHECK_OK(syclze_object_set_owner(object, owner_of(native_of(kind))));
  CHECK_FAILED(syclze_object_release(object), ZE_RESULT_ERROR_UNKNOWN, name_of(kind, "release"),
      native_of(kind));
  object = made(kind, SYCLZE_OWNERSHIP_KEEP);
  check_owner(object, none);
  CHECK_OK(syclze_object_release(object));
  CHECK_EQ(called.count, 1);
}

TEST(a_failure_of_the_owner_is_returned_and_the_object_is_released) {
  for_each(make_again);
}

static void set_twice(syclze_object_kind kind, syclze_ownership ownership) {
  const syclze_owner second = {other, NULL};
  void *native = native_of(kind);
  const syclze_object object = made(kind, ownership);
  CHECK_OK(syclze_object_set_owner(object, owner_of(native)));
  CHECK_REFUSED(syclze_object_set_owner(object, second), SYCLZE_RESULT_ERROR_INVALID,
      name_of(kind, "set_owner"), native);
  check_owner(object, owner_of(native));
  CHECK_OK(syclze_object_release(object));
  CHECK_EQ(called.count, 1);
}

TEST(an_object_has_one_owner) {
  for_each(set_twice);
}

static void set_nothing(syclze_object_kind kind, syclze_ownership ownership) {
  const syclze_owner nothing = {NULL, &called};
  void *native = native_of(kind);
  const syclze_object object = made(kind, ownership);
  CHECK_REFUSED(syclze_object_set_owner(object, nothing), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      name_of(kind, "set_owner"), native);
  memory_fail(1);
  CHECK_REFUSED(syclze_object_set_owner(object, owner_of(native)),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, name_of(kind, "set_owner"), native);
  memory_fail(0);
  CHECK_OK(syclze_object_release(object));
  CHECK_EQ(called.count, 0);
  CHECK_EQ(fake_destroys(native), ownership == SYCLZE_OWNERSHIP_TRANSFER);
}

TEST(after_a_refusal_the_handle_is_as_owned_as_before) {
  for_each(set_nothing);
}

TEST(null_objects_and_objects_without_an_end_are_refused) {
  zoo_begin();
  syclze_object object;
  memset(&object, 0, sizeof object);
  const syclze_owner owner = {other, NULL};
  CHECK_REFUSED(syclze_object_set_owner(object, owner), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_object_set_owner", NULL);
  CHECK(syclze_object_get_owner(object).release == NULL);
  for (int i = 0; i < KINDS; i++) {
    object.kind = kinds[i];
    CHECK_REFUSED(syclze_object_set_owner(object, owner), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
        name_of(kinds[i], "set_owner"), NULL);
  }
  object.kind = SYCLZE_OBJECT_DEVICE;
  object.device = world.device;
  CHECK_REFUSED(syclze_object_set_owner(object, owner), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_object_set_owner", NULL);
  CHECK(syclze_object_get_owner(object).release == NULL);
  object.kind = SYCLZE_OBJECT_PLATFORM;
  object.platform = syclze_device_get_platform(world.device);
  CHECK_REFUSED(syclze_object_set_owner(object, owner), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_object_set_owner", NULL);
  zoo_end();
}

TEST(an_event_of_the_library_has_no_owner) {
  zoo_begin();
  const syclze_owner owner = {other, NULL};
  syclze_event event;
  CHECK_OK(syclze_event_create(world.context, 0, &event));
  CHECK_REFUSED(syclze_event_set_owner(event, owner), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_set_owner", syclze_event_get_native(event));
  CHECK_OK(syclze_event_release(event));
  zoo_end();
}

static ze_result_t end_attachment(struct syclze__attachment *attachment) {
  (void)attachment;
  return ZE_RESULT_SUCCESS;
}

TEST(a_bundle_that_ends_what_its_module_needs_has_no_owner) {
  zoo_begin();
  struct syclze__attachment attachment = {end_attachment};
  const syclze_owner owner = {other, NULL};
  zoo.bundle.rep->attachment = &attachment;
  CHECK_REFUSED(syclze_kernel_bundle_set_owner(zoo.bundle, owner), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_kernel_bundle_set_owner", zoo.module);
  zoo.bundle.rep->attachment = NULL;
  zoo_end();
}

TEST(a_kept_kernel_that_was_launched_gets_no_owner) {
  zoo_begin();
  const syclze_owner owner = {other, NULL};
  syclze_kernel kernel = made(SYCLZE_OBJECT_KERNEL, SYCLZE_OWNERSHIP_KEEP).kernel;
  kernel.rep->ref.ownership |= SYCLZE__LAUNCHED;
  CHECK_REFUSED(syclze_kernel_set_owner(kernel, owner), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_kernel_set_owner", zoo.kernel);
  kernel.rep->ref.ownership &= ~(uint32_t)SYCLZE__LAUNCHED;
  CHECK_OK(syclze_kernel_release(kernel));
  zoo_end();
}

/* Handles that the library creates can get an owner too. */
TEST(a_created_object_is_handed_over) {
  zoo_begin();
  memset(&called, 0, sizeof called);
  syclze_queue queue;
  CHECK_OK(syclze_queue_create(world.context, world.device, NULL, &queue));
  void *list = syclze_queue_get_native(queue).list;
  CHECK_OK(syclze_set_owner(queue, (syclze_owner){destroy, list}));
  CHECK_EQ(syclze_get_owner(queue).data, list);
  CHECK_OK(syclze_release(queue));
  CHECK_EQ(called.count, 1);
  CHECK_EQ(fake_destroys(list), 1);
  zoo_end();
}

/* Parents end after their children, and before an owner is called the children are gone. */
TEST(children_end_before_the_owner_of_their_parent_is_called) {
  zoo_begin();
  memset(&called, 0, sizeof called);
  const syclze_context context = made(SYCLZE_OBJECT_CONTEXT, SYCLZE_OWNERSHIP_TRANSFER).context;
  CHECK_OK(syclze_set_owner(context, owner_of(zoo.context)));
  syclze_event event;
  CHECK_OK(syclze_event_create(context, 0, &event));
  const ze_event_handle_t native = syclze_event_get_native(event);
  CHECK_OK(syclze_release(context));
  CHECK_EQ(called.count, 0);
  CHECK_OK(syclze_release(event));
  CHECK_EQ(called.count, 1);
  CHECK(fake_destroyed_as(native) < fake_destroyed_as(zoo.context));
  const syclze_kernel_bundle bundle =
      made(SYCLZE_OBJECT_KERNEL_BUNDLE, SYCLZE_OWNERSHIP_KEEP).kernel_bundle;
  CHECK_OK(syclze_set_owner(bundle, owner_of(zoo.module)));
  const syclze_kernel_input input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_OK(syclze_release(bundle));
  CHECK_EQ(called.count, 1);
  CHECK_OK(syclze_release(kernel));
  CHECK_EQ(called.count, 2);
  CHECK(fake_destroyed_as(zoo.kernel) < fake_destroyed_as(zoo.module));
  CHECK_OK(syclze_kernel_bundle_release(zoo.bundle));
  zoo.bundle.rep = NULL;
  zoo_end();
}

/* Makes and releases objects of each pool, from the callback. */
static ze_result_t use_library(void *data) {
  syclze_event event;
  CHECK_OK(syclze_event_create(world.context, 0, &event));
  CHECK_OK(syclze_event_release(event));
  const syclze_object object = made(SYCLZE_OBJECT_BUFFER, SYCLZE_OWNERSHIP_KEEP);
  CHECK_OK(syclze_object_release(object));
  return destroy(data);
}

TEST(the_callback_may_call_the_library) {
  zoo_begin();
  memset(&called, 0, sizeof called);
  const syclze_object_kind some[] = {
      SYCLZE_OBJECT_KERNEL, SYCLZE_OBJECT_QUEUE, SYCLZE_OBJECT_EVENT};
  for (unsigned i = 0; i < 3; i++) {
    const syclze_object object = made(some[i], SYCLZE_OWNERSHIP_KEEP);
    CHECK_OK(syclze_object_set_owner(object, (syclze_owner){use_library, native_of(some[i])}));
    CHECK_OK(syclze_object_release(object));
    CHECK_EQ(called.count, i + 1);
  }
  zoo_end();
}

static syclze_object inherited[KINDS];

/* Exits with the number of calls of the owner. */
static void release_in_child(void) {
  check_case_end = NULL;
  for (int i = KINDS - 1; i >= 0; i--)
    CHECK_OK(syclze_object_release(inherited[i]));
  _exit((int)called.count + check_program.case_failed);
}

TEST(in_the_child_of_a_fork_no_owner_is_called) {
  zoo_begin();
  memset(&called, 0, sizeof called);
  for (int i = 0; i < KINDS; i++) {
    inherited[i] = made(kinds[i], SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_OK(syclze_object_set_owner(inherited[i], owner_of(native_of(kinds[i]))));
  }
  int status = -1;
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) release_in_child();
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  CHECK_EQ(called.count, 0);
  /* The kernel's bundle is the zoo's, of the same module. */
  CHECK_OK(syclze_kernel_bundle_release(zoo.bundle));
  zoo.bundle.rep = NULL;
  for (int i = KINDS - 1; i >= 0; i--)
    CHECK_OK(syclze_object_release(inherited[i]));
  CHECK_EQ(called.count, KINDS);
  zoo_end();
}

TEST_MAIN(the_last_release_calls_the_owner_and_destroys_nothing,
    a_failure_of_the_owner_is_returned_and_the_object_is_released, an_object_has_one_owner,
    after_a_refusal_the_handle_is_as_owned_as_before,
    null_objects_and_objects_without_an_end_are_refused, an_event_of_the_library_has_no_owner,
    a_bundle_that_ends_what_its_module_needs_has_no_owner,
    a_kept_kernel_that_was_launched_gets_no_owner, a_created_object_is_handed_over,
    children_end_before_the_owner_of_their_parent_is_called, the_callback_may_call_the_library,
    in_the_child_of_a_fork_no_owner_is_called)
