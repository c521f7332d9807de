/* Specialisation constants: the specification's own example, what compilers write, and what they do
   not. */
#include "support/properties.h"
#include "support/sample.h"
#include "support/words.h"

#include "syclze/offload/spec_constant.h"
#include "tests/check.h"

static syclze_spec_constants make(const syclze_offload_image *image) {
  syclze_spec_constants constants;
  CHECK_EQ(syclze_spec_constants_make(image, &constants), ZE_RESULT_SUCCESS);
  CHECK(constants.rep != NULL);
  return constants;
}

/* A module with 32-bit constants of the SpecIds `first` to `last`, the default of each ten times
   its id. */
static struct words module_of(uint32_t first, uint32_t last) {
  struct words w = words_begin(64);
  words_add(&w, 17, 1, 6);
  for (uint32_t id = first; id <= last; id++)
    words_add(&w, 71, 3, 10 + id, 1, id);
  words_add(&w, 21, 3, 1, 32, 0);
  for (uint32_t id = first; id <= last; id++)
    words_add(&w, 50, 3, 1, 10 + id, 10 * id);
  return w;
}

/* The specification's example (offload design, "Collecting spec constants info"). */
struct nested {
  float a, b;
};
struct A {
  int x;
  struct nested n;
};

struct example {
  struct words words;
  struct properties_bytes id_int, id_A, defaults;
  struct properties_property list[2], all[1];
  struct properties_set sets[2];
  syclze_offload_image image;
};

static void example_make(struct example *e, uint32_t last_id) {
  static const syclze_spec_leaf int_leaves[] = {{0, 0, 4}};
  static const syclze_spec_leaf A_leaves[] = {{1, 0, 4}, {2, 4, 4}, {3, 8, 4}};
  static const struct {
    int id_int;
    struct A id_A;
  } defaults = {42, {7, {1.5f, 2.5f}}};
  memset(e, 0, sizeof *e);
  e->words = module_of(0, last_id);
  e->id_int = properties_bytes_of(int_leaves, sizeof int_leaves);
  e->id_A = properties_bytes_of(A_leaves, sizeof A_leaves);
  e->defaults = properties_bytes_of(&defaults, sizeof defaults);
  e->list[0] = properties_property("id_int_symbolic_ID", &e->id_int);
  e->list[1] = properties_property("id_A_symbolic_ID", &e->id_A);
  e->all[0] = properties_property("all", &e->defaults);
  e->sets[0] = (struct properties_set){SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, e->list, e->list + 2};
  e->sets[1] = (struct properties_set){SYCLZE_PROPERTY_SET_SPEC_DEFAULTS, e->all, e->all + 1};
  e->image = syclze_offload_image_of(words_bytes(&e->words));
  e->image.property_sets_begin = e->sets;
  e->image.property_sets_end = e->sets + 2;
}

static void check_slot(
    const ze_module_constants_t *native, uint32_t at, uint32_t id, uint32_t bits) {
  CHECK(at < native->numConstants);
  CHECK_EQ(native->pConstantIds[at], id);
  uint32_t value;
  memcpy(&value, native->pConstantValues[at], sizeof value);
  CHECK_EQ(value, bits);
}

TEST(the_example_of_the_specification) { // shows offload 33
  struct example e;
  example_make(&e, 3);
  syclze_spec_constants constants = make(&e.image);
  CHECK_EQ(syclze_spec_constants_mode(constants), SYCLZE_SPEC_MODE_NATIVE);
  CHECK_EQ(syclze_spec_constant_count(constants), 2);
  const syclze_spec_constant *a = syclze_spec_constant_find(constants, "id_A_symbolic_ID");
  CHECK(a == syclze_spec_constant_at(constants, 1));
  CHECK_EQ(a->leaf_count, 3);
  CHECK_EQ(a->size, sizeof(struct A));
  CHECK_EQ(a->leaves[2].id, 3);
  CHECK_EQ(a->leaves[2].offset, 8);
  struct A got;
  memcpy(&got, syclze_spec_constant_value(constants, a).data, sizeof got);
  CHECK(got.x == 7 && got.n.a == 1.5f && got.n.b == 2.5f);
  CHECK_EQ(syclze_spec_constants_native(constants).numConstants, 0);

  const struct A mine = {11, {3.0f, 4.0f}};
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, "id_A_symbolic_ID", &mine, sizeof mine), 0);
  ze_module_constants_t native = syclze_spec_constants_native(constants);
  CHECK_EQ(native.numConstants, 3);
  check_slot(&native, 0, 1, 11);
  check_slot(&native, 1, 2, 0x40400000);
  check_slot(&native, 2, 3, 0x40800000);
  CHECK_EQ(syclze_spec_constant_set(constants, "id_int_symbolic_ID", 5), ZE_RESULT_SUCCESS);
  native = syclze_spec_constants_native(constants);
  CHECK_EQ(native.numConstants, 4);
  check_slot(&native, 0, 0, 5);
  CHECK(a->is_set);

  const syclze_bytes blob = syclze_spec_constants_blob(constants);
  CHECK_EQ(blob.size, 4 + sizeof mine);
  CHECK(memcmp((const uint8_t *)blob.data + 4, &mine, sizeof mine) == 0);
  syclze_spec_constants_end(constants);
}

TEST(ids_that_the_module_lacks_are_left_out) { // shows offload 34
  struct example e;
  example_make(&e, 1);
  syclze_spec_constants constants = make(&e.image);
  const struct A mine = {11, {3.0f, 4.0f}};
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, "id_A_symbolic_ID", &mine, sizeof mine), 0);
  ze_module_constants_t native = syclze_spec_constants_native(constants);
  CHECK_EQ(native.numConstants, 1);
  check_slot(&native, 0, 1, 11);
  syclze_spec_constants_end(constants);
}

TEST(native_code_receives_the_blob) { // shows offload 35
  struct example e;
  example_make(&e, 3);
  e.image.bytes = syclze_bytes_of("\177ELF", 4);
  syclze_spec_constants constants = make(&e.image);
  CHECK_EQ(syclze_spec_constants_mode(constants), SYCLZE_SPEC_MODE_EMULATED);
  CHECK_EQ(syclze_spec_constant_set(constants, "id_int_symbolic_ID", 5), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constants_native(constants).numConstants, 0);
  CHECK_EQ(*(const uint8_t *)syclze_spec_constants_blob(constants).data, 5);
  syclze_spec_constants_end(constants);
}

TEST(replaced_constants_keep_their_defaults) {
  struct example e;
  example_make(&e, 3);
  const struct properties_property replaced = properties_number(SYCLZE_PROPERTY_SPEC_REPLACED, 1);
  const struct properties_set sets[] = {
      e.sets[0], e.sets[1], {SYCLZE_PROPERTY_SET_MISC, &replaced, &replaced + 1}};
  e.image.property_sets_begin = sets;
  e.image.property_sets_end = sets + 3;
  syclze_spec_constants constants = make(&e.image);
  CHECK_EQ(syclze_spec_constants_mode(constants), SYCLZE_SPEC_MODE_FIXED);
  CHECK_EQ(syclze_spec_constant_set(constants, "id_int_symbolic_ID", 42), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constant_set(constants, "id_int_symbolic_ID", 43),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_spec_constants_native(constants).numConstants, 0);
  syclze_spec_constants_end(constants);
}

static void check_by_number(const char *name) {
  syclze_bytes sample = sample_read(name);
  syclze_offload_image image = syclze_offload_image_of(sample);
  syclze_spec_constants constants = make(&image);
  CHECK_EQ(syclze_spec_constant_count(constants), 2);
  CHECK_EQ(syclze_spec_constant_at(constants, 0)->name.size, 0);
  CHECK_EQ(*(const uint8_t *)syclze_spec_constants_blob(constants).data, 4);
  const int n = 3;
  const float f = 0.5f;
  const syclze_spec_value values[] = {
      {NULL, 1, &f, sizeof f}, {NULL, 0, &n, sizeof n}, {NULL, 9, &n, sizeof n}, {"no", 0, &n, 4}};
  CHECK_EQ(syclze_spec_constants_apply(constants, values, 4), ZE_RESULT_SUCCESS);
  ze_module_constants_t native = syclze_spec_constants_native(constants);
  CHECK_EQ(native.numConstants, 2);
  check_slot(&native, 0, 0, 3);
  check_slot(&native, 1, 1, 0x3f000000);
  CHECK_EQ(syclze_spec_constant_set_id(constants, 9, &n, sizeof n), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constant_set_id(constants, 0, &n, 2), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(
      syclze_spec_constant_set_id(constants, 0, NULL, 4), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(syclze_spec_constant_find(constants, "") == NULL);
  syclze_spec_constants_end(constants);
  free((void *)(uintptr_t)sample.data);
}

TEST(without_properties_by_number) {
  check_by_number("spec.clang22.spv");
  check_by_number("spec.llvmspirv15.spv");
}

TEST(sizes_by_type) {
  struct example e;
  example_make(&e, 3);
  syclze_spec_constants constants = make(&e.image);
  const char *id = "id_int_symbolic_ID";
  CHECK_EQ(syclze_spec_constant_set(constants, id, 1.0f), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constant_set(constants, id, 1u), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constant_set(constants, id, 1.0), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constant_set(constants, id, (short)1), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constant_set(constants, "id_A_symbolic_ID", 1), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constant_set(constants, "other", 1), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, NULL, id, 4), SYCLZE_RESULT_ERROR_INVALID);
  syclze_spec_constants_end(constants);
}

/* Two numbers and trailing padding, then another constant. */
TEST(padding_is_no_constant) { // shows offload 35
  static const syclze_spec_leaf leaves[] = {{1, 0, 4}, {2, 4, 4}, {SYCLZE_SPEC_PADDING, 8, 4}};
  static const syclze_spec_leaf next[] = {{3, 0, 4}};
  struct words w = module_of(1, 3);
  const struct properties_bytes value = properties_bytes_of(leaves, sizeof leaves),
                                after = properties_bytes_of(next, sizeof next);
  const struct properties_property list[] = {
      properties_property("padded", &value), properties_property("after", &after)};
  const struct properties_set sets[] = {{SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, list, list + 2}};
  syclze_offload_image image = syclze_offload_image_of(words_bytes(&w));
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  syclze_spec_constants constants = make(&image);
  CHECK_EQ(syclze_spec_constant_at(constants, 0)->size, 12);
  CHECK_EQ(syclze_spec_constant_at(constants, 1)->blob_offset, 12);
  uint32_t got[4];
  CHECK_EQ(syclze_spec_constants_blob(constants).size, sizeof got);
  memcpy(got, syclze_spec_constants_blob(constants).data, sizeof got);
  CHECK(got[0] == 10 && got[1] == 20 && got[2] == 0 && got[3] == 30);
  const uint32_t whole[3] = {1, 2, 0};
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, "padded", whole, 12), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, "padded", whole, 8), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_spec_constant_set_bytes(constants, "padded", whole, 4), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_spec_constants_native(constants).numConstants, 2);
  const syclze_spec_leaf *leaf;
  CHECK(syclze_spec_constant_find_id(constants, SYCLZE_SPEC_PADDING, &leaf) == NULL);
  syclze_spec_constants_end(constants);
}

TEST(a_constant_of_padding_alone_has_its_size) {
  static const syclze_spec_leaf padded[] = {{1, 0, 4}, {SYCLZE_SPEC_PADDING, 4, 4}};
  static const syclze_spec_leaf empty[] = {{SYCLZE_SPEC_PADDING, 0, 8}};
  struct words w = module_of(1, 1);
  const struct properties_bytes value = properties_bytes_of(padded, sizeof padded),
                                after = properties_bytes_of(empty, sizeof empty);
  const struct properties_property list[] = {
      properties_property("padded", &value), properties_property("empty", &after)};
  const struct properties_set set = {SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, list, list + 2};
  syclze_offload_image image = syclze_offload_image_of(words_bytes(&w));
  image.property_sets_begin = &set;
  image.property_sets_end = &set + 1;
  syclze_spec_constants constants = make(&image);
  const uint64_t zero = 0;
  CHECK_EQ(syclze_spec_constant_set_bytes(constants, "empty", &zero, 8), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_spec_constant_set_bytes(constants, "empty", &zero, 4), SYCLZE_RESULT_ERROR_INVALID);
  syclze_spec_constants_end(constants);
}

TEST(the_text_form_reads_alike) {
  struct words w = module_of(0, 3);
  syclze_bytes sample = sample_read("props_handmade.prop");
  syclze_offload_image image = syclze_offload_image_of(words_bytes(&w));
  image.property_text = sample;
  syclze_spec_constants constants = make(&image);
  CHECK_EQ(syclze_spec_constant_count(constants), 2);
  const syclze_spec_constant *abc = syclze_spec_constant_find(constants, "abc_sym");
  CHECK(abc != NULL);
  CHECK_EQ(abc->leaf_count, 3);
  CHECK_EQ(abc->size, 12);
  CHECK_EQ(abc->blob_offset, 4);
  CHECK_EQ(syclze_spec_constant_set(constants, "n_sym", 9), ZE_RESULT_SUCCESS);
  ze_module_constants_t native = syclze_spec_constants_native(constants);
  CHECK_EQ(native.numConstants, 1);
  check_slot(&native, 0, 0, 9);
  syclze_spec_constants_end(constants);
  free((void *)(uintptr_t)sample.data);
}

static void check_refused(const struct example *e) {
  syclze_spec_constants constants;
  CHECK_EQ(syclze_spec_constants_make(&e->image, &constants), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(constants.rep == NULL);
}

TEST(malformed_properties_are_refused) {
  struct example e;
  example_make(&e, 3);
  e.list[0].size -= 1;
  check_refused(&e); /* no whole descriptors */
  example_make(&e, 3);
  e.id_A.bytes[16] = 2;
  check_refused(&e); /* overlap */
  example_make(&e, 3);
  e.id_A.bytes[20] = 8;
  check_refused(&e); /* eight bytes over four */
  example_make(&e, 3);
  e.id_int.bytes[8] = 8;
  check_refused(&e); /* the module's has four */
  example_make(&e, 3);
  memset(&e.id_A.bytes[28], 0xff, 4);
  check_refused(&e); /* an offset of 4 GB */
  example_make(&e, 3);
  e.all[0].size -= 4;
  e.defaults.bits -= 32;
  check_refused(&e); /* defaults too short */
  example_make(&e, 3);
  e.words.word[0] = 0x03022307;
  syclze_spec_constants constants;
  CHECK_EQ(
      syclze_spec_constants_make(&e.image, &constants), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
}

TEST_MAIN(the_example_of_the_specification, ids_that_the_module_lacks_are_left_out,
    native_code_receives_the_blob, replaced_constants_keep_their_defaults,
    without_properties_by_number, sizes_by_type, padding_is_no_constant,
    a_constant_of_padding_alone_has_its_size, the_text_form_reads_alike,
    malformed_properties_are_refused)
