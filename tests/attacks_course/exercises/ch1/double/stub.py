def double(value):
    raise NotImplementedError
