/* The rules that the libcuda of the tests keeps, each of them broken: the process ends, with a line
 * that names the rule. */
#define _GNU_SOURCE
#include "support/libcuda.h"

#include "engine/cuda/driver.h"
#include "tests/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void choose_engine(void) {
  setenv("LIBCUDA_MEMORY", "64", 1);
  setenv("LIBCUDA_DEVICES", "2", 1);
  test_load_libcuda();
}

static struct zecl_cuda_driver cuda;

#define CU(name) cuda.name

static void find_functions(void) {
#define FIND(name, symbol, parameters)                                                             \
  do {                                                                                             \
    void *address = test_libcuda_symbol(#symbol);                                                  \
    memcpy(&cuda.name, &address, sizeof address);                                                  \
  } while (0);
  ZECL_CUDA_FUNCTIONS(FIND)
#undef FIND
}

static struct {
  CUcontext contexts[2];
  CUstream stream;
  CUdeviceptr device;
  void *host;
} made;

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry add(.param .u32 by, .param .u64 to) {\n  ret;\n}\n";

static void make(void) {
  CU(init)(0);
  for (int i = 0; i < 2; i++)
    CU(context_retain)(&made.contexts[i], i);
  CU(context_set)(made.contexts[0]);
  CU(stream_create)(&made.stream, CU_STREAM_NON_BLOCKING, 0);
  CU(alloc_device)(&made.device, 4096);
  CU(alloc_host)(&made.host, 4096, CU_MEMHOSTALLOC_PORTABLE);
}

static CUkernel kernel_of(CUlibrary *library) {
  CUkernel kernel;
  CU(library_load)(library, ptx, NULL, NULL, 0, NULL, NULL, 0);
  CU(library_kernel)(&kernel, *library, "add");
  return kernel;
}

static void launch(CUkernel kernel, unsigned groups, unsigned shared, void **arguments) {
  CU(launch)
  ((CUfunction)(void *)kernel, groups, 1, 1, 1, 1, 1, shared, made.stream, arguments, NULL);
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
      .srcDevice = made.device,
      .srcPitch = 64,
      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
      .dstArray = array,
      .dstXInBytes = x,
      .WidthInBytes = width,
      .Height = 2,
      .Depth = 1};
  CU(copy_3d)(&box, made.stream);
}

enum { LARGE_PAGE = 2 << 20 };

static CUmemGenericAllocationHandle physical(size_t size) {
  const CUmemAllocationProp properties = {
      .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemGenericAllocationHandle handle = 0;
  CU(physical_create)(&handle, size, &properties, 0);
  return handle;
}

/* Two pages of addresses, with memory in the first `pages`. */
static CUdeviceptr mapped(size_t pages) {
  CUdeviceptr base = 0;
  CU(address_reserve)(&base, 2 * LARGE_PAGE, 0, 0, 0);
  if (pages) CU(map)(base, pages * LARGE_PAGE, 0, physical(pages * LARGE_PAGE), 0);
  return base;
}

static void open_page(CUdeviceptr base, size_t pages) {
  const CUmemAccessDesc desc = {
      {CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CU(set_access)(base, pages * LARGE_PAGE, &desc, 1);
}

static void use_virtual_memory(void) {
  const CUmemGenericAllocationHandle handle = physical(LARGE_PAGE);
  const CUdeviceptr base = mapped(0);
  CU(map)(base + LARGE_PAGE, LARGE_PAGE, 0, handle, 0);
  open_page(base + LARGE_PAGE, 1);
  CU(physical_release)(handle);
  CU(copy)(base + LARGE_PAGE, made.device, 4096, made.stream);
  CU(stream_synchronize)(made.stream);
  CU(unmap)(base + LARGE_PAGE, LARGE_PAGE);
  CU(address_free)(base, 2 * LARGE_PAGE);
}

static void copy_beyond_what_is_mapped(void) {
  make();
  const CUdeviceptr base = mapped(1);
  open_page(base, 1);
  CU(copy)(base + LARGE_PAGE - 1, made.device, 2, made.stream);
}

static void mapped_without_access(void) {
  make();
  CU(copy)(mapped(1), made.device, 1, made.stream);
}

static void mapped_twice(void) {
  make();
  const CUdeviceptr base = mapped(1);
  CU(map)(base, LARGE_PAGE, 0, physical(LARGE_PAGE), 0);
}

static void mapped_in_part(void) {
  make();
  CU(map)(mapped(0), LARGE_PAGE, 0, physical(2 * LARGE_PAGE), 0);
}

static void unmapped_in_part(void) {
  make();
  CU(unmap)(mapped(2), LARGE_PAGE);
}

static void unmapped_twice(void) {
  make();
  const CUdeviceptr base = mapped(1);
  CU(unmap)(base, LARGE_PAGE);
  CU(unmap)(base, LARGE_PAGE);
}

static void address_free_of_what_is_mapped(void) {
  make();
  CU(address_free)(mapped(1), 2 * LARGE_PAGE);
}

static void reservation_given_back_twice(void) {
  make();
  const CUdeviceptr base = mapped(0);
  CU(address_free)(base, 2 * LARGE_PAGE);
  CU(address_free)(base, 2 * LARGE_PAGE);
}

static void physical_released_twice(void) {
  make();
  const CUmemGenericAllocationHandle handle = physical(LARGE_PAGE);
  CU(physical_release)(handle);
  CU(physical_release)(handle);
}

static void exported_but_not_made_for_it(void) {
  int file;
  CU(physical_export)(&file, physical(LARGE_PAGE), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
}

static void half_a_page(void) {
  make();
  physical(LARGE_PAGE / 2);
}

static char own_memory[4096];

static void enlist(void) {
  CU(host_register)
  (own_memory, sizeof own_memory, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
}

static void registered_twice(void) {
  make();
  enlist();
  enlist();
}

static void unregistered_twice(void) {
  make();
  enlist();
  CU(host_unregister)(own_memory);
  CU(host_unregister)(own_memory);
}

static void unregistered_memory(void) {
  make();
  enlist();
  CU(host_unregister)(own_memory);
  CU(stream_write)(made.stream, (CUdeviceptr)(uintptr_t)own_memory, 1, 0);
}

static void nothing_is_broken(void) {
  uint32_t by = 1;
  void *arguments[] = {&by, &made.device};
  CUlibrary library;
  make();
  CUkernel kernel = kernel_of(&library);
  launch(kernel, 1, 0, arguments);
  CU(copy)(made.device, (CUdeviceptr)(uintptr_t)made.host, 4096, made.stream);
  use_virtual_memory();
  enlist();
  CU(stream_write)(made.stream, (CUdeviceptr)(uintptr_t)own_memory, 1, 0);
  CU(stream_synchronize)(made.stream);
  CU(host_unregister)(own_memory);
  CUarray array = array_of(CUDA_ARRAY3D_SURFACE_LDST);
  const CUsurfObject surface = surface_of(array);
  const CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_POINT);
  copy_to_array(array, 16, 48);
  CU(stream_synchronize)(made.stream);
  CU(texture_destroy)(texture);
  CU(surface_destroy)(surface);
  CU(array_destroy)(array);
  CU(library_unload)(library);
  CU(stream_destroy)(made.stream);
  CU(free_device)(made.device);
  CU(free_host)(made.host);
}

static void before_init(void) {
  int value;
  CU(device_attribute)(&value, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0);
}

static void without_a_context(void) {
  CU(init)(0);
  CU(alloc_device)(&made.device, 1);
}

static void no_stream(void) {
  make();
  CU(stream_query)((CUstream)(void *)&made);
}

static void destroyed_stream(void) {
  make();
  CU(stream_destroy)(made.stream);
  CU(stream_query)(made.stream);
}

static void other_context(void) {
  make();
  CU(context_set)(made.contexts[1]);
  CU(copy)(made.device, made.device, 1, made.stream);
}

static void freed_memory(void) {
  make();
  CU(free_device)(made.device);
  CU(set_8)(made.device, 1, 1, made.stream);
}

static void memory_of_malloc(void) {
  int word = 0;
  make();
  CU(copy)(made.device, (CUdeviceptr)(uintptr_t)&word, sizeof word, made.stream);
}

static void destroyed_array(void) {
  make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  copy_to_array(array, 0, 64);
}

static void array_destroyed_twice(void) {
  make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  CU(array_destroy)(array);
}

static void array_in_use(void) {
  make();
  CUarray array = array_of(CUDA_ARRAY3D_SURFACE_LDST);
  surface_of(array);
  CU(array_destroy)(array);
}

static void no_surface_array(void) {
  make();
  surface_of(array_of(0));
}

static void texture_of_a_destroyed_array(void) {
  make();
  CUarray array = array_of(0);
  CU(array_destroy)(array);
  texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT);
}

static void texture_destroyed_twice(void) {
  make();
  const CUtexObject texture =
      texture_of(array_of(0), CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT);
  CU(texture_destroy)(texture);
  CU(texture_destroy)(texture);
}

static void surface_as_a_texture(void) {
  make();
  CU(texture_destroy)(surface_of(array_of(CUDA_ARRAY3D_SURFACE_LDST)));
}

static void repeats_what_is_not_normalised(void) {
  make();
  texture_of(array_of(0), CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT);
}

static void filtered_integers(void) {
  make();
  texture_of(array_of(0), CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR);
}

static void beyond_the_edge(void) {
  make();
  copy_to_array(array_of(0), 16, 64);
}

static void part_of_an_element(void) {
  make();
  copy_to_array(array_of(0), 8, 16);
}

static void beyond_the_end(void) {
  make();
  CU(copy)(made.device + 4000, made.device, 97, made.stream);
}

static void freed_twice(void) {
  make();
  CU(free_device)(made.device);
  CU(free_device)(made.device);
}

static void freed_as_another_kind(void) {
  make();
  CU(free_host)((void *)(uintptr_t)made.device);
}

static void too_much_managed_memory(void) {
  CUdeviceptr memory;
  make();
  CU(alloc_managed)(&memory, (size_t)65 << 20, CU_MEM_ATTACH_GLOBAL);
}

static void freed_while_work_waits(void) {
  make();
  memset(made.host, 0, 4);
  CU(stream_wait)(made.stream, (CUdeviceptr)(uintptr_t)made.host, 1, CU_STREAM_WAIT_VALUE_AND);
  CU(free_device)(made.device);
}

static void unloaded_twice(void) {
  CUlibrary library;
  make();
  kernel_of(&library);
  CU(library_unload)(library);
  CU(library_unload)(library);
}

static void kernel_of_an_unloaded_library(void) {
  CUlibrary library;
  make();
  CUkernel kernel = kernel_of(&library);
  CU(library_unload)(library);
  launch(kernel, 1, 0, NULL);
}

static void null_parameter(void) {
  CUlibrary library;
  void *arguments[] = {NULL, NULL};
  make();
  launch(kernel_of(&library), 1, 0, arguments);
}

static void no_groups(void) {
  CUlibrary library;
  make();
  launch(kernel_of(&library), 0, 0, NULL);
}

static void too_much_shared_memory(void) {
  CUlibrary library;
  make();
  launch(kernel_of(&library), 1, 100 << 10, NULL);
}

static void full_stream(void) {
  make();
  memset(made.host, 0, 4);
  CU(stream_wait)(made.stream, (CUdeviceptr)(uintptr_t)made.host, 1, CU_STREAM_WAIT_VALUE_AND);
  for (int i = 0; i < 1001; i++)
    CU(set_8)(made.device, 1, 1, made.stream);
}

static void too_many_groups_that_wait(void) {
  CUlibrary library;
  uint32_t by = 1;
  void *arguments[] = {&by, &made.device};
  make();
  CU(launch_cooperative)
  ((CUfunction)(void *)kernel_of(&library), 265, 1, 1, 1024, 1, 1, 0, made.stream, arguments);
}

/* The line that a process prints as it breaks the rule; empty where it ends in peace. */
/* A process that does something, and where what it prints comes out. */
struct child {
  pid_t process;
  int output;
};

enum { ABORTED = 99 };

/* Sooner than the system ends a process. */
static void on_abort(int number) {
  (void)number;
  _exit(ABORTED);
}

static struct child start(void (*how)(void)) {
  int output[2];
  CHECK_EQ(pipe(output), 0);
  fflush(stdout);
  const struct child child = {fork(), output[0]};
  if (child.process == 0) {
    signal(SIGABRT, on_abort);
    dup2(output[1], STDERR_FILENO);
    how();
    _exit(0);
  }
  close(output[1]);
  return child;
}

/* The line that it printed; it has aborted if there is one. */
static void finish(struct child child, char *line, size_t size) {
  int status = 0;
  size_t length = 0;
  for (ssize_t part;
       length + 1 < size && (part = read(child.output, line + length, size - 1 - length)) > 0;)
    length += (size_t)part;
  line[length] = 0;
  close(child.output);
  CHECK_EQ(waitpid(child.process, &status, 0), child.process);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), length ? ABORTED : 0);
}

TEST(what_is_right_passes) {
  char line[256];
  find_functions();
  finish(start(nothing_is_broken), line, sizeof line);
  CHECK_STR_EQ(line, "");
}

TEST(each_rule_is_kept) {
  static const struct {
    void (*how)(void);
    const char *words;
  } rules[] = {{before_init, "before cuInit"}, {without_a_context, "without a context"},
      {no_stream, "in what is no stream"}, {destroyed_stream, "in a destroyed stream"},
      {other_context, "in a stream of another context"},
      {freed_memory, "uses memory that was freed"},
      {memory_of_malloc, "of memory that is not CUDA's"},
      {beyond_the_end, "goes beyond the end of an allocation"},
      {destroyed_array, "of a destroyed array"}, {array_destroyed_twice, "of a destroyed array"},
      {array_in_use, "of an array that has textures or surfaces"},
      {no_surface_array, "that was not made for surfaces"},
      {texture_of_a_destroyed_array, "of a destroyed array"},
      {texture_destroyed_twice, "of what was destroyed"},
      {surface_as_a_texture, "cuTexObjectDestroy of what is none"},
      {repeats_what_is_not_normalised, "only normalised coordinates repeat"},
      {filtered_integers, "integers are not filtered"},
      {beyond_the_edge, "goes beyond the edge of an array"},
      {part_of_an_element, "of parts of an element"},
      {copy_beyond_what_is_mapped, "of addresses without memory"},
      {mapped_without_access, "of memory that no device has access to"},
      {mapped_twice, "where something is mapped"}, {mapped_in_part, "of a part of physical memory"},
      {unmapped_in_part, "of a part of a mapping"}, {unmapped_twice, "of what is not mapped"},
      {address_free_of_what_is_mapped, "cuMemAddressFree of what is mapped"},
      {reservation_given_back_twice, "of what is not reserved"},
      {physical_released_twice, "of physical memory that was released"},
      {exported_but_not_made_for_it, "that was not made to leave"},
      {half_a_page, "of parts of a page"}, {registered_twice, "of what CUDA has already"},
      {unregistered_twice, "of what is not registered"},
      {unregistered_memory, "of memory that is not CUDA's"},
      {freed_twice, "of what is no allocation, or was freed"},
      {freed_as_another_kind, "of memory of another kind"},
      {too_much_managed_memory, "managed memory beyond what is free"},
      {unloaded_twice, "of an unloaded library"},
      {kernel_of_an_unloaded_library, "of a kernel of an unloaded library"},
      {null_parameter, "parameter 0 is null"}, {no_groups, "a size is out of range"},
      {too_much_shared_memory, "more shared memory than was allowed"},
      {freed_while_work_waits, "waits for work that does not end"},
      {full_stream, "in a full stream, which does not go on"},
      {too_many_groups_that_wait, "more groups than run at once"}};
  enum { RULES = sizeof rules / sizeof *rules };
  struct child children[RULES];
  find_functions();
  for (size_t i = 0; i < RULES; i++)
    children[i] = start(rules[i].how);
  for (size_t i = 0; i < RULES; i++) {
    char line[256];
    finish(children[i], line, sizeof line);
    if (!strstr(line, rules[i].words)) printf("%s: %s\n", rules[i].words, line);
    CHECK(strncmp(line, "libcuda: ", 9) == 0 && strstr(line, rules[i].words));
  }
}

TEST_MAIN(what_is_right_passes, each_rule_is_kept)
