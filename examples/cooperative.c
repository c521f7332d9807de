/* What may a kernel be on this device, and how do all its groups wait for each other? By the limits
   of the device, and by a cooperative launch of as many groups as run at once. */
#include "command.h"
#include "syclze/command/launch_cooperative.h"
#include "syclze/device_query.h"

enum { NUMBER = 10, LOCAL = 4 };

/* Sizes that every port asks first. */
static void print_limits(syclze_device device) {
  syclze_device_limits limits;
  TRY(syclze_device_get_limits(device, &limits));
  printf("groups of %u work-items, %u bytes of local memory, sub-groups of",
      limits.max_work_group_size, limits.local_mem_size);
  for (uint32_t i = 0; i < limits.sub_group_size_count; i++)
    printf(" %u", limits.sub_group_sizes[i]);
  printf("\nfp64: %s, 64-bit atomics: %s, memory of malloc: %s\n", limits.has_fp64 ? "yes" : "no",
      limits.has_atomic64 ? "yes" : "no", limits.usm_system != 0 ? "yes" : "no");
  CLAIM(limits.max_work_group_size >= LOCAL);
}

static bool launches_cooperatively(syclze_device device) {
  syclze_queue_group groups[8];
  uint32_t count = 8;
  TRY(syclze_device_get_queue_groups(device, &count, groups));
  for (uint32_t i = 0; i < count; i++)
    if (groups[i].computes) return groups[i].launches_cooperatively; /* that of the queue */
  return false;
}

/* A row of Pascal's triangle, of which each item has one number: it waits for its neighbour's. */
static void print_row(
    syclze_context context, syclze_queue queue, syclze_device device, syclze_kernel kernel) {
  const uint32_t local[3] = {LOCAL, 1, 1};
  uint32_t most;
  TRY(syclze_kernel_get_max_group_count(kernel, local, &most));
  const uint32_t groups = most < 3 ? most : 3;
  const int last = groups * LOCAL > NUMBER ? NUMBER : (int)groups * LOCAL - 1;
  uint64_t *row;
  TRY(syclze_malloc_shared(groups * LOCAL * sizeof *row, device, context, (void **)&row));
  const syclze_nd_range range = {.global = {groups * LOCAL}, .local = {LOCAL}};
  const syclze_argument arguments[] = {syclze_arg(row), syclze_arg(last)};
  TRY(syclze_queue_launch_cooperative(queue, kernel, &range, arguments, 2, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  uint64_t sum = 0;
  for (int i = 0; i <= last; i++)
    printf(" %llu", (unsigned long long)row[i]), sum += row[i];
  printf("\n");
  CLAIM(sum == (uint64_t)1 << last);
  TRY(syclze_free(row, context));
}

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  print_limits(device);
  if (launches_cooperatively(device)) {
    syclze_kernel_bundle_input input = {
        .native_handle = load_module(syclze_get_native(context), syclze_get_native(device),
            argc > 1 ? argv[1] : "tests/kernels/cooperative.spv")};
    syclze_kernel_bundle bundle;
    syclze_kernel kernel;
    TRY(syclze_make_native(&input, context, &bundle));
    TRY(syclze_kernel_create(bundle, "pascal", &kernel));
    print_row(context, queue, device, kernel);
    TRY(syclze_release(kernel));
    TRY(syclze_release(bundle));
  } else
    puts("the device has no cooperative kernels");
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
