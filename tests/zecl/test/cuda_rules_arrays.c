/* The rules of the libcuda of the tests for arrays, textures and surfaces: see
 * support/cuda_rules.h. */
#define _GNU_SOURCE
#include "support/cuda_rules.h"
#include "support/libcuda.h"

#include "test/harness/check.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(64, 2);
}

static CUarray array_of(unsigned flags) {
  const CUDA_ARRAY3D_DESCRIPTOR desc = {
      .Width = 4, .Height = 2, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4, .Flags = flags};
  CUarray array = NULL;
  CU(array_create)(&array, &desc);
  return array;
}

static CUsurfObject surface_of(CUarray array) {
  const CUDA_RESOURCE_DESC resource = {
      .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  CUsurfObject surface = 0;
  CU(surface_create)(&surface, &resource);
  return surface;
}

static CUtexObject texture_of(CUarray array, CUaddress_mode mode, CUfilter_mode filter) {
  const CUDA_RESOURCE_DESC resource = {
      .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  const CUDA_TEXTURE_DESC desc = {.addressMode = {mode, mode, mode},
      .filterMode = filter,
      .flags = filter == CU_TR_FILTER_MODE_LINEAR ? CU_TRSF_READ_AS_INTEGER : 0u};
  CUtexObject texture = 0;
  CU(texture_create)(&texture, &resource, &desc, NULL);
  return texture;
}

static void copy_to_array(CUarray array, size_t x, size_t width) {
  const CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
      .srcDevice = rules_made.device,
      .srcPitch = 64,
      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
      .dstArray = array,
      .dstXInBytes = x,
      .WidthInBytes = width,
      .Height = 2,
      .Depth = 1};
  CU(copy_3d)(&box, rules_made.stream);
}

static void nothing_is_broken(void) {
  rules_make();
  CUarray array = array_of(CUDA_ARRAY3D_SURFACE_LDST);
  const CUsurfObject surface = surface_of(array);
  const CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_POINT);
  copy_to_array(array, 16, 48);
  CU(stream_synchronize)(rules_made.stream);
  CU(texture_destroy)(texture);
  CU(surface_destroy)(surface);
  CU(array_destroy)(array);
  rules_unmake();
}

static void destroyed_array(void) {
  rules_make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  copy_to_array(array, 0, 64);
}

static void array_destroyed_twice(void) {
  rules_make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  CU(array_destroy)(array);
}

static void array_in_use(void) {
  rules_make();
  CUarray array = array_of(CUDA_ARRAY3D_SURFACE_LDST);
  surface_of(array);
  CU(array_destroy)(array);
}

static void no_surface_array(void) {
  rules_make();
  surface_of(array_of(0));
}

static void texture_of_a_destroyed_array(void) {
  rules_make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT);
}

static void texture_destroyed_twice(void) {
  rules_make();
  const CUtexObject texture =
      texture_of(array_of(0), CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT);
  CU(texture_destroy)(texture);
  CU(texture_destroy)(texture);
}

static void surface_as_a_texture(void) {
  rules_make();
  CU(texture_destroy)(surface_of(array_of(CUDA_ARRAY3D_SURFACE_LDST)));
}

static void repeats_what_is_not_normalised(void) {
  rules_make();
  texture_of(array_of(0), CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT);
}

static void filtered_integers(void) {
  rules_make();
  texture_of(array_of(0), CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR);
}

static void beyond_the_edge(void) {
  rules_make();
  copy_to_array(array_of(0), 16, 64);
}

static void part_of_an_element(void) {
  rules_make();
  copy_to_array(array_of(0), 8, 16);
}

TEST(what_is_right_passes) {
  rules_check_right(nothing_is_broken);
}

TEST(each_rule_is_kept) {
  static const struct rule rules[] = {{destroyed_array, "of a destroyed array"},
      {array_destroyed_twice, "of a destroyed array"},
      {array_in_use, "of an array that has textures or surfaces"},
      {no_surface_array, "that was not made for surfaces"},
      {texture_of_a_destroyed_array, "of a destroyed array"},
      {texture_destroyed_twice, "of what was destroyed"},
      {surface_as_a_texture, "cuTexObjectDestroy of what is none"},
      {repeats_what_is_not_normalised, "only normalised coordinates repeat"},
      {filtered_integers, "integers are not filtered"},
      {beyond_the_edge, "goes beyond the edge of an array"},
      {part_of_an_element, "of parts of an element"}};
  rules_check_each(rules, sizeof rules / sizeof *rules);
}

TEST_MAIN(what_is_right_passes, each_rule_is_kept)
