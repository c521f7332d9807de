/* Atomic functions, all of which take generic pointers: here to global and to local memory. */
__attribute__((work_group_size_hint(16, 1, 1))) __kernel void count_up(
    volatile __global atomic_int *sum, __global int *seen) {
  __local atomic_int of_group;
  if (get_local_id(0) == 0)
    atomic_init(&of_group, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&of_group, 2, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(sum, 1, memory_order_relaxed, memory_scope_device);
  if (get_local_id(0) == 0)
    seen[get_group_id(0)] =
        atomic_load_explicit(&of_group, memory_order_relaxed, memory_scope_work_group);
}
