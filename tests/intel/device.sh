# . tests/intel/device.sh, with `setting` and `folder` set: the environment of programs that
# start.sh starts on the driver that get.sh unpacked into the folder, without the
# device: the driver does everything but execute commands.

# The described device: a product, its slices, sub-slices and execution units, and the count.
case $setting in
pvc*) export ProductFamilyOverride=pvc HardwareInfoOverride=1x4x8 ;;
tgllp) export ProductFamilyOverride=tgllp HardwareInfoOverride=1x6x16 ;;
dg2) export ProductFamilyOverride=dg2 HardwareInfoOverride=8x4x16 ;;
bmg) export ProductFamilyOverride=bmg HardwareInfoOverride=5x4x8 ;;
*)
  echo "$0: no setting $setting" >&2
  exit 2
  ;;
esac
case $setting in
dg2 | bmg) export UseExternalAllocatorForSshAndDsh=0 ;;
pvc-devices) export CreateMultipleRootDevices=2 ;;
pvc-parts) export CreateMultipleSubDevices=2 ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE ;;
esac

# Commands go to a simulated bus without a receiver; device memory is host memory.
export NEOReadDebugKeys=1 SetCommandStreamReceiver=5 UseAubStream=0
export EnableLocalMemory=0 ExperimentalForceCopyThroughLock=1

# Cache of compiled modules.
NEO_CACHE_DIR=$(mktemp -d) || exit 1
trap 'rm -rf "$NEO_CACHE_DIR"' EXIT
export NEO_CACHE_DIR NEO_CACHE_PERSISTENT=1

export SYCLZE_INTEL_LIBRARIES="$folder/root/usr/lib/x86_64-linux-gnu"
export ZE_ENABLE_ALT_DRIVERS="$SYCLZE_INTEL_LIBRARIES/libze_intel_gpu.so.1"
