/* Kernels of the nodes of random graphs for images, whose texels are single numbers. They compute
 * the same as graph.cl, but the image's box has an origin and a width of its own. */

__kernel void graph_set_image(
    write_only image2d_t out, int row, int column, uint columns, uint factor, uint addend) {
  uint i = (uint)get_global_id(0);
  int2 at = (int2)(column + (int)(i % columns), row + (int)(i / columns));
  write_imageui(out, at, (uint4)(i * factor + addend, 0, 0, 0));
}

__kernel void graph_mix_image(__global uint *out, read_only image2d_t in, int row, int column,
    uint columns, uint factor, uint addend) {
  uint i = (uint)get_global_id(0);
  int2 at = (int2)(column + (int)(i % columns), row + (int)(i / columns));
  out[i] = out[i] * factor + read_imageui(in, at).x + addend;
}
