/* A ring of MPI ranks: arrays in device memory go round, and each rank adds up all of them.

     mpirun -n 4 ring                                                                          */
#include "link.h"

enum { COUNT = 4096, TAG = 10 };

static float number(int rank, int i) {
  return (float)((rank + 1) * (i % 97));
}

int main(int argc, char **argv) {
  struct world world = world_begin(&argc, &argv);
  syclze_queue queue = world.queue;
  syclze_kernel_bundle bundle;
  syclze_kernel saxpy = kernel_of(&world, "examples/saxpy.spv", "saxpy", &bundle);
  const size_t bytes = COUNT * sizeof(float);
  syclze_buffer token = floats_of(&world, bytes, false), sum = floats_of(&world, bytes, false);
  float numbers[COUNT];
  for (int i = 0; i < COUNT; i++)
    numbers[i] = number(world.rank, i);
  for (int k = 0; k < 2; k++) {
    syclze_group group = syclze_group_begin(queue);
    const syclze_accessor to =
        syclze_require(&group, k == 0 ? token : sum, SYCLZE_ACCESS_DISCARD_WRITE);
    TRY(syclze_group_copy(
        &group, syclze_mem_arg(to), syclze_mem_arg((const void *)numbers), bytes, NULL));
  }

  struct channel next;
  channel_open(&next, &world, (world.rank + 1) % world.ranks,
      (world.rank + world.ranks - 1) % world.ranks, TAG, COUNT);
  for (int step = 1; step < world.ranks; step++) {
    channel_send(&next, token, 0);
    channel_receive(&next);
    syclze_group group = syclze_group_begin(queue);
    const syclze_accessor x = syclze_require(&group, next.in, SYCLZE_ACCESS_READ);
    const syclze_accessor y = syclze_require(&group, sum, SYCLZE_ACCESS_READ_WRITE);
    const syclze_nd_range range = {.global = {COUNT}};
    TRY(syclze_launch(&group, saxpy, &range, NULL, syclze_arg(1.0f), syclze_arg(x), syclze_arg(y)));
    copy_floats(queue, token, 0, next.in, 0, bytes);
    channel_free(&next);
  }

  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_update_host(
      &group, numbers, syclze_require(&group, sum, SYCLZE_ACCESS_READ), NULL));
  TRY(syclze_queue_wait(queue));
  int wrong = 0, all;
  for (int i = 0; i < COUNT; i++) {
    float expected = 0;
    for (int rank = 0; rank < world.ranks; rank++)
      expected += number(rank, i);
    wrong += numbers[i] != expected;
  }
  printf("rank %d to %d: through %s\n", world.rank, next.to, way_of(&next));
  fflush(stdout);
  channel_close(&next);
  TRY_MPI(MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
  if (world.rank == 0)
    printf("%d ranks: %d numbers, %d wrong\n%s\n", world.ranks, COUNT, all, all ? "FAILED" : "OK");

  TRY(syclze_release(token));
  TRY(syclze_release(sum));
  TRY(syclze_release(saxpy));
  TRY(syclze_release(bundle));
  world_end(&world);
  return wrong != 0;
}
