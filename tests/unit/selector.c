/* Selection: the grammars of ONEAPI_DEVICE_SELECTOR, SYCL_DEVICE_FILTER and the filter-selector
   extension, what they select, and the columns of their errors. */
#define _POSIX_C_SOURCE 200809L
#include "support/fake.h"
#include "support/notes.h"
#include "syclze/syclze.h"
#include "tests/check.h"

/* Each device's name is its path of indices. */
static struct {
  const char *name;
  ze_device_type_t type;
  ze_device_handle_t handle;
} devices[] = {{"0", ZE_DEVICE_TYPE_GPU, NULL}, {"0.0", ZE_DEVICE_TYPE_GPU, NULL},
    {"0.0.0", ZE_DEVICE_TYPE_GPU, NULL}, {"0.0.1", ZE_DEVICE_TYPE_GPU, NULL},
    {"0.0.1.0", ZE_DEVICE_TYPE_GPU, NULL}, {"0.1", ZE_DEVICE_TYPE_GPU, NULL},
    {"0.1.0", ZE_DEVICE_TYPE_GPU, NULL}, {"1", ZE_DEVICE_TYPE_CPU, NULL},
    {"2", ZE_DEVICE_TYPE_GPU, NULL}, {"2.0", ZE_DEVICE_TYPE_GPU, NULL},
    {"3", ZE_DEVICE_TYPE_FPGA, NULL}};
enum { DEVICES = sizeof devices / sizeof *devices };

static ze_result_t properties_result;

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t handle, ze_device_properties_t *properties) {
  CHECK_EQ(properties->stype, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  for (int i = 0; i < DEVICES; i++)
    if (devices[i].handle == handle) properties->type = devices[i].type;
  return properties_result;
}

/* Two drivers with devices and an empty one between them. */
static void begin(void) {
  fake_begin();
  unsetenv("ONEAPI_DEVICE_SELECTOR");
  unsetenv("SYCL_DEVICE_FILTER");
  properties_result = ZE_RESULT_SUCCESS;
  ze_driver_handle_t first = fake_driver();
  fake_driver();
  ze_driver_handle_t then = fake_driver();
  for (int i = 0; i < DEVICES; i++) {
    const char *name = devices[i].name, *dot = strrchr(name, '.');
    if (dot == NULL) devices[i].handle = fake_device(name[0] < '2' ? first : then);
    for (int j = 0; dot != NULL && j < i; j++)
      if (strncmp(devices[j].name, name, (size_t)(dot - name)) == 0 &&
          devices[j].name[dot - name] == '\0')
        devices[i].handle = fake_sub_device(devices[j].handle);
  }
}

static const char *name_of(syclze_device device) {
  for (int i = 0; i < DEVICES; i++)
    if (devices[i].handle == syclze_device_get_native(device)) return devices[i].name;
  return "?";
}

typedef ze_result_t (*selection)(const char *text, uint32_t *count, syclze_device *found);

static ze_result_t selected(const char *text, uint32_t *count, syclze_device *found) {
  (void)text;
  return syclze_device_get_selected(count, found);
}

/* Names of the devices that a text selects, in order: the count, then all, then an array one too
   short. */
static void check_selects(selection select, const char *text, const char *names, int line) {
  char is[256] = "";
  uint32_t count = 0, again = DEVICES;
  syclze_device found[DEVICES];
  if (select(text, &count, NULL) != ZE_RESULT_SUCCESS)
    check_fail(__FILE__, line, "%s: refused, %s", text, notes.detail);
  if (select(text, &again, found) != ZE_RESULT_SUCCESS || again != count)
    check_fail(__FILE__, line, "%s: %u and then %u devices", text, count, again);
  for (uint32_t i = 0; i < count; i++)
    snprintf(is + strlen(is), sizeof is - strlen(is), i ? " %s" : "%s", name_of(found[i]));
  if (strcmp(is, names) != 0)
    check_fail(__FILE__, line, "%s: selects \"%s\" and not \"%s\"", text, is, names);
  if (count < 2) return;
  again = count - 1;
  found[again].rep = NULL;
  if (select(text, &again, found) != ZE_RESULT_SUCCESS || again != count - 1 ||
      found[again].rep != NULL)
    check_fail(__FILE__, line, "%s: not cut to the room there is", text);
}

/* Checks that the text is refused and the diagnostic gives the column, the text and a caret. */
static void check_points(ze_result_t result, ze_result_t code, const char *function,
    const char *text, int column, int line) {
  char head[32], shown[512];
  notes_check_refused(result, code, function, text, 1, __FILE__, line, text);
  snprintf(head, sizeof head, "column %d: expected ", column);
  if (strncmp(notes.detail, head, strlen(head)) != 0)
    check_fail(__FILE__, line, "%s: %s and not %s", text, notes.detail, head);
  snprintf(shown, sizeof shown, "\n%s\n%*s", text, column, "^");
  const char *end = strchr(notes.detail, '\n');
  if (end == NULL || strcmp(end, shown) != 0)
    check_fail(__FILE__, line, "%s: shown as %s", text, notes.detail);
}

#define SELECTS(text, names) check_selects(syclze_device_select, text, names, __LINE__)
#define FILTERS(text, names) check_selects(syclze_device_filter, text, names, __LINE__)

TEST(every_device_term_selects_what_it_names) { // shows backend 4
  begin();
  SELECTS("level_zero:*", "0 1 2 3");
  SELECTS("*:*", "0 1 2 3");
  SELECTS("level_zero:gpu", "0 2");
  SELECTS("level_zero:cpu", "1");
  SELECTS("level_zero:fpga", "3");
  SELECTS("level_zero:0", "0");
  SELECTS("level_zero:2", "2");
  SELECTS("level_zero:00000000000000000000003", "3");
  SELECTS("level_zero:4", "");
  SELECTS("level_zero:4294967295", "");
  SELECTS("level_zero:0.1", "0.1");
  SELECTS("level_zero:0.*", "0.0 0.1");
  SELECTS("level_zero:*.*", "0.0 0.1 2.0");
  SELECTS("level_zero:0.0.1", "0.0.1");
  SELECTS("level_zero:0.0.*", "0.0.0 0.0.1");
  SELECTS("level_zero:0.*.*", "0.0.0 0.0.1 0.1.0");
  SELECTS("level_zero:*.*.*", "0.0.0 0.0.1 0.1.0");
  SELECTS("level_zero:1.*", "");
  SELECTS("level_zero:2.0.*", "");
  fake_end();
}

TEST(terms_are_joined_in_enumeration_order) { // shows backend 4
  begin();
  SELECTS("level_zero:3,0", "0 3");
  SELECTS("level_zero:0,0,gpu", "0 2");
  SELECTS("level_zero:gpu,cpu", "0 1 2");
  SELECTS("level_zero:*,*.*", "0 0.0 0.1 1 2 2.0 3");
  SELECTS("level_zero:1;level_zero:0.0", "0.0 1");
  SELECTS("opencl:gpu;level_zero:cpu;*:fpga", "1 3");
  fake_end();
}

TEST(other_backends_are_accepted_and_select_nothing) { // shows backend 6
  static const char *const others[] = {
      "opencl:*", "cuda:0", "hip:gpu", "native_cpu:cpu", "offload:*", "opencl:0.*.*"};
  begin();
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    SELECTS(others[i], "");
  fake_end();
}

TEST(level_zero_has_the_names_of_its_adapters) { // shows promises 37
  begin();
  SELECTS("level_zero_v2:gpu", "0 2");
  SELECTS("ext_oneapi_level_zero:1", "1");
  SELECTS("opencl:*;Level_Zero_V2:0;!ext_oneapi_level_zero:0", "");
  FILTERS("ext_oneapi_level_zero:cpu", "1");
  fake_end();
}

TEST(npu_is_a_device_type) { // shows promises 37
  begin();
  SELECTS("level_zero:npu", "");
  devices[7].type = ZE_DEVICE_TYPE_VPU;
  SELECTS("level_zero:npu", "1");
  SELECTS("*:*;!*:NPU", "0 2 3");
  devices[7].type = ZE_DEVICE_TYPE_CPU;
  fake_end();
}

TEST(a_selector_may_end_in_a_semicolon) { // shows promises 37
  begin();
  SELECTS("level_zero:gpu;", "0 2");
  SELECTS("level_zero:0;level_zero:1;", "0 1");
  SELECTS("!level_zero:0;", "1 2 3");
  fake_end();
}

TEST(discards_override_accepting_terms) { // shows backend 4
  begin();
  SELECTS("level_zero:*;!level_zero:0", "1 2 3");
  SELECTS("*:gpu;!cuda:*", "0 2");
  SELECTS("level_zero:*;!*:cpu", "0 2 3");
  SELECTS("level_zero:*;!level_zero:0,3;!level_zero:cpu", "2");
  SELECTS("level_zero:0;!level_zero:1", "0");
  SELECTS("level_zero:*.*;!level_zero:0.1", "0.0 2.0");
  SELECTS("level_zero:*.*.*;!level_zero:0.0", "0.1.0");
  SELECTS("level_zero:*.*.*;!level_zero:0.0.0", "0.0.1 0.1.0");
  SELECTS("level_zero:*.*;!level_zero:gpu", "");
  SELECTS("level_zero:*;!*:*", "");
  fake_end();
}

TEST(discards_alone_start_from_all_root_devices) { // shows backend 4
  begin();
  SELECTS("!level_zero:0", "1 2 3");
  SELECTS("!*:cpu", "0 2 3");
  SELECTS("!*:gpu;!level_zero:3", "1");
  SELECTS("!level_zero:0.0", "0 1 2 3");
  SELECTS("!opencl:*", "0 1 2 3");
  fake_end();
}

TEST(case_does_not_matter) { // shows backend 4
  begin();
  SELECTS("LEVEL_ZERO:GPU", "0 2");
  SELECTS("Level_Zero:Cpu;!OpenCL:FPGA", "1");
  FILTERS("Level_Zero:GPU:0", "0");
  syclze_device device;
  CHECK_OK(syclze_device_find("ACCELERATOR", &device));
  CHECK_STR_EQ(name_of(device), "3");
  fake_end();
}

TEST(a_malformed_selector_is_reported_with_its_column) { // shows backend 5
  static const struct {
    const char *text;
    int column;
  } wrong[] = {{"", 1}, {" ", 1}, {"gpu", 1}, {"levelzero:0", 1}, {"level_zerox:0", 1},
      {"level_zer:0", 1}, {"esimd_emulator:0", 1}, {"host:*", 1}, {":0", 1}, {"0", 1}, {"**:0", 1},
      {" level_zero:0", 1}, {"level_zero", 11}, {"level_zero ", 11}, {"level_zero;", 11},
      {"level_zero.0", 11}, {"level_zero:", 12}, {"level_zero::0", 12}, {"level_zero: 0", 12},
      {"level_zero:acc", 12}, {"level_zero:gpux", 12}, {"level_zero:0x1", 12},
      {"level_zero:-1", 12}, {"level_zero:+1", 12}, {"level_zero:0 ", 13}, {"level_zero:0:1", 13},
      {"level_zero:gpu.0", 15}, {"level_zero:gpu:0", 15}, {"level_zero:0.", 14},
      {"level_zero:0.gpu", 14}, {"level_zero:.0", 12}, {"level_zero:0..0", 14},
      {"level_zero:*.0", 14}, {"level_zero:0.*.1", 16}, {"level_zero:*.*.0", 16},
      {"level_zero:*.0.*", 14}, {"level_zero:0.1.2.3", 18}, {"level_zero:*.*.*.*", 18},
      {"level_zero:0,", 14}, {"level_zero:,0", 12}, {"level_zero:0,,1", 14},
      {"level_zero:0,opencl:1", 14}, {"level_zero:0; ", 14}, {";level_zero:0", 1},
      {"level_zero:0;;", 14}, {"!level_zero:0;;", 15}, {";", 1}, {"level_zero_v3:0", 1},
      {"ext_oneapi_opencl:0", 1}, {"level_zero:vpu", 12}, {"level_zero:0;;level_zero:1", 14},
      {"level_zero:4294967296", 12}, {"level_zero:99999999999999999999999", 12},
      {"level_zero:0.4294967296", 14}, {"!", 2}, {"!!level_zero:0", 2}, {"!level_zero", 12},
      {"! level_zero:0", 2}, {"!level_zero:", 13}, {"!level_zero:0;level_zero:1", 15},
      {"level_zero:0;!level_zero:1;level_zero:2", 28}, {"level_zero:0!level_zero:1", 13},
      {"level_zero:0;!level_zero:x", 26}, {"level_zero:0|cuda:0", 13}, {"level_zero:0\n", 13},
      {"\xff:0", 1}, {"level_zero:\xff", 12}};
  begin();
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    syclze_device found[DEVICES] = {{NULL}};
    uint32_t count = DEVICES;
    notes_start();
    ze_result_t result = syclze_device_select(wrong[i].text, &count, found);
    check_points(result, SYCLZE_RESULT_ERROR_INVALID, "syclze_device_select", wrong[i].text,
        wrong[i].column, __LINE__);
    CHECK_EQ(count, 0);
    if (wrong[i].text[0] == '\0') continue;
    setenv("ONEAPI_DEVICE_SELECTOR", wrong[i].text, 1);
    count = DEVICES;
    notes_start();
    result = syclze_device_get_selected(&count, found);
    check_points(result, SYCLZE_RESULT_ERROR_INVALID, "syclze_device_get_selected",
        getenv("ONEAPI_DEVICE_SELECTOR"), wrong[i].column, __LINE__);
    CHECK_EQ(count, 0);
  }
  fake_end();
}

/* An independent parser that follows the documented grammar alternative by alternative. Returns the
   rest after the longest term, or null. */
static const char *after_device(const char *at) {
  static const char *const forms[] = {
      "n.n.n", "n.n.*", "n.*.*", "*.*.*", "n.n", "n.*", "*.*", "n", "*", "cpu", "gpu", "fpga"};
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
    const char *text = at, *form = forms[i];
    for (; *form != '\0'; form++) {
      if (*form == 'n' && *text >= '0' && *text <= '9')
        text += strspn(text, "0123456789");
      else if (*form != 'n' && *form == *text)
        text++;
      else
        break;
    }
    if (*form == '\0' && (*text == '\0' || *text == ',' || *text == ';')) return text;
  }
  return NULL;
}

static int follows_the_grammar(const char *at) {
  static const char *const backends[] = {"*", "level_zero", "opencl"};
  for (int discarding = 0, first = 1;; at++, first = 0) {
    if (*at == '\0' && !first) return 1;
    if (*at == '!')
      at++, discarding = 1;
    else if (discarding)
      return 0;
    unsigned b = 0;
    while (b < 3 &&
           (strncmp(at, backends[b], strlen(backends[b])) != 0 || at[strlen(backends[b])] != ':'))
      b++;
    if (b == 3) return 0;
    at += strlen(backends[b]);
    do {
      at = after_device(at + 1);
      if (at == NULL) return 0;
    } while (*at == ',');
    if (*at == '\0') return 1;
  }
}

TEST(selectors_are_accepted_exactly_by_the_grammar) { // shows backend 5
  static const char *const tokens[] = {"*", "level_zero", "opencl", "gpu", "0", "17", ".", ":", ",",
      ";", "!", ";!", "level_zero:", "*:", "opencl:", ";level_zero:", ";!*:", ",*.", ".*", ".0",
      ",0", ",fpga", "0.", "cpu", "x", " "};
  enum { TOKENS = sizeof tokens / sizeof *tokens };
  uint32_t random = 1, accepted = 0;
  begin();
  for (int round = 0; round < 200000; round++) {
    char text[128] = "";
    uint32_t length = 1 + (uint32_t)round % 8, count = 0;
    for (uint32_t i = 0; i < length; i++) {
      random = random * 1664525u + 1013904223u;
      strcat(text, tokens[(random >> 8) % TOKENS]);
    }
    int is = syclze_device_select(text, &count, NULL) == ZE_RESULT_SUCCESS;
    if (is != follows_the_grammar(text)) check_fail(__FILE__, __LINE__, "%s: %d", text, is);
    accepted += is ? 1u : 0u;
  }
  CHECK(accepted > 100);
  fake_end();
}

TEST(a_filter_selects_by_backend_type_and_index) { // shows backend 8
  begin();
  FILTERS("level_zero", "0 1 2 3");
  FILTERS("*", "0 1 2 3");
  FILTERS("*:*", "0 1 2 3");
  FILTERS("gpu", "0 2");
  FILTERS("level_zero:gpu", "0 2");
  FILTERS("*:cpu", "1");
  FILTERS("acc", "3");
  FILTERS("accelerator", "3");
  FILTERS("2", "2");
  FILTERS("level_zero:2", "2");
  FILTERS("gpu:2", "2");
  FILTERS("gpu:1", "");
  FILTERS("level_zero:gpu:0", "0");
  FILTERS("*:*:3", "3");
  FILTERS("4294967295", "");
  FILTERS("host", "");
  FILTERS("host:host:0", "");
  FILTERS("level_zero:host", "");
  FILTERS("opencl:gpu", "");
  FILTERS("cuda", "");
  FILTERS("hip:0", "");
  FILTERS("cpu,level_zero:gpu:2", "1 2");
  FILTERS("gpu,gpu,0", "0 2");
  fake_end();
}

static const struct {
  const char *text;
  int column;
} wrong_filters[] = {{"", 1}, {":", 1}, {":gpu", 1}, {"::0", 1}, {",", 1}, {"gpux", 1}, {"fpga", 1},
    {"levelzero", 1}, {" gpu", 1}, {"gpu ", 4}, {"gpu:", 5}, {"gpu,", 5}, {"gpu:level_zero", 5},
    {"gpu:gpu", 5}, {"level_zero:cuda", 12}, {"0:gpu", 3}, {"0:0", 3}, {"*:*:*", 5},
    {"level_zero:gpu:0:1", 18}, {"level_zero::0", 12}, {"gpu,,cpu", 5}, {"gpu;cpu", 4},
    {"gpu.0", 4}, {"4294967296", 1}, {"gpu:99999999999999999999", 5}, {"-1", 1}, {"!gpu", 1}};

TEST(a_malformed_filter_is_reported_with_its_column) { // shows backend 7
  begin();
  for (unsigned i = 0; i < sizeof wrong_filters / sizeof *wrong_filters; i++) {
    const char *text = wrong_filters[i].text;
    syclze_device found[DEVICES], device;
    uint32_t count = DEVICES;
    notes_start();
    ze_result_t result = syclze_device_filter(text, &count, found);
    check_points(result, SYCLZE_RESULT_ERROR_INVALID, "syclze_device_filter", text,
        wrong_filters[i].column, __LINE__);
    CHECK_EQ(count, 0);
    notes_start();
    memset(&device, 0x5a, sizeof device);
    unsetenv("SYCL_DEVICE_FILTER");
    result = syclze_device_find(text, &device);
    check_points(result, SYCLZE_RESULT_ERROR_RUNTIME, "syclze_device_find", text,
        wrong_filters[i].column, __LINE__);
    CHECK(device.rep == NULL);
    if (text[0] == '\0') continue;
    setenv("SYCL_DEVICE_FILTER", text, 1);
    count = DEVICES;
    notes_start();
    result = syclze_device_get_selected(&count, found);
    check_points(result, SYCLZE_RESULT_ERROR_INVALID, "syclze_device_get_selected",
        getenv("SYCL_DEVICE_FILTER"), wrong_filters[i].column, __LINE__);
  }
  fake_end();
}

static void check_finds(const char *text, const char *name) {
  syclze_device device = {NULL};
  CHECK_OK(syclze_device_find(text, &device));
  CHECK_STR_EQ(name_of(device), name);
}

TEST(a_filter_index_counts_devices_that_match_the_other_fields) { // shows backend 7
  begin();
  check_finds("level_zero", "0");
  check_finds("gpu:1", "2");
  check_finds("level_zero:gpu:1", "2");
  check_finds("cpu:0", "1");
  check_finds("*:accelerator", "3");
  check_finds("3", "3");
  check_finds("opencl,cpu", "1");
  check_finds("level_zero:gpu:7,acc", "3");
  check_finds("cpu,gpu", "1");
  fake_end();
}

TEST(a_filter_string_finds_selected_devices_only) { // shows promises 36
  begin();
  setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:1,2", 1);
  check_finds("level_zero", "1");
  check_finds("gpu", "2");
  check_finds("1", "2");
  syclze_device device;
  static const char *const hidden = "gpu:1";
  CHECK_REFUSED(syclze_device_find(hidden, &device), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_device_find", hidden);
  CHECK(device.rep == NULL);
  setenv("ONEAPI_DEVICE_SELECTOR", "", 1);
  setenv("SYCL_DEVICE_FILTER", "cpu", 1);
  check_finds("*", "1");
  setenv("SYCL_DEVICE_FILTER", "malformed", 1);
  CHECK_REFUSED(syclze_device_find("*", &device), SYCLZE_RESULT_ERROR_INVALID, "syclze_device_find",
      getenv("SYCL_DEVICE_FILTER"));
  CHECK(device.rep == NULL);
  fake_end();
}

TEST(a_filter_string_without_a_match_is_refused) { // shows backend 7
  static const char *const nothing[] = {
      "opencl", "gpu:2", "level_zero:4", "host", "cpu:1,cuda:gpu", "4294967295"};
  begin();
  for (unsigned i = 0; i < sizeof nothing / sizeof *nothing; i++) {
    syclze_device device;
    memset(&device, 0x5a, sizeof device);
    CHECK_REFUSED(syclze_device_find(nothing[i], &device), SYCLZE_RESULT_ERROR_RUNTIME,
        "syclze_device_find", nothing[i]);
    CHECK(device.rep == NULL);
  }
  fake_end();
}

#define SELECTED(names) check_selects(selected, "the environment", names, __LINE__)

TEST(the_environment_selects) { // shows backend 6 9
  begin();
  SELECTED("0 1 2 3");
  setenv("SYCL_DEVICE_FILTER", "gpu", 1);
  SELECTED("0 2");
  setenv("ONEAPI_DEVICE_SELECTOR", "", 1);
  SELECTED("0 2");
  setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:cpu", 1);
  SELECTED("1");
  setenv("SYCL_DEVICE_FILTER", "", 1);
  SELECTED("1");
  setenv("ONEAPI_DEVICE_SELECTOR", "", 1);
  SELECTED("0 1 2 3");
  setenv("SYCL_DEVICE_FILTER", "malformed", 1);
  setenv("ONEAPI_DEVICE_SELECTOR", "opencl:*", 1);
  SELECTED("");
  fake_end();
}

TEST(null_arguments_are_refused) {
  begin();
  uint32_t count = 0;
  syclze_device device;
  CHECK_REFUSED(syclze_device_select(NULL, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_select", NULL);
  CHECK_REFUSED(syclze_device_select("*:*", NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_select", NULL);
  CHECK_REFUSED(syclze_device_filter(NULL, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_filter", NULL);
  CHECK_REFUSED(syclze_device_filter("*", NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_filter", NULL);
  CHECK_REFUSED(syclze_device_get_selected(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_get_selected", NULL);
  CHECK_REFUSED(syclze_device_find(NULL, &device), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_find", NULL);
  CHECK_REFUSED(syclze_device_find("*", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_find", NULL);
  count = 3;
  CHECK_OK(syclze_device_select("*:*", &count, NULL));
  CHECK_EQ(count, 3);
  fake_end();
}

/* Repeats the texts without devices. */
TEST(the_grammar_is_checked_without_devices_too) {
  fake_begin();
  fake_driver();
  uint32_t count = 7;
  syclze_device device;
  static const char *const good[] = {"*:*", "level_zero:gpu,0.*", "!level_zero:0", "*:*;!*:cpu"};
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
    count = 7;
    CHECK_OK(syclze_device_select(good[i], &count, &device));
    CHECK_EQ(count, 0);
  }
  CHECK_OK(syclze_device_filter("level_zero:gpu:0,cpu", &count, &device));
  CHECK_EQ(count, 0);
  CHECK_OK(syclze_device_get_selected(&count, &device));
  CHECK_EQ(count, 0);
  static const char *const bad[] = {"!level_zero:", "gpu:"};
  CHECK_REFUSED(syclze_device_select(bad[0], &count, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_device_select", bad[0]);
  CHECK_REFUSED(syclze_device_filter(bad[1], &count, &device), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_device_filter", bad[1]);
  CHECK_REFUSED(syclze_device_find(bad[1], &device), SYCLZE_RESULT_ERROR_RUNTIME,
      "syclze_device_find", bad[1]);
  fake_end();
}

TEST(a_device_without_a_type_matches_no_type) {
  begin();
  properties_result = ZE_RESULT_ERROR_DEVICE_LOST;
  SELECTS("level_zero:gpu,cpu,fpga", "");
  SELECTS("level_zero:0", "0");
  FILTERS("gpu", "");
  fake_end();
}

TEST(a_failed_enumeration_is_passed_through) { // shows promises 27
  begin();
  uint32_t count = 4;
  syclze_device found[4];
  fake_fail(FAKE_zeInit, 1, ZE_RESULT_ERROR_UNINITIALIZED);
  CHECK_REFUSED(syclze_device_select("*:*", &count, found), ZE_RESULT_ERROR_UNINITIALIZED,
      "syclze_device_select", NULL);
  CHECK(strstr(notes.first.rule, "no Level Zero driver was found: ZE_ENABLE_ALT_DRIVERS") != NULL);
  CHECK_EQ(count, 0);
  fake_fail(FAKE_zeDeviceGet, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_device_find("gpu", &found[0]), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_device_find", NULL);
  CHECK(strstr(notes.first.rule, "could not be enumerated") != NULL);
  CHECK(found[0].rep == NULL);
  fake_end();
}

/* The caret stays under the shown part of the text, which is truncated. */
TEST(a_long_text_is_truncated_in_the_diagnostic) {
  begin();
  char text[1024] = "level_zero:0";
  while (strlen(text) < 900)
    strcat(text, ",0");
  strcat(text, ",x");
  uint32_t count = 0;
  CHECK_REFUSED(syclze_device_select(text, &count, NULL), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_device_select", text);
  char head[32];
  snprintf(head, sizeof head, "column %d: ", (int)strlen(text));
  CHECK_EQ(strncmp(notes.detail, head, strlen(head)), 0);
  fake_end();
}

/* The platforms and their devices as a program enumerates them, "0 1 / 2" for two platforms. With
   `room` for so many of each. */
static void check_enumerates(const char *names, uint32_t room, int line) {
  char is[256] = "";
  syclze_platform platforms[4] = {{NULL}};
  uint32_t count = 0, found = room, without = room;
  CHECK_OK(syclze_platform_get(&count, platforms));
  CHECK(platforms[0].rep == NULL);
  CHECK_OK(syclze_platform_get(&without, NULL));
  CHECK_OK(syclze_platform_get(&found, platforms));
  CHECK_EQ(without, found);
  if (found != (count < room ? count : room))
    check_fail(__FILE__, line, "%u and then %u platforms", count, found);
  CHECK(found == room || platforms[found].rep == NULL);
  for (uint32_t i = 0; i < found; i++) {
    syclze_device list[DEVICES] = {{NULL}};
    uint32_t all = 0, some = room;
    CHECK_OK(syclze_device_get(platforms[i], &all, list));
    CHECK(list[0].rep == NULL);
    without = room;
    CHECK_OK(syclze_device_get(platforms[i], &without, NULL));
    CHECK_OK(syclze_device_get(platforms[i], &some, list));
    CHECK_EQ(without, some);
    if (some != (all < room ? all : room))
      check_fail(__FILE__, line, "%u and then %u devices", all, some);
    CHECK(list[some].rep == NULL);
    strcat(is, i != 0 ? " /" : "");
    for (uint32_t k = 0; k < some; k++)
      snprintf(is + strlen(is), sizeof is - strlen(is), is[0] ? " %s" : "%s", name_of(list[k]));
  }
  if (strcmp(is, names) != 0) check_fail(__FILE__, line, "\"%s\" and not \"%s\"", is, names);
}

#define ENUMERATED(names) check_enumerates(names, 4, __LINE__)

/* An empty platform stands between the two. */
// shows promises 36
TEST(enumeration_has_all_platforms_and_devices_whatever_the_environment_selects) {
  static const char *const selectors[] = {NULL, "level_zero:*", "level_zero:2,3", "level_zero:0.*",
      "opencl:*", "!level_zero:*", "level_zero:gpu,"};
  begin();
  for (unsigned i = 0; i < sizeof selectors / sizeof *selectors; i++) {
    if (selectors[i] != NULL) setenv("ONEAPI_DEVICE_SELECTOR", selectors[i], 1);
    ENUMERATED("0 1 / / 2 3");
    check_enumerates("0", 1, __LINE__);
  }
  setenv("ONEAPI_DEVICE_SELECTOR", "", 1);
  setenv("SYCL_DEVICE_FILTER", "cpu", 1);
  ENUMERATED("0 1 / / 2 3");
  fake_end();
}

TEST(a_native_device_that_is_not_selected_is_wrapped) { // shows promises 36
  begin();
  setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:0", 1);
  syclze_device device;
  CHECK_OK(syclze_make_device(devices[8].handle, &device));
  CHECK_STR_EQ(name_of(device), "2");
  uint32_t count = 0;
  CHECK_OK(syclze_device_get(syclze_device_get_platform(device), &count, NULL));
  CHECK_EQ(count, 2);
  fake_end();
}

TEST_MAIN(level_zero_has_the_names_of_its_adapters, npu_is_a_device_type,
    a_selector_may_end_in_a_semicolon, a_filter_string_finds_selected_devices_only,
    every_device_term_selects_what_it_names, terms_are_joined_in_enumeration_order,
    other_backends_are_accepted_and_select_nothing, discards_override_accepting_terms,
    discards_alone_start_from_all_root_devices, case_does_not_matter,
    a_malformed_selector_is_reported_with_its_column, selectors_are_accepted_exactly_by_the_grammar,
    a_filter_selects_by_backend_type_and_index, a_malformed_filter_is_reported_with_its_column,
    a_filter_index_counts_devices_that_match_the_other_fields,
    a_filter_string_without_a_match_is_refused, the_environment_selects, null_arguments_are_refused,
    the_grammar_is_checked_without_devices_too, a_device_without_a_type_matches_no_type,
    a_failed_enumeration_is_passed_through, a_long_text_is_truncated_in_the_diagnostic,
    enumeration_has_all_platforms_and_devices_whatever_the_environment_selects,
    a_native_device_that_is_not_selected_is_wrapped)
