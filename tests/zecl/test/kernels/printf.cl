/* printf, which OpenCL C has with vectors. */
kernel void print(int number, float real, float4 vector) {
  if (get_global_id(0) == 0)
    printf("%d and %5.2f, %lx; %.1v4hlf%%\n", number, real, (long)number << 32, vector);
}
