/* Kernels by which probe.c probes the engine: each handles one texel per work-item. */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

#define AT ((int)get_global_id(0))

#define PROBE(name, image, coordinate, place)                                                      \
  __kernel void read_##name(                                                                       \
      read_only image from, sampler_t sampler, __global float4 *to, __global const float4 *at) {   \
    const float4 where = at[AT];                                                                   \
    to[AT] = read_imagef(from, sampler, place);                                                    \
  }                                                                                                \
  __kernel void write_##name(                                                                      \
      write_only image to, __global const float4 *from, __global const int4 *at) {                 \
    const int4 where = at[AT];                                                                     \
    write_imagef(to, coordinate, from[AT]);                                                        \
  }

PROBE(1d, image1d_t, where.x, where.x)
PROBE(2d, image2d_t, where.xy, where.xy)
PROBE(3d, image3d_t, where, where)
PROBE(1d_array, image1d_array_t, where.xy, where.xy)
PROBE(2d_array, image2d_array_t, where, where)

__kernel void read_integer(
    read_only image2d_t from, sampler_t sampler, __global uint4 *to, __global const float4 *at) {
  to[AT] = read_imageui(from, sampler, at[AT].xy);
}

__kernel void write_integer(
    write_only image2d_t to, __global const uint4 *from, __global const int4 *at) {
  write_imageui(to, at[AT].xy, from[AT]);
}

__kernel void read_buffer(read_only image1d_buffer_t from, __global float4 *to) {
  to[AT] = read_imagef(from, AT);
}

__kernel void write_buffer(write_only image1d_buffer_t to, __global const float4 *from) {
  write_imagef(to, AT, from[AT]);
}
