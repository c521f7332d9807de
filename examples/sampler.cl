/* The image at each of the coordinates, through the sampler. */
__kernel void sample(read_only image2d_t from, sampler_t sampler,
    __global const float4 *coordinates, __global float4 *to) {
  to[get_global_id(0)] = read_imagef(from, sampler, coordinates[get_global_id(0)].xy);
}
