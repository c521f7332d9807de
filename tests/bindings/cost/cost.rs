// The operations of cost.c in Rust, on bindgen's output.
#[allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals, improper_ctypes)]
#[allow(clippy::all)]
mod sys {
    include!(concat!(env!("BINDINGS"), "/syclze.rs"));
}
use std::mem::{size_of, size_of_val, zeroed};
use std::os::raw::{c_char, c_void};
use std::ptr::{null, null_mut};
use sys::*;

const SIZE: usize = 256;

#[link(name = "mark")]
extern "C" {
    fn mark_begin();
    fn mark_end(name: *const c_char);
}

fn check(code: ze_result_t) {
    assert!(code == _ze_result_t_ZE_RESULT_SUCCESS, "0x{:x}", code);
}

fn measure<F: FnMut()>(name: &[u8], mut function: F) {
    for _ in 0..100 {
        function();
    }
    unsafe { mark_begin() };
    for _ in 0..1000 {
        function();
    }
    unsafe { mark_end(name.as_ptr() as *const c_char) };
}

fn main() {
    let code = std::fs::read("tests/kernels/basic.spv").unwrap();
    unsafe {
        let (mut device, mut context, mut queue) = (zeroed(), zeroed(), zeroed());
        let (mut bundle, mut kernel, mut event, mut buffer) = (zeroed(), zeroed(), zeroed(), zeroed());
        let (mut x, mut y): (*mut c_void, *mut c_void) = (null_mut(), null_mut());
        let mut one = 1;
        check(syclze_device_get_selected(&mut one, &mut device));
        check(syclze_context_create(&device, 1, &mut context));
        let mut properties: syclze_property_list = zeroed();
        properties.flags = syclze_queue_property_SYCLZE_QUEUE_PROPERTY_IN_ORDER as _;
        check(syclze_queue_create(context, device, &properties, &mut queue));
        check(syclze_event_create(context, 0, &mut event));
        let mut desc: syclze_kernel_bundle_desc = zeroed();
        desc.spirv = code.as_ptr() as *const c_void;
        desc.size = code.len() as _;
        check(syclze_kernel_bundle_create(context, device, &desc, &mut bundle));
        check(syclze_kernel_create(bundle, b"axpy\0".as_ptr() as *const c_char, &mut kernel));
        check(syclze_malloc_shared(SIZE as _, device, context, &mut x));
        check(syclze_malloc_shared(SIZE as _, device, context, &mut y));
        let mut of_buffer: syclze_buffer_input = zeroed();
        of_buffer.native_handle = x;
        of_buffer.element_size = 4;
        of_buffer.range[0] = (SIZE / 4) as _;
        of_buffer.dimensions = 1;
        of_buffer.ownership = syclze_ownership_SYCLZE_OWNERSHIP_KEEP;
        check(syclze_make_buffer(&of_buffer, context, &mut buffer));
        let mut of_event: syclze_event_input = zeroed();
        of_event.native_handle = syclze_event_get_native(event);
        of_event.ownership = syclze_ownership_SYCLZE_OWNERSHIP_KEEP;
        let mut range: syclze_nd_range = zeroed();
        range.global[0] = 64;
        range.local[0] = 64;
        let (a, zero) = (2f32, 0i32);
        let pattern = &zero as *const i32 as *const c_void;

        measure(b"get_native\0", || {
            std::ptr::read_volatile(&syclze_event_get_native(event));
        });
        measure(b"make_event\0", || {
            let mut made = zeroed();
            check(syclze_make_event(&of_event, context, &mut made));
            check(syclze_event_release(made));
        });
        measure(b"fill\0", || {
            check(syclze_queue_fill(queue, y, pattern, 4, SIZE as _, null(), 0, null_mut()));
        });
        measure(b"launch\0", || {
            let pointer = |p: &*mut c_void| {
                let value = p as *const *mut c_void as *const c_void;
                syclze_argument_value(value, size_of::<*mut c_void>() as _)
            };
            let number = &a as *const f32 as *const c_void;
            let arguments =
                [syclze_argument_value(number, size_of_val(&a) as _), pointer(&x), pointer(&y)];
            check(syclze_queue_launch_arguments(
                queue, kernel, &range, arguments.as_ptr(), 3, null(), 0, null_mut()));
        });
        measure(b"group\0", || {
            let group = syclze_group_begin(queue);
            let all = syclze_group_require_buffer(
                group, buffer, syclze_access_mode_SYCLZE_ACCESS_WRITE);
            let memory = syclze_memory_argument_accessor(all);
            check(syclze_group_fill(group, memory, pattern, 4, SIZE as _, null_mut()));
            syclze_group_end(group);
        });
    }
}
