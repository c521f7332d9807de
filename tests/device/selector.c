/* Selection (3.1 and 3.2) among two drivers with two devices each, of two sub-devices each. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DRIVERS", "2");
  given_environment("ZECL_DEVICES", "2");
  given_environment("ZECL_SUBDEVICES", "2");
}

enum { ROOTS = 4, PARTS = 2, DEVICES = ROOTS * (1 + PARTS) };

/* in Level Zero's enumeration order */
static struct { ze_device_handle_t roots[ROOTS], parts[ROOTS][PARTS]; } all;

static void begin(void) {
  ze_driver_handle_t drivers[2];
  uint32_t count = given_drivers(drivers, 2);
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  given_environment("SYCL_DEVICE_FILTER", NULL);
  given_needs_zecl(drivers[0]);
  CHECK_EQ(count, 2);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(given_devices(drivers[i], all.roots + 2 * i, 2), 2);
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(given_sub_devices(all.roots[i], all.parts[i], PARTS), PARTS);
}

/* Expected devices, null-terminated. */
static void check_selected(const syclze_device *found, uint32_t count,
    const ze_device_handle_t *expected, const char *text) {
  uint32_t i = 0;
  for (; i < count && expected[i] != NULL; i++)
    if (syclze_device_get_native(found[i]) != expected[i])
      check_fail(__FILE__, __LINE__, "%s: another device in place %u", text, i);
  if (i != count || expected[i] != NULL)
    check_fail(__FILE__, __LINE__, "%s: %u devices", text, count);
}

static void check_selects(const char *text, const ze_device_handle_t *expected) {
  syclze_device found[DEVICES];
  uint32_t count = DEVICES;
  CHECK_EQ(syclze_device_select(text, &count, found), ZE_RESULT_SUCCESS);
  check_selected(found, count, expected, text);
  given_environment("ONEAPI_DEVICE_SELECTOR", text);
  count = DEVICES;
  CHECK_EQ(syclze_device_get_selected(&count, found), ZE_RESULT_SUCCESS);
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  check_selected(found, count, expected, text);
}

#define SELECTS(text, ...) check_selects(text, (const ze_device_handle_t[]){__VA_ARGS__})

TEST(a_selector_selects_devices_of_every_driver) { // shows backend 4
  begin();
  const ze_device_handle_t *r = all.roots;
  SELECTS("level_zero:*", r[0], r[1], r[2], r[3], NULL);
  SELECTS("*:gpu", r[0], r[1], r[2], r[3], NULL);
  SELECTS("level_zero:2", r[2], NULL);
  SELECTS("level_zero:3,0", r[0], r[3], NULL);
  SELECTS("level_zero:cpu,fpga", NULL);
  SELECTS("opencl:*", NULL);
  SELECTS("level_zero:4", NULL);
}

TEST(a_selector_selects_sub_devices) { // shows backend 4
  begin();
  SELECTS("level_zero:1.0", all.parts[1][0], NULL);
  SELECTS("level_zero:2.*", all.parts[2][0], all.parts[2][1], NULL);
  SELECTS("level_zero:*.*", all.parts[0][0], all.parts[0][1], all.parts[1][0], all.parts[1][1],
      all.parts[2][0], all.parts[2][1], all.parts[3][0], all.parts[3][1], NULL);
  SELECTS("level_zero:0,0.1", all.roots[0], all.parts[0][1], NULL);
  SELECTS("level_zero:*.*.*", NULL);
  SELECTS("level_zero:0.2", NULL);
}

TEST(discards_keep_the_other_devices) { // shows backend 4
  begin();
  const ze_device_handle_t *r = all.roots;
  SELECTS("!level_zero:1", r[0], r[2], r[3], NULL);
  SELECTS("level_zero:*;!level_zero:0,3", r[1], r[2], NULL);
  SELECTS("level_zero:0.*;!*:0.0", all.parts[0][1], NULL);
  SELECTS("!*:gpu", NULL);
}

TEST(sycl_device_filter_is_honoured) { // shows backend 8
  begin();
  syclze_device found[DEVICES];
  const ze_device_handle_t *r = all.roots;
  const struct {
    const char *text;
    ze_device_handle_t expected[ROOTS + 1];
  } cases[] = {{"level_zero", {r[0], r[1], r[2], r[3], NULL}}, {"gpu:1", {r[1], NULL}},
      {"level_zero:gpu:3,0", {r[0], r[3], NULL}}, {"opencl:gpu", {NULL}}, {"cpu,host", {NULL}},
      {"", {r[0], r[1], r[2], r[3], NULL}}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t count = DEVICES;
    given_environment("SYCL_DEVICE_FILTER", cases[i].text);
    CHECK_EQ(syclze_device_get_selected(&count, found), ZE_RESULT_SUCCESS);
    check_selected(found, count, cases[i].expected, cases[i].text);
  }
  uint32_t count = DEVICES;
  given_environment("ONEAPI_DEVICE_SELECTOR", "level_zero:2");
  given_environment("SYCL_DEVICE_FILTER", "0");
  CHECK_EQ(syclze_device_get_selected(&count, found), ZE_RESULT_SUCCESS);
  check_selected(found, count, (const ze_device_handle_t[]){r[2], NULL}, "both");
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  given_environment("SYCL_DEVICE_FILTER", NULL);
}

TEST(a_filter_string_finds_one_device) { // shows backend 7
  begin();
  syclze_device device;
  CHECK_EQ(syclze_device_find("level_zero:gpu:2", &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_native(device), all.roots[2]);
  CHECK_EQ(syclze_device_find("opencl:cpu,gpu", &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_native(device), all.roots[0]);
  static const char cpu[] = "cpu", wrong[] = "gpu:level_zero";
  REFUSED(device, syclze_device_find(cpu, &device), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_device_find", "no device", cpu);
  REFUSED(device, syclze_device_find(wrong, &device), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_device_find", "grammar", wrong);
  CHECK_STR_EQ(refused_detail(),
      "column 5: expected a backend, a device type or a number, in this order\n"
      "gpu:level_zero\n"
      "    ^");
}

TEST(a_malformed_variable_is_reported_with_its_column) { // shows backend 5
  begin();
  uint32_t count = DEVICES;
  given_environment("ONEAPI_DEVICE_SELECTOR", "level_zero:0;level_zero:one");
  refused_begin();
  CHECK_EQ(syclze_device_get_selected(&count, NULL), SYCLZE_RESULT_ERROR_INVALID);
  given_environment("ONEAPI_DEVICE_SELECTOR", NULL);
  CHECK_EQ(refused_count(), 1);
  CHECK_EQ(count, 0);
  CHECK_STR_EQ(refused_detail(), "column 25: expected *, cpu, gpu, fpga, npu or an index\n"
                                 "level_zero:0;level_zero:one\n"
                                 "                        ^");
}

/* A selected sub-device is usable: a context and a queue on it. */
TEST(a_selected_sub_device_works) { // shows backend 4
  begin();
  syclze_device device;
  uint32_t count = 1;
  CHECK_EQ(syclze_device_select("level_zero:3.1", &count, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  ze_driver_handle_t driver = syclze_platform_get_native(syclze_device_get_platform(device));
  struct given g = given_on(driver, syclze_device_get_native(device));
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  works_list(&g, syclze_queue_get_native(queue).list);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_selector_selects_devices_of_every_driver, a_selector_selects_sub_devices,
    discards_keep_the_other_devices, sycl_device_filter_is_honoured,
    a_filter_string_finds_one_device, a_malformed_variable_is_reported_with_its_column,
    a_selected_sub_device_works)
