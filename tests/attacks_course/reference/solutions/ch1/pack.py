import struct


def pack(numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def unpack(raw):
    return [number for (number,) in struct.iter_unpack("<I", raw)]
