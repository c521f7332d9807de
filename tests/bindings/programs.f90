! The first two programs in Fortran: see programs.c.
module programs
  use syclze
  implicit none
  integer, parameter :: count = 64
  integer :: passed = 0, failed = 0
  logical :: case_failed
  type(syclze_device) :: device
  type(syclze_context) :: context
  type(syclze_queue) :: queue

  interface
    function zeCommandListCreateImmediate(context, device, desc, list) &
        bind(c, name="zeCommandListCreateImmediate") result(code)
      import
      type(c_ptr), value :: context, device, desc
      type(c_ptr), intent(out) :: list
      integer(c_int) :: code
    end function
    function zeCommandListAppendSignalEvent(list, event) &
        bind(c, name="zeCommandListAppendSignalEvent") result(code)
      import
      type(c_ptr), value :: list, event
      integer(c_int) :: code
    end function
  end interface

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    case_failed = .true.
    print '(2a)', "FAIL ", what
  end subroutine

  subroutine try(code, what)
    integer(c_int), intent(in) :: code
    character(*), intent(in) :: what
    call check(code == ZE_RESULT_SUCCESS, what)
  end subroutine

  subroutine begin()
    type(syclze_device) :: devices(1)
    integer(c_int32_t) :: one
    one = 1
    case_failed = .false.
    call try(syclze_device_get_selected(one, devices), "device")
    device = devices(1)
    call try(syclze_context_create(devices, 1_c_int32_t, context), "context")
    call try(syclze_queue_create(context, device, queue=queue), "queue")
  end subroutine

  subroutine end(name)
    character(*), intent(in) :: name
    call try(syclze_queue_wait(queue), "wait")
    call try(syclze_queue_release(queue), "queue release")
    call try(syclze_context_release(context), "context release")
    if (case_failed) then
      failed = failed + 1
      print '(2a)', "FAIL ", name
    else
      passed = passed + 1
      print '(2a)', "pass ", name
    end if
  end subroutine

  subroutine adopt_a_native_queue_and_event()
    integer(c_int32_t), target :: desc(12)
    type(c_ptr) :: list
    type(syclze_queue) :: adopted
    type(syclze_queue_input) :: of_list
    type(syclze_event) :: other, event
    type(syclze_event_input) :: of_event
    call begin()
    desc = 0
    desc(1) = 14  ! ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC
    call try(zeCommandListCreateImmediate(syclze_context_get_native(context), &
      syclze_device_get_native(device), c_loc(desc), list), "list")
    of_list%native_handle = syclze_native_queue_of_list(list)
    of_list%device = device
    call try(syclze_make_queue(of_list, context, adopted), "make_queue")
    call try(syclze_event_create(context, 0, other), "event_create")
    of_event%native_handle = syclze_event_get_native(other)
    of_event%ownership = SYCLZE_OWNERSHIP_KEEP
    call try(syclze_make_event(of_event, context, event), "make_event")
    call try(zeCommandListAppendSignalEvent(list, syclze_event_get_native(event)), "signal")
    call try(syclze_event_wait(event), "event_wait")
    call try(syclze_event_release(event), "event release")
    call try(syclze_event_release(other), "other release")
    call try(syclze_queue_release(adopted), "adopted release")
    call end("adopt_a_native_queue_and_event")
  end subroutine

  subroutine add_vectors()
    character(c_char), allocatable, target :: code(:)
    character(kind=c_char), target :: name(5) = ["a", "x", "p", "y", c_null_char]
    type(syclze_kernel_bundle_desc) :: desc
    type(syclze_kernel_bundle) :: bundle
    type(syclze_kernel) :: kernel
    type(syclze_nd_range) :: range
    type(syclze_argument) :: arguments(3)
    type(c_ptr), target :: x, y
    real(c_float), target :: one = 1
    real(c_float), pointer :: xs(:), ys(:)
    integer :: unit, bytes, i
    call begin()
    inquire (file="tests/kernels/basic.spv", size=bytes)
    allocate (code(bytes))
    open (newunit=unit, file="tests/kernels/basic.spv", access="stream", status="old")
    read (unit) code
    close (unit)
    desc%spirv = c_loc(code)
    desc%size = bytes
    call try(syclze_kernel_bundle_create(context, device, desc, bundle), "bundle")
    call try(syclze_kernel_create(bundle, c_loc(name), kernel), "kernel")
    call try(syclze_kernel_bundle_release(bundle), "bundle release")
    call try(syclze_malloc_shared(int(4 * count, c_size_t), device, context, x), "x")
    call try(syclze_malloc_shared(int(4 * count, c_size_t), device, context, y), "y")
    call c_f_pointer(x, xs, [count])
    call c_f_pointer(y, ys, [count])
    xs = [(real(i), i=1, count)]
    ys = 100
    arguments(1) = syclze_argument_value(c_loc(one), c_sizeof(one))
    arguments(2) = syclze_argument_value(c_loc(x), c_sizeof(x))
    arguments(3) = syclze_argument_value(c_loc(y), c_sizeof(y))
    range%global(1) = count
    call try(syclze_queue_launch_arguments(queue, kernel, range, arguments, 3_c_int32_t, &
      wait_count=0_c_int32_t), "launch")
    call try(syclze_queue_wait(queue), "wait")
    call check(ys(1) == 101 .and. ys(count) == 100 + count, "sums")
    call try(syclze_free(x, context), "free")
    call try(syclze_free(y, context), "free")
    call try(syclze_kernel_release(kernel), "kernel release")
    call end("add_vectors")
  end subroutine

end module

program main
  use programs
  implicit none
  call adopt_a_native_queue_and_event()
  call add_vectors()
  print '(i0, a, i0, a)', passed, " passed, ", failed, " failed"
  if (failed > 0) error stop
end program
