// The first two programs in Rust, on bindgen's output of syclze_library.h: see programs.c.
#![allow(clippy::missing_safety_doc)]

#[allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals, improper_ctypes)]
#[allow(clippy::all)]
mod sys {
    include!(concat!(env!("BINDINGS"), "/syclze.rs"));
}
use std::mem::{size_of, zeroed};
use std::os::raw::c_void;
use std::ptr::{null, null_mut};
use sys::*;

const COUNT: usize = 64;

fn check(code: ze_result_t, what: &str) {
    if code != _ze_result_t_ZE_RESULT_SUCCESS {
        let rule = unsafe {
            let last = syclze_last_diagnostic();
            if last.is_null() {
                String::new()
            } else {
                std::ffi::CStr::from_ptr((*last).rule).to_string_lossy().into_owned()
            }
        };
        panic!("{}: 0x{:x} {}", what, code, rule);
    }
}

struct World {
    device: syclze_device,
    context: syclze_context,
    queue: syclze_queue,
}

impl World {
    fn new() -> World {
        unsafe {
            let mut w: World = zeroed();
            let mut one = 1;
            check(syclze_device_get_selected(&mut one, &mut w.device), "device");
            check(syclze_context_create(&w.device, 1, &mut w.context), "context");
            check(syclze_queue_create(w.context, w.device, null(), &mut w.queue), "queue");
            w
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        unsafe {
            syclze_queue_release(self.queue);
            syclze_context_release(self.context);
        }
    }
}

fn adopt_a_native_queue_and_event() {
    let w = World::new();
    unsafe {
        let mut desc: ze_command_queue_desc_t = zeroed();
        desc.stype = _ze_structure_type_t_ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        let mut list = null_mut();
        let native = syclze_context_get_native(w.context);
        let created = zeCommandListCreateImmediate(
            native, syclze_device_get_native(w.device), &desc, &mut list);
        check(created, "list");
        let mut of_list: syclze_queue_input = zeroed();
        of_list.native_handle = syclze_native_queue_of_list(list);
        of_list.device = w.device;
        let (mut adopted, mut other, mut event) = (zeroed(), zeroed(), zeroed());
        check(syclze_make_queue(&of_list, w.context, &mut adopted), "make_queue");
        check(syclze_event_create(w.context, 0, &mut other), "event_create");
        let mut of_event: syclze_event_input = zeroed();
        of_event.native_handle = syclze_event_get_native(other);
        of_event.ownership = syclze_ownership_SYCLZE_OWNERSHIP_KEEP;
        check(syclze_make_event(&of_event, w.context, &mut event), "make_event");
        check(zeCommandListAppendSignalEvent(list, syclze_event_get_native(event)), "signal");
        check(syclze_event_wait(event), "wait");
        check(syclze_event_release(event), "release");
        check(syclze_event_release(other), "release");
        check(syclze_queue_release(adopted), "release");
    }
}

fn add_vectors() {
    let w = World::new();
    let code = std::fs::read("tests/kernels/basic.spv").unwrap();
    unsafe {
        let mut desc: syclze_kernel_bundle_desc = zeroed();
        desc.spirv = code.as_ptr() as *const c_void;
        desc.size = code.len() as _;
        let (mut bundle, mut kernel) = (zeroed(), zeroed());
        check(syclze_kernel_bundle_create(w.context, w.device, &desc, &mut bundle), "bundle");
        check(syclze_kernel_create(bundle, b"axpy\0".as_ptr() as *const _, &mut kernel), "kernel");
        check(syclze_kernel_bundle_release(bundle), "release");
        let mut memory: [*mut c_void; 2] = [null_mut(); 2];
        for m in memory.iter_mut() {
            check(syclze_malloc_shared((COUNT * 4) as _, w.device, w.context, m), "memory");
        }
        let x = std::slice::from_raw_parts_mut(memory[0] as *mut f32, COUNT);
        let y = std::slice::from_raw_parts_mut(memory[1] as *mut f32, COUNT);
        for i in 0..COUNT {
            x[i] = i as f32;
            y[i] = 100.0;
        }
        let one = 1f32;
        let value = |p: *const c_void, size: usize| syclze_argument_value(p, size as _);
        let arguments = [
            value(&one as *const f32 as *const c_void, 4),
            value(&memory[0] as *const _ as *const c_void, size_of::<*mut c_void>()),
            value(&memory[1] as *const _ as *const c_void, size_of::<*mut c_void>()),
        ];
        let mut range: syclze_nd_range = zeroed();
        range.global[0] = COUNT as _;
        check(
            syclze_queue_launch_arguments(
                w.queue, kernel, &range, arguments.as_ptr(), 3, null(), 0, null_mut()),
            "launch",
        );
        check(syclze_queue_wait(w.queue), "wait");
        assert!(y[0] == 100.0 && y[COUNT - 1] == 99.0 + COUNT as f32);
        for m in memory {
            check(syclze_free(m, w.context), "free");
        }
        check(syclze_kernel_release(kernel), "release");
    }
}

fn main() {
    let (mut passed, mut failed) = (0, 0);
    let cases: [(&str, fn()); 2] = [
        ("adopt_a_native_queue_and_event", adopt_a_native_queue_and_event),
        ("add_vectors", add_vectors),
    ];
    for (name, case) in cases {
        if std::panic::catch_unwind(case).is_ok() {
            passed += 1;
            println!("pass {}", name);
        } else {
            failed += 1;
            println!("FAIL {}", name);
        }
    }
    println!("{} passed, {} failed", passed, failed);
    std::process::exit(if failed > 0 { 1 } else { 0 });
}
