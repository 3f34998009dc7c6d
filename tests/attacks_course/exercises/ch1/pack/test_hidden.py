from judge.kit import assert_same


def test_many_numbers(sender, receiver, rng):
    """Many numbers arrive"""
    for size in range(8):
        numbers = [rng.getrandbits(31) for _ in range(size)]
        assert_same(receiver.unpack(sender.pack(numbers)), numbers)
