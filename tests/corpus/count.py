"""The number of device images in a library, by a rule that shares nothing with syclze's readers: the
tables of descriptors that DPC++'s code registers, {1, number of images, address of the images}, each
image of which begins with a version from 1 to 3 and the kind 4, in an ELF file of x86-64; and the
slots of 16 bytes of its section .tgtimg."""
import bisect
import mmap
import struct

ABSOLUTE, SHARED, RELA, RELATIVE, NOBITS, ALLOC = 2, 3, 4, 8, 8, 2


class Library:
    """The sections and relocated words of a file; None of them where it is no such file."""

    def __init__(self, path):
        self.sections, self.words = [], {}
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                return
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        kind, machine = struct.unpack_from("<HH", self.bytes, 16)
        if kind not in (ABSOLUTE, SHARED) or machine != 62:
            return
        table = struct.unpack_from("<Q", self.bytes, 40)[0]
        size, count, names = struct.unpack_from("<HHH", self.bytes, 58)
        headers = [struct.unpack_from("<IIQQQQ", self.bytes, table + i * size) for i in range(count)]
        strings = headers[names][4] if count else 0
        for name, type_, flags, address, offset, length in headers:
            end = self.bytes.find(b"\0", strings + name)
            self.sections.append((address if flags & ALLOC else 0, 0 if type_ == NOBITS else length,
                                  offset, self.bytes[strings + name:end]))
            if type_ == RELA:
                content = self.bytes[offset:offset + length // 24 * 24]
                self.words.update((at, addend) for at, info, addend
                                  in struct.iter_unpack("<QQQ", content) if info == RELATIVE)
        self.loaded = sorted(s for s in self.sections if s[0] and s[1])
        self.starts = [s[0] for s in self.loaded]

    def at(self, address, size):
        """The bytes at an address of memory; none where they are not in the file."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or address + size > self.starts[i] + self.loaded[i][1]:
            return b""
        offset = self.loaded[i][2] + address - self.starts[i]
        return self.bytes[offset:offset + size]

    def slots(self):
        return sum(length // 16 for _, length, _, name in self.sections if name == b".tgtimg")

    def registered(self):
        total = 0
        for at, address in self.words.items():
            table, image = self.at(at - 8, 8), self.at(address, 4)
            if len(table) < 8 or len(image) < 4:
                continue
            version, count, padding = struct.unpack("<HHI", table)
            first, kind = struct.unpack("<HB", image[:3])
            total += count if version == 1 and padding == 0 and kind == 4 and 1 <= first <= 3 else 0
        return total


def images(path):
    """The number of images; both rules must agree where a file has both."""
    library = Library(path)
    slots, registered = library.slots(), library.registered()
    if slots and registered and slots != registered:
        raise ValueError(f"{path}: {slots} slots of .tgtimg, {registered} registered images")
    return slots or registered
