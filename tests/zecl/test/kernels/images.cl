/* Kernels that take what OpenCL calls opaque: images and samplers. */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

__kernel void read_image(read_only image2d_t image, sampler_t sampler, __global float4 *out) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  out[at.y * (int)get_global_size(0) + at.x] = read_imagef(image, sampler, at);
}

/* One work-item for each texel: x, y, z, and the texel's place in a row of all. */
#define TEXEL                                                                                      \
  const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);       \
  const int place = x + (int)get_global_size(0) * (y + (int)get_global_size(1) * z);               \
  (void)y, (void)z

#define READ(name, image, at, suffix, type)                                                        \
  __kernel void read_##suffix##_##name(read_only image from, __global type *to) {                  \
    TEXEL;                                                                                         \
    to[place] = read_image##suffix(from, at);                                                      \
  }

#define WRITE(name, image, at, suffix, type)                                                       \
  __kernel void write_##suffix##_##name(write_only image to, __global const type *from) {          \
    TEXEL;                                                                                         \
    write_image##suffix(to, at, from[place]);                                                      \
  }

#define ALL(name, image, at)                                                                       \
  READ(name, image, at, f, float4)                                                                 \
  READ(name, image, at, i, int4)                                                                   \
  READ(name, image, at, ui, uint4)                                                                 \
  WRITE(name, image, at, f, float4)                                                                \
  WRITE(name, image, at, i, int4)                                                                  \
  WRITE(name, image, at, ui, uint4)

ALL(1d, image1d_t, x)
ALL(2d, image2d_t, (int2)(x, y))
ALL(3d, image3d_t, (int4)(x, y, z, 0))
ALL(1d_array, image1d_array_t, (int2)(x, y))
ALL(2d_array, image2d_array_t, (int4)(x, y, z, 0))
ALL(buffer, image1d_buffer_t, x)

#define COPY(name, image, at)                                                                      \
  __kernel void copy_f_##name(read_only image from, write_only image to) {                         \
    TEXEL;                                                                                         \
    write_imagef(to, at, read_imagef(from, at));                                                   \
  }

COPY(2d, image2d_t, (int2)(x, y))
COPY(3d, image3d_t, (int4)(x, y, z, 0))

#define SAMPLE(name, image, at)                                                                    \
  __kernel void sample_##name(read_only image from, sampler_t sampler,                             \
      __global const float4 *coordinates, __global float4 *to) {                                   \
    const float4 c = coordinates[get_global_id(0)];                                                \
    to[get_global_id(0)] = read_imagef(from, sampler, at);                                         \
  }

SAMPLE(1d, image1d_t, c.x)
SAMPLE(2d, image2d_t, c.xy)
SAMPLE(3d, image3d_t, c)
SAMPLE(1d_array, image1d_array_t, c.xy)
SAMPLE(2d_array, image2d_array_t, c)

__kernel void sizes(read_only image2d_t a, read_only image3d_t b, __global int *to) {
  to[0] = get_image_width(a);
  to[1] = get_image_height(a);
  to[2] = get_image_width(b);
  to[3] = get_image_height(b);
  to[4] = get_image_depth(b);
}

__kernel void increment(read_write image2d_t image) {
  const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imageui(image, at, read_imageui(image, at) + 1);
}
