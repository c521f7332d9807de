/* Kernels of the tests' SPIR-V on a GPU, by CUDA's driver alone, against results of the host. */
#include "support/modules.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t address;

static struct {
  int (*init)(unsigned);
  int (*attribute)(int *, int, int);
  int (*retain)(void **, int);
  int (*set_current)(void *);
  int (*load)(void **, const void *);
  int (*function)(void **, void *, const char *);
  int (*global)(address *, size_t *, void *, const char *);
  int (*alloc)(address *, size_t);
  int (*free)(address);
  int (*to)(address, const void *, size_t);
  int (*from)(void *, address, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
      void *, void **, void **);
  int (*synchronize)(void);
} cuda;
static unsigned capability;
static const char *lacking;

static void find(void *library, const char *name, void *function) {
  void *at = library ? dlsym(library, name) : NULL;
  memcpy(function, &at, sizeof at);
}

__attribute__((constructor)) static void open_gpu(void) {
  enum { MAJOR = 75, MINOR = 76 };
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  int major, minor;
  find(library, "cuInit", &cuda.init);
  find(library, "cuDeviceGetAttribute", &cuda.attribute);
  find(library, "cuDevicePrimaryCtxRetain", &cuda.retain);
  find(library, "cuCtxSetCurrent", &cuda.set_current);
  find(library, "cuModuleLoadData", &cuda.load);
  find(library, "cuModuleGetFunction", &cuda.function);
  find(library, "cuModuleGetGlobal_v2", &cuda.global);
  find(library, "cuMemAlloc_v2", &cuda.alloc);
  find(library, "cuMemFree_v2", &cuda.free);
  find(library, "cuMemcpyHtoD_v2", &cuda.to);
  find(library, "cuMemcpyDtoH_v2", &cuda.from);
  find(library, "cuLaunchKernel", &cuda.launch);
  find(library, "cuCtxSynchronize", &cuda.synchronize);
  lacking = "no GPU of NVIDIA";
  if (!cuda.init || cuda.init(0) || cuda.attribute(&major, MAJOR, 0) ||
      cuda.attribute(&minor, MINOR, 0) || cuda.retain(&context, 0) || cuda.set_current(context))
    return;
  capability = (unsigned)(major * 10 + minor);
  lacking = NULL;
}

struct program {
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  void *module;
};

static void load(struct program *program, const char *path) {
  struct zecl_text log = {0};
  if (lacking) SKIP(lacking);
  test_needs_llvm();
  test_read_spirv(path, &program->spirv);
  CHECK(zecl_ptx_build(&program->spirv, NULL, capability, &program->ptx, &log));
  CHECK_EQ(cuda.load(&program->module, program->ptx.image), 0);
}

static void unload(struct program *program) {
  zecl_ptx_free(&program->ptx);
  zecl_spirv_free(&program->spirv);
}

struct range {
  unsigned groups[3], items[3];
  uint32_t offset[3];
};

/* `args` are pointers to values, for local memory to its size. */
static void launch(struct program *program, const char *name, struct range range, void **args) {
  const struct zecl_ptx_kernel *kernel = test_kernel(&program->ptx, name);
  void *function, *params[16];
  uint32_t places[16];
  unsigned shared = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    params[i] = args[i];
    if (kernel->args[i].kind != ZECL_ARG_LOCAL) continue;
    places[i] = shared;
    params[i] = &places[i];
    shared += (*(unsigned *)args[i] + ZECL_PTX_LOCAL_ALIGN - 1) & ~(ZECL_PTX_LOCAL_ALIGN - 1u);
  }
  params[kernel->arg_count] = range.offset;
  CHECK_EQ(cuda.function(&function, program->module, kernel->entry), 0);
  CHECK_EQ(cuda.launch(function, range.groups[0], range.groups[1], range.groups[2], range.items[0],
               range.items[1], range.items[2], shared, NULL, params, NULL),
      0);
  CHECK_EQ(cuda.synchronize(), 0);
}

static address upload(const void *bytes, size_t size) {
  address memory = 0;
  CHECK_EQ(cuda.alloc(&memory, size), 0);
  CHECK_EQ(cuda.to(memory, bytes, size), 0);
  return memory;
}

static void download(void *bytes, address memory, size_t size) {
  CHECK_EQ(cuda.from(bytes, memory, size), 0);
  CHECK_EQ(cuda.free(memory), 0);
}

static bool is_near(double a, double b, double error) {
  return fabs(a - b) <= error * (1 + fabs(b));
}

enum { ITEMS = 100, GROUPS = 3, ALL = ITEMS * GROUPS, SUB_GROUP = 32 };
static const struct range in_a_row = {{GROUPS, 1, 1}, {ITEMS, 1, 1}, {0, 0, 0}};

TEST(items_know_where_they_are) {
  enum { X = 3, Y = 2, Z = 2, GX = 2, GY = 3, GZ = 1, COUNT = X * Y * Z * GX * GY * GZ };
  static uint64_t out[COUNT][10];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  address memory = upload(out, sizeof out);
  launch(
      &program, "items", (struct range){{GX, GY, GZ}, {X, Y, Z}, {5, 6, 7}}, (void *[]){&memory});
  download(out, memory, sizeof out);
#define THREE(a, b, c) ((uint64_t)(a) | (uint64_t)(b) << 16 | (uint64_t)(c) << 32)
  for (unsigned i = 0; i < COUNT; i++) {
    const unsigned x = i % (X * GX), y = i / (X * GX) % (Y * GY), z = i / (X * GX) / (Y * GY);
    const unsigned linear = (z % Z * Y + y % Y) * X + x % X;
    CHECK_EQ(out[i][0], THREE(x + 5, y + 6, z + 7));
    CHECK_EQ(out[i][1], THREE(5, 6, 7));
    CHECK_EQ(out[i][2], THREE(X * GX, Y * GY, Z * GZ));
    CHECK_EQ(out[i][3], THREE(x % X, y % Y, z % Z));
    CHECK_EQ(out[i][4], THREE(x / X, y / Y, z / Z));
    CHECK_EQ(out[i][5], THREE(GX, GY, GZ));
    CHECK_EQ(out[i][6], linear);
    CHECK_EQ(out[i][7], THREE(0, linear, X * Y * Z) | 1ull << 48);
    CHECK_EQ(out[i][8], 3);
    CHECK_EQ(out[i][9], X);
  }
  unload(&program);
}

TEST(offsets_reach_functions) {
  static uint64_t out[ALL];
  struct program program;
  struct range range = in_a_row;
  range.offset[0] = 1000;
  load(&program, "test/kernels/builtins.spv");
  address memory = upload(out, sizeof out);
  launch(&program, "through_a_function", range, (void *[]){&memory});
  download(out, memory, sizeof out);
  for (unsigned i = 0; i < ALL; i++)
    CHECK_EQ(out[i], i + 1000);
  unload(&program);
}

static double sum_of_part(unsigned part, float x, unsigned i) {
  union {
    float value;
    unsigned bits;
  } both = {x};
  int exponent;
  const double fraction = frexp(x, &exponent), wide = (double)(float)(x * 1e9f);
  const double integer = fmin(fmax(rint(wide), -2147483648.0), 2147483647.0);
  switch (part) {
  case 0:
    return sin(x) + cos(x) + tan(x);
  case 1:
    return exp(x) + log(x + 2.0) + pow(fabs(x), 1.5);
  case 2:
    return sqrt(x * x + 1.0) + 1 / sqrt(x * x + 1.0) + hypot(x, 2);
  case 3:
    return x + sin(x) + cos(x);
  case 4:
    return fraction + exponent;
  case 5:
    return fmin(fmax(x, -1), 1) + (x + (2.0 - x) * 0.25) + x * x + 1;
  case 6:
    return (double)(int)((unsigned)(int)integer + (unsigned)__builtin_popcount(both.bits) +
                         (i > 3 ? i : 3));
  default:
    return 10 * x + sqrt(3.0 * x * x);
  }
}

TEST(mathematics_of_libclc) {
  static float in[ALL], out[ALL][8];
  static double wide[ALL];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  for (int i = 0; i < ALL; i++)
    in[i] = (float)(i - 40) / 37;
  address from = upload(in, sizeof in), to = upload(out, sizeof out);
  address other = upload(wide, sizeof wide);
  launch(&program, "mathematics", in_a_row, (void *[]){&from, &to, &other});
  download(out, to, sizeof out);
  download(wide, other, sizeof wide);
  for (unsigned i = 0; i < ALL; i++) {
    const double x = in[i];
    for (unsigned j = 0; j < 8; j++)
      if (!isnan(sum_of_part(j, in[i], i)))
        CHECK(is_near(out[i][j], sum_of_part(j, in[i], i), 1e-5));
    CHECK(is_near(wide[i], sin(x) + exp(x) + atan2(x, 2), 1e-12));
  }
  unload(&program);
}

#ifdef __FLT16_MAX__
__extension__ typedef _Float16 half;

TEST(halves_by_floats) {
  static half in[ALL], out[ALL];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  for (int i = 0; i < ALL; i++)
    in[i] = (half)((float)(i - 150) / 50);
  address from = upload(in, sizeof in), to = upload(out, sizeof out);
  launch(&program, "halves", in_a_row, (void *[]){&from, &to});
  download(out, to, sizeof out);
  for (int i = 0; i < ALL; i++) {
    const double x = (double)in[i];
    CHECK(is_near((double)out[i], sqrt(fabs(x)) + x * x + 1 + exp(x / 4), 4e-3));
  }
  unload(&program);
}
#else
TEST(halves_by_floats) {
  SKIP("the compiler has no _Float16");
}
#endif

TEST(atomic_functions) {
  int out[6] = {0}, flexible[3] = {0}, value = 3;
  unsigned positive = 0;
  int64_t wide = 0;
  float real = -1;
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  address memory = upload(out, sizeof out), of_positive = upload(&positive, sizeof positive);
  address of_wide = upload(&wide, sizeof wide), of_real = upload(&real, sizeof real);
  address of_flexible = upload(flexible, sizeof flexible);
  launch(&program, "atomics_of_all_kinds", in_a_row,
      (void *[]){&memory, &of_positive, &of_wide, &of_real, &of_flexible, &value});
  download(out, memory, sizeof out);
  download(&positive, of_positive, sizeof positive);
  download(&wide, of_wide, sizeof wide);
  download(&real, of_real, sizeof real);
  download(flexible, of_flexible, sizeof flexible);
  CHECK_EQ(out[0], 3 * ALL);
  CHECK_EQ(out[1], ALL - 1);
  CHECK_EQ(out[2], 1 - ALL);
  CHECK_EQ(out[3], 0xffff);
  CHECK_EQ(out[4], ALL);
  CHECK(out[5] > 0 && out[5] <= ALL);
  CHECK_EQ(positive, 0x80000000u + ALL - 1);
  CHECK_EQ(wide, (int64_t)ALL << 33);
  CHECK(real >= 0 && real < ALL);
  CHECK_EQ(flexible[0], ALL);
  CHECK_EQ(flexible[1], 2 * ALL);
  CHECK_EQ(flexible[2], 7);
  unload(&program);
}

struct scan {
  int sum, before, least, greatest, greatest_before;
};

/* Scans the items from `begin` to `i`, both included. */
static struct scan scan(const int *in, unsigned begin, unsigned i) {
  struct scan scan = {0, 0, 0x7fffffff, -0x7fffffff - 1, -0x7fffffff - 1};
  for (unsigned j = begin; j <= i; j++) {
    scan.before = scan.sum;
    scan.greatest_before = scan.greatest;
    scan.sum += in[j];
    if (in[j] < scan.least) scan.least = in[j];
    if (in[j] > scan.greatest) scan.greatest = in[j];
  }
  return scan;
}

static void fill(int *in) {
  for (int i = 0; i < ALL; i++)
    in[i] = i * 7919 % 1009 - 20;
}

static bool are_below(const int *in, unsigned begin, unsigned end) {
  bool all = true;
  for (unsigned i = begin; i < end; i++)
    all = all && in[i] < 1000;
  return all;
}

static bool is_among(const int *in, unsigned begin, unsigned end) {
  bool any = false;
  for (unsigned i = begin; i < end; i++)
    any = any || in[i] == in[0];
  return any;
}

TEST(functions_of_work_groups) {
  static int in[ALL], out[ALL][8];
  static float real[ALL];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  fill(in);
  address from = upload(in, sizeof in), to = upload(out, sizeof out);
  address of_real = upload(real, sizeof real);
  launch(&program, "work_groups", in_a_row, (void *[]){&from, &to, &of_real});
  download(out, to, sizeof out);
  download(real, of_real, sizeof real);
  for (unsigned i = 0; i < ALL; i++) {
    const unsigned begin = i - i % ITEMS, end = begin + ITEMS;
    const struct scan here = scan(in, begin, i), whole = scan(in, begin, end - 1);
    CHECK_EQ(out[i][0], whole.sum);
    CHECK_EQ(out[i][1], here.sum);
    CHECK_EQ(out[i][2], here.before);
    CHECK_EQ(out[i][3], whole.greatest);
    CHECK_EQ(out[i][4], here.least);
    CHECK_EQ(out[i][5], in[begin + 3]);
    CHECK_EQ(out[i][6], are_below(in, begin, end) + 2 * is_among(in, begin, end));
    CHECK_EQ(out[i][7], whole.sum);
    CHECK(real[i] == (float)here.sum);
  }
  unload(&program);
}

TEST(functions_of_sub_groups) {
  static int in[ALL], out[ALL][8];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  fill(in);
  address from = upload(in, sizeof in), to = upload(out, sizeof out);
  launch(&program, "sub_groups_of_all_kinds", in_a_row, (void *[]){&from, &to});
  download(out, to, sizeof out);
  for (unsigned i = 0; i < ALL; i++) {
    const unsigned group = i - i % ITEMS, begin = group + i % ITEMS / SUB_GROUP * SUB_GROUP;
    const unsigned end = begin + SUB_GROUP < group + ITEMS ? begin + SUB_GROUP : group + ITEMS;
    const struct scan here = scan(in, begin, i), whole = scan(in, begin, end - 1);
    CHECK_EQ(out[i][0], whole.sum);
    CHECK_EQ(out[i][1], here.sum);
    CHECK_EQ(out[i][2], here.before);
    CHECK_EQ(out[i][3], in[begin + 2]);
    CHECK_EQ(out[i][4], are_below(in, begin, end) + 2 * is_among(in, begin, end));
    CHECK_EQ(out[i][5], whole.least);
    CHECK_EQ(out[i][6], whole.greatest);
    CHECK_EQ(out[i][7], here.greatest_before);
  }
  unload(&program);
}

TEST(local_memory) {
  enum { SIZE = 48 };
  static int in[GROUPS * SIZE], out[GROUPS * SIZE];
  unsigned bytes = SIZE * sizeof(int);
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  for (int i = 0; i < GROUPS * SIZE; i++)
    in[i] = i * 5;
  address from = upload(in, sizeof in), to = upload(out, sizeof out);
  launch(&program, "locals", (struct range){{GROUPS, 1, 1}, {SIZE, 1, 1}, {0, 0, 0}},
      (void *[]){&from, &to, &bytes, &bytes});
  download(out, to, sizeof out);
  for (int i = 0; i < GROUPS * SIZE; i++) {
    const int begin = i - i % SIZE;
    CHECK_EQ(out[i], 2 * in[i] + 1000 * (in[begin + (i + 1) % SIZE] + 1));
  }
  unload(&program);
}

TEST(generic_and_constant_memory) {
  int out[ALL + 1] = {9}, factors[ALL];
  struct program program;
  load(&program, "test/kernels/builtins.spv");
  for (int which = 0; which < 3; which++) {
    address memory = upload(out, sizeof out);
    launch(&program, "generic_pointers", in_a_row, (void *[]){&memory, &which});
    download(out, memory, sizeof out);
    for (int i = 0; i < ALL; i++)
      CHECK_EQ(out[i + 1], which == 0 ? 9 : which == 1 ? 7 : 5);
  }
  for (int i = 0; i < ALL; i++)
    factors[i] = i + 2;
  address from = upload(factors, sizeof factors), to = upload(out, sizeof out);
  launch(&program, "constants", in_a_row, (void *[]){&from, &to});
  download(out, to, sizeof out);
  for (int i = 0; i < ALL; i++)
    CHECK_EQ(out[i], (i & 7) * (i & 7) * (i + 2));
  unload(&program);
}

TEST(variables_by_name) {
  int value = 0, add = 5;
  address memory;
  size_t size;
  struct program program;
  load(&program, "test/kernels/globals.spv");
  CHECK_EQ(cuda.global(&memory, &size, program.module, "counter"), 0);
  CHECK_EQ(size, sizeof value);
  launch(&program, "add_to_counter", (struct range){{1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
      (void *[]){&add});
  CHECK_EQ(cuda.from(&value, memory, sizeof value), 0);
  CHECK_EQ(value, 12);
  unload(&program);
}

TEST(printf_prints) {
  int number = -3;
  float real = 1.25f, vector[4] = {1, 2.5f, -3, 4};
  char text[256] = "";
  struct program program;
  load(&program, "test/kernels/printf.spv");
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO), file = open(test_path("out"), O_RDWR | O_CREAT, 0600);
  CHECK(kept >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) >= 0);
  launch(&program, "print", in_a_row, (void *[]){&number, &real, vector});
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  CHECK(pread(file, text, sizeof text - 1, 0) > 0);
  CHECK_STR_EQ(text, "-3 and  1.25, fffffffd00000000; 1.0,2.5,-3.0,4.0%\n");
  close(kept);
  close(file);
  unload(&program);
}

TEST(saxpy_of_the_example) {
  static float x[ALL], y[ALL];
  float a = 2.5f;
  struct program program;
  load(&program, "test/kernels/saxpy.spv");
  for (int i = 0; i < ALL; i++)
    x[i] = (float)i, y[i] = 1;
  address from = upload(x, sizeof x), to = upload(y, sizeof y);
  launch(&program, "saxpy", in_a_row, (void *[]){&a, &from, &to});
  download(y, to, sizeof y);
  for (int i = 0; i < ALL; i++)
    CHECK(y[i] == 2.5f * (float)i + 1);
  unload(&program);
}

TEST(generic_pointers_have_their_kind) {
  struct program program;
  load(&program, "test/kernels/generic.spv");
  int out[40] = {0}, from[40];
  unsigned local = sizeof out;
  address to = upload(out, sizeof out);
  launch(&program, "kinds", (struct range){{1, 1, 1}, {1, 1, 1}, {0}}, (void *[]){&to, &local});
  download(out, to, sizeof out);
  const int kinds[] = {1, 2, 4, 7, 12};
  CHECK(memcmp(out, kinds, sizeof kinds) == 0);
  for (int i = 0; i < 40; i++)
    from[i] = i;
  to = upload(out, sizeof out);
  address many = upload(from, sizeof from);
  launch(&program, "copies", (struct range){{1, 1, 1}, {40, 1, 1}, {0}}, (void *[]){&to, &many});
  download(out, to, sizeof out);
  for (int i = 0; i < 40; i++)
    CHECK_EQ(out[i], 8 * i + (i < 4 ? 2 : 0));
  cuda.free(many);
  unload(&program);
}

TEST(numbers_that_libclc_lacks) {
  enum { COUNT = 4 };
  struct program program;
  load(&program, "test/kernels/generic.spv");
  const uint64_t in[COUNT] = {0, 0x10000, 0x8000000000000000, 12};
  const uint16_t halves[COUNT] = {0x3c00, 0x4900, 0x3e00, 0x0400}; /* 1, 10, 1.5, 2^-14 */
  const uint64_t expected[COUNT][4] = {{1064, 8, 32 + 1600, 101010000 + 512},
      {1016, 8, 16 + 800, 104100000 + 640}, {1063, 8, 32 + 1600, 101010000 + 768 + 512},
      {1002, 2, 2 + 1600, 87000000 + 512}};
  uint64_t out[COUNT][4] = {{0}};
  address to = upload(out, sizeof out), from = upload(in, sizeof in);
  address small = upload(halves, sizeof halves);
  launch(&program, "numbers", (struct range){{1, 1, 1}, {COUNT, 1, 1}, {0}},
      (void *[]){&to, &from, &small});
  download(out, to, sizeof out);
  CHECK(memcmp(out, expected, sizeof out) == 0);
  cuda.free(from);
  cuda.free(small);
  unload(&program);
}

TEST_MAIN(generic_pointers_have_their_kind, numbers_that_libclc_lacks, items_know_where_they_are,
    offsets_reach_functions, mathematics_of_libclc, halves_by_floats, atomic_functions,
    functions_of_work_groups, functions_of_sub_groups, local_memory, generic_and_constant_memory,
    variables_by_name, printf_prints, saxpy_of_the_example)
