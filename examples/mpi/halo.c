/* A halo exchange: a plate of cells, divided among MPI ranks by rows. In each step a rank's device
   gets the rows at its edges from its neighbours' devices. Rank 0 computes the same alone, and
   compares.

     mpirun -n 4 halo                                                                          */
#include "link.h"

enum { ROWS = 24, COLUMNS = 64, STEPS = 16, DOWN = 10, UP = 20 };

/* Rows first to first + rows - 1, and one more at both ends: 0, or a neighbour's. */
struct plate {
  const struct world *world;
  syclze_kernel heat;
  int first, rows;
  syclze_buffer now, next;
};

static float start(int row, int column) {
  return row >= ROWS / 3 && row < ROWS / 2 && column > 20 && column < 40 ? 100.0f : 0.0f;
}

static struct plate plate_of(const struct world *world, syclze_kernel heat, int first, int rows) {
  static float cells[(ROWS + 2) * COLUMNS];
  const size_t bytes = (size_t)(rows + 2) * COLUMNS * sizeof(float);
  struct plate plate = {
      world, heat, first, rows, floats_of(world, bytes, false), floats_of(world, bytes, false)};
  memset(cells, 0, sizeof cells);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < COLUMNS; column++)
      cells[(row + 1) * COLUMNS + column] = start(first + row, column);
  const syclze_buffer both[] = {plate.now, plate.next};
  for (int k = 0; k < 2; k++) {
    syclze_group group = syclze_group_begin(world->queue);
    const syclze_accessor to = syclze_require(&group, both[k], SYCLZE_ACCESS_DISCARD_WRITE);
    TRY(syclze_group_copy(
        &group, syclze_mem_arg(to), syclze_mem_arg((const void *)cells), bytes, NULL));
  }
  TRY(syclze_queue_wait(world->queue));
  return plate;
}

static void compute(struct plate *plate) {
  const int columns = COLUMNS;
  const syclze_buffer now = plate->now;
  syclze_group group = syclze_group_begin(plate->world->queue);
  const syclze_accessor u = syclze_require(&group, now, SYCLZE_ACCESS_READ);
  const syclze_accessor next = syclze_require(&group, plate->next, SYCLZE_ACCESS_READ_WRITE);
  const syclze_nd_range range = {
      .dimensions = 2, .global = {COLUMNS, (size_t)plate->rows}, .local = {COLUMNS, 1}};
  TRY(syclze_launch(
      &group, plate->heat, &range, NULL, syclze_arg(u), syclze_arg(next), syclze_arg(columns)));
  plate->now = plate->next;
  plate->next = now;
}

/* The rows at the edges go to the neighbours, and theirs become the rows beyond the edges. */
static void exchange(struct plate *plate, const struct channel *down, const struct channel *up) {
  const size_t last = (size_t)plate->rows;
  channel_send(down, plate->now, last * COLUMNS);
  channel_send(up, plate->now, COLUMNS);
  channel_receive(down);
  channel_receive(up);
  if (down->from != MPI_PROC_NULL)
    copy_floats(plate->world->queue, plate->now, 0, down->in, 0, down->bytes);
  if (up->from != MPI_PROC_NULL)
    copy_floats(plate->world->queue, plate->now, (last + 1) * COLUMNS, up->in, 0, up->bytes);
  channel_free(down);
  channel_free(up);
}

/* Copies the rows out, and ends the plate. */
static void plate_end(struct plate *plate, float *cells) {
  const size_t count = (size_t)plate->rows * COLUMNS;
  syclze_group group = syclze_group_begin(plate->world->queue);
  const syclze_accessor rows =
      syclze_group_require_range(&group, plate->now, SYCLZE_ACCESS_READ, COLUMNS, count);
  TRY(syclze_group_update_host(&group, cells, rows, NULL));
  TRY(syclze_queue_wait(plate->world->queue));
  TRY(syclze_release(plate->now));
  TRY(syclze_release(plate->next));
}

int main(int argc, char **argv) {
  static float all[ROWS * COLUMNS], alone[ROWS * COLUMNS], own[ROWS * COLUMNS];
  struct world world = world_begin(&argc, &argv);
  syclze_kernel_bundle bundle;
  syclze_kernel heat = kernel_of(&world, "examples/mpi/halo.spv", "heat", &bundle);
  CLAIM(ROWS % world.ranks == 0);
  const int rows = ROWS / world.ranks;
  const int above = world.rank > 0 ? world.rank - 1 : MPI_PROC_NULL;
  const int below = world.rank + 1 < world.ranks ? world.rank + 1 : MPI_PROC_NULL;

  struct plate plate = plate_of(&world, heat, world.rank * rows, rows);
  struct channel down, up;
  channel_open(&down, &world, below, above, DOWN, COLUMNS);
  channel_open(&up, &world, above, below, UP, COLUMNS);
  for (int step = 0; step < STEPS; step++) {
    exchange(&plate, &down, &up);
    compute(&plate);
  }
  plate_end(&plate, own);
  printf("rank %d: down through %s, up through %s\n", world.rank, way_of(&down), way_of(&up));
  fflush(stdout);
  channel_close(&down);
  channel_close(&up);
  TRY_MPI(MPI_Gather(
      own, rows * COLUMNS, MPI_FLOAT, all, rows * COLUMNS, MPI_FLOAT, 0, MPI_COMM_WORLD));

  int wrong = 0;
  if (world.rank == 0) {
    struct plate whole = plate_of(&world, heat, 0, ROWS);
    for (int step = 0; step < STEPS; step++)
      compute(&whole);
    plate_end(&whole, alone);
    for (int i = 0; i < ROWS * COLUMNS; i++)
      wrong += all[i] != alone[i];
    CLAIM(alone[ROWS / 2 * COLUMNS + 30] > 0);
    printf("%d ranks, %d steps: %d cells, %d other than those of one rank\n%s\n", world.ranks,
        STEPS, ROWS * COLUMNS, wrong, wrong ? "FAILED" : "OK");
  }
  TRY(syclze_release(heat));
  TRY(syclze_release(bundle));
  world_end(&world);
  return wrong != 0;
}
