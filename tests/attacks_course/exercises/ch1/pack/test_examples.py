from judge.kit import assert_same


def test_two_numbers(sender, receiver, rng):
    """Two numbers arrive"""
    numbers = [rng.getrandbits(31) for _ in range(2)]
    raw = sender.pack(numbers)
    assert_same(receiver.unpack(raw), numbers)
