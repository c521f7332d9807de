/* Kernels: refused inputs, ownership of the handle, retained parents. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

static ze_module_handle_t module;
static syclze_kernel_bundle bundle;

/* A world with a bundle of a kept module that has the named kernels. */
static void begin(const char *names) {
  world_begin();
  module = fake_module(world.native_context, names);
  syclze_kernel_bundle_input input = {module, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &bundle));
}

static void end(void) {
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  fake_destroy(module);
  world_end();
}

static syclze_kernel_input input_of(ze_kernel_handle_t native) {
  syclze_kernel_input input = {0};
  input.kernel_bundle = bundle;
  input.native_handle = native;
  return input;
}

static void check_refused(syclze_kernel_input input, syclze_context context, ze_result_t code) {
  syclze_kernel kernel = {(struct syclze__kernel *)&input};
  CHECK_REFUSED(syclze_make_kernel(&input, context, &kernel), code, "syclze_make_kernel",
      input.native_handle);
  CHECK_EQ(kernel.rep, NULL);
  if (input.native_handle != NULL) CHECK(fake_is_alive(input.native_handle));
}

/* Makes the next kernel need no memory. */
static void make_and_release(ze_kernel_handle_t native) {
  syclze_kernel_input input = input_of(native);
  syclze_kernel kernel;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_OK(syclze_kernel_release(kernel));
}

/* A kernel of the first name is accepted, one of the second refused. */
static void check_distinguished(const char *name, const char *other) {
  syclze_kernel_input fits = input_of(fake_kernel(module, name));
  syclze_kernel_input does_not = input_of(fake_kernel(module, other));
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&fits, world.context, &kernel));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_EQ(fake_destroys(fits.native_handle), 1);
  check_refused(does_not, world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(does_not.native_handle);
}

TEST(transfer_destroys_once_after_the_last_reference) { // shows backend 55
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel;
  CHECK_EQ(input.ownership, SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_OK(syclze_kernel_retain(kernel));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  CHECK(fake_is_alive(module));
  end();
}

TEST(keep_never_destroys) { // shows backend 55
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_kernel kernel;
    CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
    CHECK_OK(syclze_kernel_release(kernel));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(input.native_handle);
  end();
}

TEST(the_native_handle_is_always_the_same) {
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  unsigned calls = fake_all_calls();
  for (int i = 0; i < 10; i++)
    CHECK_EQ(syclze_kernel_get_native(kernel), input.native_handle);
  CHECK_EQ(syclze_kernel_get_kernel_bundle(kernel).rep, bundle.rep);
  CHECK_EQ(syclze_kernel_get_context(kernel).rep, world.context.rep);
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_OK(syclze_kernel_release(kernel));
  end();
}

TEST(a_kernel_keeps_its_bundle_and_the_bundle_its_context) { // shows backend 51
  world_begin();
  syclze_context context;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  ze_context_handle_t native_context = syclze_context_get_native(context);
  module = fake_module(native_context, "add");
  syclze_kernel_bundle_input bundle_input = {module, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_OK(syclze_make_kernel_bundle(&bundle_input, context, &bundle));
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&input, context, &kernel));
  CHECK_OK(syclze_context_release(context));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_all_destroys(), 0);
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_EQ(fake_destroyed_as(input.native_handle), 1);
  CHECK_EQ(fake_destroyed_as(module), 2);
  CHECK_EQ(fake_destroyed_as(native_context), 3);
  world_end();
}

TEST(null_arguments_are_refused) {
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_context none = {0};
  syclze_kernel kernel = {(struct syclze__kernel *)&input}, null = {0};
  CHECK_REFUSED(syclze_make_kernel(NULL, world.context, &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_kernel", NULL);
  CHECK_EQ(kernel.rep, NULL);
  CHECK_REFUSED(syclze_make_kernel(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_kernel", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(input_of(NULL), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  syclze_kernel_input without_bundle = input;
  without_bundle.kernel_bundle.rep = NULL;
  check_refused(without_bundle, world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_OK(syclze_kernel_retain(null));
  CHECK_OK(syclze_kernel_release(null));
  fake_destroy(input.native_handle);
  end();
}

TEST(an_invalid_ownership_is_refused) {
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  make_and_release(input.native_handle);
  input.ownership = (syclze_ownership)2;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(input.native_handle);
  end();
}

TEST(a_bundle_of_another_context_is_refused) { // shows backend 54
  begin("add");
  ze_context_handle_t other = fake_context(world.driver);
  syclze_context context = world_context(other, &world.device, 1);
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  check_refused(input, context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  CHECK_OK(syclze_context_release(context));
  context = world_context(world.native_context, &world.device, 1);
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&input, context, &kernel));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_OK(syclze_context_release(context));
  fake_destroy(other);
  end();
}

/* No function makes such a bundle yet; 4.3 has the rule all the same. */
TEST(a_bundle_without_exactly_one_module_is_refused) { // shows backend 53
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  make_and_release(input.native_handle);
  for (size_t count = 0; count < 3; count += 2) {
    bundle.rep->module_count = count;
    check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
  }
  bundle.rep->module_count = 1;
  fake_destroy(input.native_handle);
  end();
}

TEST(a_kernel_of_another_module_is_refused_by_name) { // shows backend 52
  begin("add scale");
  check_distinguished("scale", "scal");
  check_distinguished("add", "scales");
  CHECK_EQ(fake_calls(FAKE_zeKernelGetName), 4);
  end();
}

TEST(drivers_that_do_not_update_the_name_size_are_handled) {
  begin("add scale");
  fake.name_size_unchanged = 1;
  check_distinguished("scale", "scal");
  end();
}

TEST(names_of_any_length_are_compared_in_full) {
  static const size_t lengths[] = {1, 7, 125, 126, 127, 128, 129, 130, 1000, 4000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const size_t length = lengths[i];
    char name[4096], other[4096];
    memset(name, 'k', length);
    memset(other, 'k', length);
    name[length] = other[length] = '\0';
    other[length - 1] = 'l';
    begin(name);
    check_distinguished(name, other);
    end();
  }
}

TEST(modules_with_any_number_of_kernels_are_searched_in_full) {
  for (int count = 14; count < 20; count++) {
    char names[256] = "";
    for (int i = 0; i < count; i++)
      snprintf(names + strlen(names), sizeof names - strlen(names), "k%d ", i);
    char last[16], none[16];
    snprintf(last, sizeof last, "k%d", count - 1);
    snprintf(none, sizeof none, "k%d", count);
    begin(names);
    check_distinguished(last, none);
    check_distinguished("k0", "");
    end();
  }
}

TEST(a_module_without_kernels_has_no_kernel) {
  begin("");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(input.native_handle);
  end();
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel;
  world_use_up(SYCLZE__POOL_KERNEL);
  check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  fake.name_size_unchanged = 1;
  for (unsigned nth = 1; nth <= 2; nth++) { /* the name, and the module's names */
    memory_fail(nth);
    check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  }
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  end();
}

TEST(a_failed_destroy_is_reported_and_the_memory_freed) {
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel;
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  fake_fail(FAKE_zeKernelDestroy, 1, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_FAILED(syclze_kernel_release(kernel), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
      "syclze_kernel_release", input.native_handle);
  fake_destroy(input.native_handle);
  end();
}

TEST(create_owns_the_native_kernel) {
  begin("add scale");
  syclze_kernel kernel;
  CHECK_OK(syclze_kernel_create(bundle, "scale", &kernel));
  ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  CHECK_EQ(syclze_kernel_get_kernel_bundle(kernel).rep, bundle.rep);
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_EQ(fake_destroys(native), 1);
  end();
}

enum {
  EVERY_MEMORY = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                 ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
};

TEST(a_created_kernel_accesses_memory_of_every_kind_indirectly) { // shows promises 32
  begin("add");
  syclze_kernel kernel;
  CHECK_OK(syclze_kernel_create(bundle, "add", &kernel));
  CHECK_EQ(fake_calls(FAKE_zeKernelSetIndirectAccess), 1);
  CHECK_EQ(fake_seen.indirect_access, EVERY_MEMORY);
  CHECK_OK(syclze_kernel_release(kernel));
  fake_fail(FAKE_zeKernelSetIndirectAccess, 1, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK_FAILED(syclze_kernel_create(bundle, "add", &kernel), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_kernel_create", module);
  CHECK_EQ(kernel.rep, NULL);
  end();
}

TEST(the_indirect_access_of_a_wrapped_kernel_is_set_on_request) { // shows promises 32
  begin("add");
  syclze_kernel_input input = input_of(fake_kernel(module, "add"));
  syclze_kernel kernel, none = {0};
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_EQ(fake_calls(FAKE_zeKernelSetIndirectAccess), 0);
  CHECK_OK(syclze_kernel_set_indirect_access(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  CHECK_EQ(fake_seen.indirect_access, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
  fake_fail(FAKE_zeKernelSetIndirectAccess, 1, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK_REFUSED(syclze_kernel_set_indirect_access(kernel, 0), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_kernel_set_indirect_access", input.native_handle);
  CHECK_REFUSED(syclze_kernel_set_indirect_access(none, EVERY_MEMORY),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_kernel_set_indirect_access", NULL);
  CHECK_OK(syclze_kernel_release(kernel));
  end();
}

TEST(create_refuses_a_name_the_module_lacks) {
  begin("add");
  syclze_kernel kernel = {(struct syclze__kernel *)&world};
  syclze_kernel_bundle none = {0};
  const char *function = "syclze_kernel_create";
  CHECK_REFUSED(syclze_kernel_create(bundle, "scale", &kernel), ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
      function, module);
  CHECK_EQ(kernel.rep, NULL);
  CHECK_REFUSED(syclze_kernel_create(bundle, NULL, &kernel), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      function, NULL);
  CHECK_REFUSED(syclze_kernel_create(none, "add", &kernel), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      function, NULL);
  CHECK_REFUSED(syclze_kernel_create(bundle, "add", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      function, NULL);
  end();
}

TEST_MAIN(transfer_destroys_once_after_the_last_reference, keep_never_destroys,
    the_native_handle_is_always_the_same, a_kernel_keeps_its_bundle_and_the_bundle_its_context,
    null_arguments_are_refused, an_invalid_ownership_is_refused,
    a_bundle_of_another_context_is_refused, a_bundle_without_exactly_one_module_is_refused,
    a_kernel_of_another_module_is_refused_by_name,
    drivers_that_do_not_update_the_name_size_are_handled, names_of_any_length_are_compared_in_full,
    modules_with_any_number_of_kernels_are_searched_in_full, a_module_without_kernels_has_no_kernel,
    the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_memory_freed, create_owns_the_native_kernel,
    create_refuses_a_name_the_module_lacks,
    a_created_kernel_accesses_memory_of_every_kind_indirectly,
    the_indirect_access_of_a_wrapped_kernel_is_set_on_request)
