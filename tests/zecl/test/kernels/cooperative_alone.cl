/* Groups that wait for each other and have barriers of their own, so that they cannot be made one. */
void global_barrier(void);

__kernel void both(__global int *to) {
  to[get_global_id(0)] = (int)get_local_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  global_barrier();
  to[get_global_id(0)] += 1;
}
