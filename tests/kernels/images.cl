/* Kernels that take what OpenCL calls opaque: an image and a sampler. */
__kernel void read_image(read_only image2d_t image, sampler_t sampler, __global float4 *out) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  out[at.y * (int)get_global_size(0) + at.x] = read_imagef(image, sampler, at);
}
