/* DPC++'s data in a program: two images, and the descriptors that it registers. Compiled by
   wrapped.c, as a shared object, as a program and as an object. */
#include <stdint.h>

#ifndef SECTION
#define SECTION "__CLANG_OFFLOAD_BUNDLE__sycl-spir64"
#endif
__asm__(".pushsection " SECTION ",\"a\",@progbits\n"
        ".balign 16\n"
        "first_image: .incbin \"tests/offload/samples/two.clang22.spv\"\n"
        "first_image_end:\n"
        "second_image: .incbin \"tests/offload/samples/dbl.clang22.spv\"\n"
        "second_image_end:\n"
        ".popsection\n");
extern const char first_image[] __attribute__((visibility("hidden")));
extern const char first_image_end[] __attribute__((visibility("hidden")));
extern const char second_image[] __attribute__((visibility("hidden")));
extern const char second_image_end[] __attribute__((visibility("hidden")));

struct property {
  const char *name, *value;
  uint32_t type, unused;
  uint64_t size;
};

struct property_set {
  const char *name;
  const struct property *begin, *end;
};

struct old_entry {
  const void *address;
  const char *name;
  uint64_t size;
  int32_t flags, reserved;
};

struct new_entry {
  uint64_t zero;
  uint16_t version, kind;
  uint32_t flags;
  const void *address;
  const char *name;
  uint64_t size, data;
  const void *auxiliary;
};

struct image {
  uint16_t version;
  uint8_t kind, format;
  uint32_t padding;
  const char *triple, *compile_options, *link_options;
  const char *begin, *end;
  const void *entries, *entries_end;
  const struct property_set *sets, *sets_end;
};

struct long_image {
  uint16_t version;
  uint8_t kind, format;
  uint32_t padding;
  const char *triple, *compile_options, *link_options;
  const void *manifest, *manifest_end;
  const char *begin, *end;
  const void *entries, *entries_end;
  const struct property_set *sets, *sets_end;
};

static const struct property requirements[] = {
    {"aspects", "\40\0\0\0\0\0\0\0\6\0\0\0", 2, 0, 12}, {"reqd_sub_group_size", 0, 1, 0, 16}};
static const struct property exported[] __attribute__((unused)) = {{"axpy", 0, 1, 0, 1}};
#ifdef LARGE /* one value of many images */
static const struct {
  uint64_t bits;
  char bytes[60000];
} large_value = {8 * 60000, {1}};
static const struct property large[] = {
    {"large", (const char *)&large_value, 2, 0, sizeof large_value}};
#endif
static const struct property texts[] = {{"text", "a text", 3, 0, 7}};
#ifndef REQUIREMENTS_END
#define REQUIREMENTS_END requirements + 2
#endif
static const struct property_set sets[] = {
    {"SYCL/device requirements", requirements, REQUIREMENTS_END}, {"SYCL/texts", texts, texts + 1},
#ifdef EXPORTED /* the last of many sets */
    {"1", 0, 0}, {"2", 0, 0}, {"3", 0, 0}, {"4", 0, 0}, {"5", 0, 0}, {"6", 0, 0}, {"7", 0, 0},
    {"SYCL/exported symbols", exported, exported + 1}
#define SETS 10
#endif
#ifdef LARGE
    {"SYCL/large", large, large + 1}
#define SETS 3
#endif
};
static const struct old_entry old_entries[] = {
    {0, "axpy", 0, 0, 0}, {0, "x__sycl_service_kernel__y", 0, 0, 0}, {0, "iota", 0, 0, 0}};
static const struct new_entry new_entries[] = {{0, 1, 4, 0, 0, "dbl", 0, 0, 0}};

#ifndef SETS
#define SETS 2 /* 1: without text, which files of property sets do not have */
#endif
#ifndef SECOND_END
#define SECOND_END second_image_end
#endif
#define IMAGE                                                                                      \
  {                                                                                                \
    3, 4, 2, 0, "spir64", "-option", "", first_image, first_image_end, old_entries,                \
        old_entries + 3, sets, sets + SETS                                                         \
  }
#ifdef FOUR
static const struct image images[] = {IMAGE, IMAGE, IMAGE, IMAGE};
#elif defined LARGE
static const struct image images[] = {[0 ... 63] = IMAGE};
#else
static const struct image images[] = {IMAGE};
#endif
static const struct long_image long_images[] = {{2, 4, 0, 0, "spir64_gen", "", "-link", 0, 0,
    second_image, SECOND_END, new_entries, new_entries + 1, 0, 0}};

#ifndef NO_TABLE
static const struct {
  const char *begin;
  uint64_t size;
} table[2] __attribute__((used, section(".tgtimg"))) = {{first_image, 0}, {second_image, 0}};
#endif

#ifndef REGISTERED
#define REGISTERED sizeof images / sizeof *images
#endif
static const struct {
  uint16_t version, count;
  uint32_t padding;
  const struct image *images;
  const void *entries, *entries_end;
  const char *other[8]; /* where an old descriptor has the pointers to an image */
} registered = {1, REGISTERED, 0, images, 0, 0, {0, 0, first_image, first_image_end}};

const void *descriptors[] = {images, long_images, &registered};

int main(void) {
  return descriptors[0] == 0;
}
