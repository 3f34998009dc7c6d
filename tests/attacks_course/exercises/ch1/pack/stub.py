def pack(numbers):
    raise NotImplementedError


def unpack(raw):
    raise NotImplementedError
