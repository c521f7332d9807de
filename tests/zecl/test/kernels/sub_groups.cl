/* Writes each work-item's sub-group: the size, its own place, and the sum of all places. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

__kernel void sub_groups(__global int *to) {
  __global int *own = to + 3 * get_global_id(0);
  own[0] = (int)get_sub_group_size();
  own[1] = (int)get_sub_group_local_id();
  own[2] = sub_group_reduce_add(own[1]);
}
