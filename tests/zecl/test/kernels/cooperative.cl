/* Groups that wait for each other: by the function of Intel's compiler, and by a barrier that names
 * the device as its scope. */
void global_barrier(void);
void __attribute__((overloadable)) __spirv_ControlBarrier(int scope, int memory, int semantics);

enum { DEVICE = 1, GLOBAL_MEMORY = 0x210 };

static void wait_for_all(void) {
  global_barrier();
}

/* A row of Pascal's triangle, an item for each number. */
__kernel void pascal(__global ulong *row, int number) {
  const int place = (int)get_global_id(0);
  for (int i = 0; i <= number; i++) {
    const ulong value = place == 0 || place == i ? 1
                        : place < i              ? row[place - 1] + row[place]
                                                 : 0;
    wait_for_all();
    row[place] = value;
    global_barrier();
  }
}

__kernel void pass_on(__global int *to) {
  const int place = (int)get_global_id(0), size = (int)get_global_size(0);
  to[place] = place;
  __spirv_ControlBarrier(DEVICE, DEVICE, GLOBAL_MEMORY);
  /* PoCL 7.1 would read it again behind the next barrier. */
  const int seen = ((volatile __global int *)to)[(place + 1) % size];
  __spirv_ControlBarrier(DEVICE, DEVICE, GLOBAL_MEMORY);
  to[place] = seen;
}

/* Writes each item's place in its group, after a barrier, in two dimensions. */
__kernel void places(__global int *to) {
  __global int *own = to + 9 * (get_global_id(1) * get_global_size(0) + get_global_id(0));
  global_barrier();
  own[0] = (int)get_group_id(0);
  own[1] = (int)get_group_id(1);
  own[2] = (int)get_local_id(0);
  own[3] = (int)get_local_id(1);
  own[4] = (int)get_num_groups(0);
  own[5] = (int)get_num_groups(1);
  own[6] = (int)get_local_size(0);
  own[7] = (int)get_local_size(1);
  own[8] = (int)get_global_id(0);
}

__kernel void alone(__global int *to) {
  to[get_global_id(0)] = (int)get_group_id(0);
}
