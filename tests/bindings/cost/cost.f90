! The operations of cost.c in Fortran.
program cost
  use, intrinsic :: iso_c_binding
  use syclze
  implicit none
  integer(c_size_t), parameter :: bytes = 256
  integer, parameter :: warm = 100, calls = 1000

  interface
    subroutine mark_begin() bind(c, name="mark_begin")
    end subroutine
    subroutine mark_end(name) bind(c, name="mark_end")
      import
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

  type(syclze_device) :: devices(1)
  type(syclze_context) :: context
  type(syclze_queue) :: queue
  type(syclze_property_list) :: properties
  type(syclze_event) :: event, made
  type(syclze_event_input) :: of_event
  type(syclze_kernel_bundle) :: bundle
  type(syclze_kernel_bundle_desc) :: desc
  type(syclze_kernel) :: kernel
  type(syclze_buffer) :: buffer
  type(syclze_buffer_input) :: of_buffer
  type(syclze_nd_range) :: range
  type(syclze_argument) :: arguments(3)
  type(syclze_accessor) :: all
  type(c_ptr) :: group
  type(c_ptr), target :: x, y
  type(c_ptr), volatile :: native
  real(c_float), target :: a = 2
  integer(c_int), target :: zero = 0
  character(c_char), allocatable, target :: code(:)
  character(kind=c_char), target :: name(5) = ["a", "x", "p", "y", c_null_char]
  integer(c_int32_t) :: one = 1
  integer :: unit, length, i

  inquire (file="tests/kernels/basic.spv", size=length)
  allocate (code(length))
  open (newunit=unit, file="tests/kernels/basic.spv", access="stream", status="old")
  read (unit) code
  close (unit)
  call try(syclze_device_get_selected(one, devices))
  call try(syclze_context_create(devices, 1_c_int32_t, context))
  properties%flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER
  call try(syclze_queue_create(context, devices(1), properties, queue))
  call try(syclze_event_create(context, 0, event))
  desc%spirv = c_loc(code)
  desc%size = length
  call try(syclze_kernel_bundle_create(context, devices(1), desc, bundle))
  call try(syclze_kernel_create(bundle, c_loc(name), kernel))
  call try(syclze_malloc_shared(bytes, devices(1), context, x))
  call try(syclze_malloc_shared(bytes, devices(1), context, y))
  of_buffer%native_handle = x
  of_buffer%element_size = 4
  of_buffer%range(1) = bytes / 4
  of_buffer%dimensions = 1
  of_buffer%ownership = SYCLZE_OWNERSHIP_KEEP
  call try(syclze_make_buffer(of_buffer, context, buffer))
  of_event%native_handle = syclze_event_get_native(event)
  of_event%ownership = SYCLZE_OWNERSHIP_KEEP
  range%global(1) = 64
  range%local(1) = 64

  do i = 1, warm + calls
    if (i == warm + 1) call mark_begin()
    native = syclze_event_get_native(event)
  end do
  call mark_end("get_native"//c_null_char)
  do i = 1, warm + calls
    if (i == warm + 1) call mark_begin()
    call try(syclze_make_event(of_event, context, made))
    call try(syclze_event_release(made))
  end do
  call mark_end("make_event"//c_null_char)
  do i = 1, warm + calls
    if (i == warm + 1) call mark_begin()
    call try(syclze_queue_fill(queue, y, c_loc(zero), 4_c_size_t, bytes, wait_count=0_c_int32_t))
  end do
  call mark_end("fill"//c_null_char)
  do i = 1, warm + calls
    if (i == warm + 1) call mark_begin()
    arguments(1) = syclze_argument_value(c_loc(a), c_sizeof(a))
    arguments(2) = syclze_argument_value(c_loc(x), c_sizeof(x))
    arguments(3) = syclze_argument_value(c_loc(y), c_sizeof(y))
    call try(syclze_queue_launch_arguments(queue, kernel, range, arguments, 3_c_int32_t, &
      wait_count=0_c_int32_t))
  end do
  call mark_end("launch"//c_null_char)
  do i = 1, warm + calls
    if (i == warm + 1) call mark_begin()
    group = syclze_group_begin(queue)
    all = syclze_group_require_buffer(group, buffer, SYCLZE_ACCESS_WRITE)
    call try(syclze_group_fill(group, syclze_memory_argument_accessor(all), c_loc(zero), &
      4_c_size_t, bytes))
    call syclze_group_end(group)
  end do
  call mark_end("group"//c_null_char)

contains

  subroutine try(result)
    integer(c_int), intent(in) :: result
    if (result /= ZE_RESULT_SUCCESS) error stop "cost: a call failed"
  end subroutine

end program
