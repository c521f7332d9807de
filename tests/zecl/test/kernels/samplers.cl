/* Kernels with samplers of their own. */
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

__kernel void sample_nearest(
    read_only image2d_t from, __global const float4 *coordinates, __global float4 *to) {
  to[get_global_id(0)] = read_imagef(from, nearest, coordinates[get_global_id(0)].xy);
}

__kernel void sample_repeated(
    read_only image2d_t from, __global const float4 *coordinates, __global float4 *to) {
  to[get_global_id(0)] = read_imagef(from, repeated, coordinates[get_global_id(0)].xy);
}

__kernel void sample_mirrored(
    read_only image2d_t from, __global const float4 *coordinates, __global float4 *to) {
  const sampler_t mirrored =
      CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
  to[get_global_id(0)] = read_imagef(from, mirrored, coordinates[get_global_id(0)].xy);
}

constant sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

float4 read_bordered(read_only image2d_t from, float2 at) {
  return read_imagef(from, bordered, at);
}

__kernel void sample_bordered(
    read_only image2d_t from, __global const float4 *coordinates, __global float4 *to) {
  to[get_global_id(0)] = read_bordered(from, coordinates[get_global_id(0)].xy);
}
