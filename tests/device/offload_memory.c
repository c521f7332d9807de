/* Each host allocation of a program, and of a build whose module has device globals, fails once: it
   is refused, nothing is left behind, and it succeeds the next time. */
#include "support/failing.h"

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#include "syclze/offload/global.h"
#undef malloc
#undef calloc
#undef realloc

#include "support/offload.h"
#include "tests/offload/support/properties.h"

enum { MOST = 2000, VALUES = 4 };

/* The file's image, with DPC++'s properties of a variable without the scope of an image. */
static void add_image(struct offload *o, const struct properties_set *sets) {
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(o->files[0].bytes, o->files[0].size));
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 1);
  syclze_offload_set_remove(o->set, o->files[0].bytes);
  CHECK_EQ(syclze_offload_set_add(o->set, &image, o->files[0].bytes, NULL), ZE_RESULT_SUCCESS);
}

TEST(a_build_with_device_globals_without_memory_succeeds_later) {
  const uint32_t words[] = {VALUES * sizeof(int), 0};
  const struct properties_bytes value = properties_bytes_of(words, sizeof words);
  const struct properties_property variable = properties_property("shared_values", &value);
  const struct properties_set sets[] = {{"SYCL/device globals", &variable, &variable + 1}};
  const syclze_program_request request = {.kernel = "add_to_shared"};
  struct offload o;
  int failures = 0;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/kernels/shared_globals.spv");
  add_image(&o, sets);
  const syclze_program_desc desc = {.set = o.set, .cache_folder = ""};
  for (long n = 1; n < MOST; n++) {
    syclze_program program;
    void *memory = NULL;
    size_t size = 0;
    CHECK_EQ(syclze_program_create(o.context, &desc, &program), ZE_RESULT_SUCCESS);
    failing_at(n);
    ze_result_t result =
        syclze_program_get_global(program, o.device, &request, "shared_values", &memory, &size);
    bool has_failed = failing_end();
    if (result != ZE_RESULT_SUCCESS) {
      CHECK(has_failed && memory == NULL && size == 0);
      failures++;
      CHECK_EQ(
          syclze_program_get_global(program, o.device, &request, "shared_values", &memory, &size),
          ZE_RESULT_SUCCESS);
    }
    CHECK(memory != NULL);
    CHECK_EQ(size, VALUES * sizeof(int));
    CHECK_EQ(syclze_program_release(program), ZE_RESULT_SUCCESS);
    if (!has_failed) break;
  }
  CHECK(failures >= 4);
  offload_end(&o);
}

TEST(a_program_without_memory_is_made_later) {
  struct offload o;
  bool has_failed = true;
  int failures = 0;
  offload_begin(&o, NULL);
  const syclze_program_desc desc = {.set = o.set, .build_flags = "-g", .cache_folder = ""};
  for (long n = 1; has_failed; n++) {
    syclze_program program;
    failing_at(n);
    const ze_result_t result = syclze_program_create(o.context, &desc, &program);
    has_failed = failing_end();
    CHECK_EQ(result, has_failed ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_SUCCESS);
    CHECK_EQ(program.rep != NULL, !has_failed);
    CHECK_EQ(syclze_program_release(program), ZE_RESULT_SUCCESS);
    failures += has_failed;
  }
  CHECK(failures >= 3); /* the program, its folder, its variables */
  offload_end(&o);
}

TEST_MAIN(a_program_without_memory_is_made_later,
    a_build_with_device_globals_without_memory_succeeds_later)
