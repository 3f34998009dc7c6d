"""Hidden tests: dicts that look like objects, and every kind of lie, each refused by a ValueError."""

from dataclasses import dataclass
from typing import Any

import msgpack
import torch

from judge.kit import assert_same, check


@dataclass
class AbortMsg:
    uid: int


@dataclass
class Note:
    body: Any


@dataclass
class Params:
    top_k: int
    top_p: float = 1.0


CLASSES = {"AbortMsg": AbortMsg, "Note": Note, "Params": Params}
TENSOR = {
    "__type__": "Tensor", "buffer": bytes(range(24)), "dtype": "torch.int32", "shape": [2, 3],
}  # fmt: skip


DTYPES = [
    getattr(torch, name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e4m3fnuz",
        "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "complex32", "complex64", "complex128",
    )
    if hasattr(torch, name)
]  # fmt: skip


def pack(data):
    return msgpack.packb(data, use_bin_type=True)


def note(body):
    """The bytes of a Note, whatever its body may be."""
    return pack({"__type__": "Note", "body": body})


def word(rng):
    return "".join(rng.choice("abcdefghij") for _ in range(8))


def check_comes_back(sender, receiver, body):
    assert_same(receiver.decode(CLASSES, sender.encode(Note(body))), Note(body))


def check_refused(learner, *raws):
    """Fail unless `decode` raises a ValueError with a text for each of the messages."""
    for outcome in learner.run(outcomes, CLASSES, raws):
        check(
            outcome != "message",
            en="`decode` makes a message of bytes that it should refuse.",
            zh="这些字节应当拒绝，`decode` 却还原出了消息。",
        )
        check(
            outcome == "refused",
            en=f"`decode` raises {outcome} here; it should raise ValueError, with a text.",
            zh=f"`decode` 在这里抛出 {outcome}，应当抛出带异常信息的 ValueError。",
        )


def check_names(learner, name, *raws):
    """Fail unless `decode` refuses each of the messages with a text that has `name` in it."""
    for raw in raws:
        with learner.raises(ValueError, match=name):
            learner.decode(CLASSES, raw)


def check_comes_in(learner, *raws):
    """Fail unless `decode` makes a message of each, none nested deeper than 50 levels."""
    check(
        set(learner.run(outcomes, CLASSES, raws)) == {"message"},
        en="A message nested 50 deep is refused.",
        zh="套了 50 层的消息被拒绝了。",
    )


# --- beside the learner's code --------------------------------------------------------------------


def outcomes(here, cls_map, raws):
    """What becomes of each: "message", "refused" by a ValueError, or what else was raised."""
    found = []
    for raw in raws:
        try:
            here.module.decode(cls_map, raw)
            found.append("message")
        except ValueError as error:
            found.append("refused" if str(error) else "ValueError without a text")
        except BaseException as error:
            found.append(type(error).__name__)
    return found


def decode_with_globals(here, raws):
    """What becomes of each, with a `cls_map` that holds more than messages; and what was called."""
    import types
    from dataclasses import dataclass

    called = []

    class Plain:
        def __init__(self, **values):
            called.append("Plain")

    @dataclass
    class Job:
        uid: int = 7

        def __call__(self, **values):
            called.append("job")

    cls_map = {
        "run": lambda **values: called.append("run"),
        "Plain": Plain,
        "job": Job(),
        "types": types,
        "dict": dict,
        "nothing": None,
        "Job": Job,
    }
    found = []
    for raw in raws:
        try:
            found.append(type(here.module.decode(cls_map, raw)).__name__)
        except ValueError:
            found.append("refused")
        except Exception as error:
            found.append(type(error).__name__)
    return found, called


def lengths_of_texts(here, cls_map, raws):
    lengths = []
    for raw in raws:
        try:
            here.module.decode(cls_map, raw)
            lengths.append(-1)
        except ValueError as error:
            lengths.append(len(str(error)))
    return lengths


# --- dicts of the user ----------------------------------------------------------------------------


def random_bits(rng, dtype):
    """Six values of any bits at all, as a table."""
    raw = rng.randbytes(6 * dtype.itemsize)
    if dtype is torch.bool:
        raw = bytes(byte & 1 for byte in raw)
    return torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(dtype).reshape(2, 3)


def test_values_come_back(sender, receiver, rng):
    """Values of every kind come back, in lists, dicts and objects, and tensors of every dtype"""
    bfloat16 = torch.randn(2, 3).to(torch.bfloat16)
    tensors = [torch.tensor([True, False]), torch.tensor(2.5), torch.empty(0, 3), bfloat16.t()]
    body = {
        "numbers": [True, 0, -1, 2**63, rng.random(), None],
        1: "文字", None: b"\x00\xff", b"key": (), -7: {"": word(rng)}, 2.5: True,
        "objects": [AbortMsg(rng.randint(1, 99)), Note(Params(3, rng.random()))],
        "tensors": tensors,
        "more": torch.randn(20, rng.randint(20, 40)),
        "dtypes": [random_bits(rng, dtype) for dtype in DTYPES],
    }  # fmt: skip
    expected = {**body, b"key": []}
    assert_same(receiver.decode(CLASSES, sender.encode(Note(body))), Note(expected))


def encode_views_and_gradients(here, note, table, waves):
    """The bytes of views and of tensors with gradients, and whether those still require them."""
    import torch

    leaf, parameter = table.clone().requires_grad_(), torch.nn.Parameter(table.clone())
    views = [table.t(), table[0, :1:2], table[1:2, 2::4].t(), table[0].expand(2, 4)]
    marked = [waves.conj(), waves.conj().imag]
    raw = here.module.encode(note([*views, *marked, leaf, leaf.t(), parameter, leaf * 1]))
    return raw, leaf.requires_grad and parameter.requires_grad


def test_views_and_gradients(sender, receiver):
    """Of views and of tensors with gradients the values are sent, and the sender's own stay as they are"""
    table, (real, imag) = torch.rand(3, 5)[:, 1:], torch.rand(2, 3)
    waves = torch.complex(real, imag)
    raw, still_required = sender.run(encode_views_and_gradients, Note, table, waves)
    values = table.clone()
    views = [values.t(), values[0, :1], values[1:2, 2:3], values[0].expand(2, 4)]
    expected = [*views, torch.complex(real, -imag), -imag, values, values.t(), values, values]
    assert_same(receiver.decode(CLASSES, raw), Note(expected))
    check(
        still_required,
        en="After sending, a tensor of the sender's no longer requires a gradient.",
        zh="发送之后，发送方自己的张量不再需要梯度了。",
    )


def decode_twice_and_write(here, cls_map, raw):
    """The body of a second message out of the same bytes, after the first one was written to."""
    first, second = (here.module.decode(cls_map, raw).body for _ in range(2))
    kept = [tensor.clone() for tensor in first["tensors"]]
    for tensor in first["tensors"]:
        tensor.fill_(1)
    first["list"].append("more")
    after = {"tensors": [tensor.clone() for tensor in second["tensors"]], "list": second["list"]}
    # Python keeps one object for each bytes of length one: whoever borrowed it gets it back whole.
    for tensor, values in zip(first["tensors"], kept, strict=True):
        tensor.copy_(values)
    return after


def test_memory_is_yours(learner, rng):
    """Whoever writes to a message that has come in changes no other, even one of the same bytes"""
    values = [rng.randint(2, 99) for _ in range(5)]
    tensors = [torch.tensor(values), torch.tensor(values[:1], dtype=torch.uint8)]
    body = {"tensors": tensors, "list": values}
    assert_same(
        learner.run(decode_twice_and_write, CLASSES, learner.encode(Note(body))),
        body,
        en="Two messages came out of the same bytes. Writing to the first changes the second: each "
        "needs memory of its own.",
        zh="同一份字节还原出了两条消息。往第一条里写，第二条也变了：每条消息都要有自己的内存。",
    )


def test_type_in_a_dict(sender, receiver, rng):
    """A user's dict keeps its `__type__`, whatever stands there, alone and with other keys"""
    rests = [{}, {"uid": rng.randint(1, 99)}, {"value": {"uid": 1}}, {1: [word(rng)]}]
    for name in ["AbortMsg", "Tensor", "dict", "Ghost", "", 7, None, True, ["AbortMsg"], {"a": 1}]:
        first = [{"__type__": name, **rest} for rest in rests]
        last = [{**rest, "__type__": name} for rest in rests]
        check_comes_back(sender, receiver, [*first, *last])


def test_dict_like_a_tensor(sender, receiver):
    """A user's dict that looks like a tensor stays a dict"""
    check_comes_back(sender, receiver, TENSOR)
    check_comes_back(sender, receiver, {**TENSOR, "shape": [10**9]})


def test_types_at_every_depth(sender, receiver, rng):
    """Dicts with `__type__` come back in each other, with objects and tensors among their values"""
    ids = torch.randint(0, 99, (rng.randint(1, 5),))
    inner = {"__type__": {"__type__": "AbortMsg", "uid": ids}, "job": AbortMsg(rng.randint(1, 99))}
    body = [{"__type__": [inner, {"plain": inner}], "note": Note(inner)}, {"deep": {"er": inner}}]
    check_comes_back(sender, receiver, body)


def test_dict_like_your_mark(sender, receiver, rng):
    """A user's dict that looks like your own mark comes back, and so does one that looks like that"""
    body = {"__type__": "AbortMsg", "uid": rng.randint(1, 99)}
    for _ in range(4):
        raw = sender.encode(Note(body))
        assert_same(receiver.decode(CLASSES, raw), Note(body))
        # What `encode` has made of the dict, as a dict of a user who has seen it on the wire.
        body = msgpack.unpackb(raw, strict_map_key=False)["body"]
        check_comes_back(sender, receiver, {"__type__": body})


# --- bytes ----------------------------------------------------------------------------------------


def test_cut_anywhere(learner, rng):
    """A message that is cut short is refused, wherever the cut is"""
    raw = learner.encode(Note([AbortMsg(rng.randint(1, 99)), torch.tensor([1.5]), {"a": "文字"}]))
    check_refused(learner, *(raw[:size] for size in range(len(raw))))


def test_something_behind(learner, rng):
    """Bytes behind the message are refused"""
    raw = learner.encode(AbortMsg(rng.randint(1, 99)))
    check_refused(learner, *(raw + behind for behind in [b"\x00", b"\xc0", b"\xc1", raw]))


def test_not_msgpack(learner):
    """Bytes that are no msgpack, no UTF-8, or have a list as a key are refused"""
    for odd in ["", "c1", "a1ff", "81a161a1ff", "810102ff", "81910102", "81c1"]:
        check_refused(learner, bytes.fromhex(odd), note(None)[:-1] + bytes.fromhex(odd))


def test_length_beyond_the_end(learner):
    """A length that goes far beyond the end is refused at once"""
    for length in [
        "dd7fffffff",
        "ddffffffff",
        "df7fffffff",
        "dfffffffff",
        "c6ffffffff",
        "dbffffffff",
    ]:
        raw = bytes.fromhex(length)
        check_refused(learner, *(prefix + raw for prefix in [b"", note(None)[:-1], note([])]))


def test_extensions(learner, rng):
    """An extension or a timestamp of msgpack is refused, as a value and as a key"""
    code = rng.randint(0, 127)
    for odd in [msgpack.ExtType(code, b"abc"), msgpack.Timestamp(rng.randint(1, 99))]:
        bodies = [odd, [odd], {"a": odd}, {odd: 1}, {"a": {odd: 1, "b": 2}}]
        as_a_field = pack({"__type__": "AbortMsg", "uid": 1, odd: 2})
        check_refused(learner, pack(odd), as_a_field, *map(note, bodies))


def test_no_message(learner):
    """A value that is no message is refused: numbers, text, lists, dicts, a tensor"""
    values = [None, 7, True, 1.5, "AbortMsg", b"raw", [], {}, {"uid": 1}, TENSOR]
    check_refused(learner, *map(pack, values), pack([{"__type__": "AbortMsg", "uid": 1}]))


def test_dict_of_the_user_alone(learner):
    """A user's dict is no message, even if it looks like one"""
    raw = learner.encode(Note({"__type__": "AbortMsg", "uid": 1}))
    body = msgpack.unpackb(raw, strict_map_key=False)["body"]
    check_refused(learner, pack(body))


# --- names and fields -----------------------------------------------------------------------------


def test_unknown_names(learner, rng):
    """A name that is not in `cls_map` is refused by name, outside and inside"""
    for name in ["Ghost" + word(rng), "eval", "__import__", "abortmsg", "object", "minisgl"]:
        outside = pack({"__type__": name, "uid": 1})
        check_names(learner, name, outside, note([{"a": {"__type__": name}}]))


def test_names_that_are_no_text(learner):
    """A type that is no text is refused"""
    for name in [None, 7, True, 0.5, b"AbortMsg", [], ["AbortMsg"], {}, {"AbortMsg": 1}]:
        check_refused(learner, pack({"__type__": name}), pack({"__type__": name, "uid": 1}))


def check_only_dataclasses(learner, *names):
    """Fail unless `decode` calls nothing and refuses the names, and still builds a dataclass."""
    raws = [pack({"__type__": name, **rest}) for name in names for rest in ({}, {"uid": 1})]
    found, called = learner.run(decode_with_globals, [*raws, pack({"__type__": "Job", "uid": 1})])
    check(
        called == [],
        en="Something in `cls_map` that is no dataclass was called, because a message named it.",
        zh="`cls_map` 里有不是数据类的东西，只因消息写了它的名字就被调用了。",
    )
    check(
        set(found[:-1]) == {"refused"},
        en="A message names something in `cls_map` that is no dataclass, and `decode` does not raise "
        "ValueError.",
        zh="消息写了 `cls_map` 里一个名字，那里并不是数据类，`decode` 却没有抛出 ValueError。",
    )
    check(
        found[-1] == "Job",
        en="A dataclass in `cls_map` is refused, where other things stand beside it.",
        zh="`cls_map` 里还有别的东西时，其中的数据类被拒绝了。",
    )


def test_names_that_are_no_messages(learner):
    """A function, a module or None in `cls_map` is refused, and nothing is called"""
    check_only_dataclasses(learner, "run", "types", "nothing")


def test_plain_classes_are_no_messages(learner):
    """A class in `cls_map` that is no dataclass is refused and not called"""
    check_only_dataclasses(learner, "Plain", "dict")


def test_objects_are_no_messages(learner):
    """An object in `cls_map` is refused and not called, also one of a dataclass"""
    check_only_dataclasses(learner, "job")


def test_unknown_fields(learner, rng):
    """A field that the class does not have is refused by name"""
    for field in ["Uid", "self", "cls", "__class__", word(rng)]:
        message = {"__type__": "AbortMsg", "uid": 1, field: 2}
        check_names(learner, field, pack(message), note(message))
    for key in [1, None, True, b"uid", 0.5]:
        check_refused(learner, pack({"__type__": "AbortMsg", "uid": 1, key: 2}))


def test_missing_fields(learner):
    """A field without a default that is missing is refused by name"""
    check_names(learner, "uid", pack({"__type__": "AbortMsg"}))
    check_names(learner, "top_k", pack({"__type__": "Params", "top_p": 0.5}))
    check_names(learner, "body", note({"__type__": "Note"}))


def decode_an_older_message(here, data):
    from dataclasses import dataclass, field

    @dataclass
    class Settings:
        top_k: int
        top_p: float = 0.75
        stop: list = field(default_factory=lambda: ["end"])

    message = here.module.decode({"Settings": Settings}, data)
    return message.top_k, message.top_p, message.stop


def test_missing_fields_with_defaults(learner, rng):
    """A missing field takes its default: the sender is older"""
    top_k = rng.randint(1, 99)
    raw = pack({"__type__": "Settings", "top_k": top_k})
    assert_same(learner.run(decode_an_older_message, raw), (top_k, 0.75, ["end"]))
    raw = pack({"__type__": "Settings", "stop": [], "top_k": top_k})
    assert_same(learner.run(decode_an_older_message, raw), (top_k, 0.75, []))


# --- tensors --------------------------------------------------------------------------------------


def test_tensor_of_four_keys(learner):
    """A tensor that lacks one of its keys, or has one more, is refused"""
    for key in ["buffer", "dtype", "shape"]:
        check_refused(learner, note({k: v for k, v in TENSOR.items() if k != key}))
    more = [note({**TENSOR, key: [3, 1]}) for key in ["strides", "Shape", 1, None]]
    check_refused(learner, note({"__type__": "Tensor"}), *more)


def test_buffers_that_are_no_bytes(learner):
    """A buffer that is no bytes is refused"""
    for buffer in [None, 24, True, "a" * 24, [0] * 24, {}, [], "", 1.5]:
        tensor = {**TENSOR, "buffer": buffer}
        check_refused(learner, note(tensor), note({**tensor, "shape": [0]}))


NO_DTYPES = [
    "torch.float33", "torch.load", "torch.nn", "torch.Tensor", "torch", "int32", "numpy.int32",
    "", "torch.int32 or 1", "torch.int32\n", "torch.torch.int32",
]  # fmt: skip


def test_unknown_dtypes(learner):
    """A dtype that is not known, or no text, is refused"""
    dtypes = [*NO_DTYPES, None, 7, True, b"torch.int32", ["torch.int32"], {}]
    check_refused(learner, *(note({**TENSOR, "dtype": dtype}) for dtype in dtypes))


def test_unknown_dtype_is_named(learner):
    """The text names the dtype that is not known"""
    check_names(learner, "float33", note({**TENSOR, "dtype": "torch.float33"}))


SHAPES = [
    None, 6, True, "6", b"\x02\x03", {}, {2: 3}, [None], ["2", "3"], [2.0, 3.0], [True, 6],
    [6, True], [[2, 3]], [2, 3, None], [b"\x02", 3], [False, 0],
]  # fmt: skip


def test_shapes_that_are_none(learner):
    """A shape that is no list of whole numbers is refused; True is no number"""
    for buffer in [TENSOR["buffer"], b"", bytes(4)]:
        tensor = {**TENSOR, "buffer": buffer}
        check_refused(learner, *(note({**tensor, "shape": shape}) for shape in SHAPES))


def test_shapes_that_do_not_fit(learner, rng):
    """A shape that does not fit the buffer is refused: too long, too short, in the middle of a value"""
    shapes = [[], [5], [7], [2, 2], [2, 4], [0], [6, 0], [24], [2, 3, 2]]
    check_refused(learner, *(note({**TENSOR, "shape": shape}) for shape in shapes))
    sizes = [0, 1, 23, 25, 20, 28, 24 + rng.randint(1, 99)]
    check_refused(learner, *(note({**TENSOR, "buffer": bytes(size)}) for size in sizes))


def test_negative_sizes(learner):
    """A negative size is refused, also where two of them would give the right product"""
    for shape in [[-6], [-1], [-1, 6], [-2, -3], [-1, -1, 6]]:
        empty = {**TENSOR, "buffer": b"", "shape": [0, *shape]}
        check_refused(learner, note({**TENSOR, "shape": shape}), note(empty))


def test_huge_shapes(learner):
    """A shape that claims more than any memory is refused at once"""
    for shape in [[10**9] * 3, [2**63 - 1], [2**32, 2**31], [6, 2**62 + 1]]:
        tensor = {**TENSOR, "shape": shape}
        check_refused(learner, note(tensor), note({**tensor, "buffer": b""}))


def test_size_beyond_64_bits(learner):
    """A size that torch cannot even hold is refused, also beside a size of zero"""
    empty = {**TENSOR, "buffer": b""}
    for shape in [[0, 2**63], [2**64 - 1, 0], [2**63, 2]]:
        check_refused(learner, note({**empty, "shape": shape}))


def test_many_sizes(learner):
    """A shape of 64 sizes is accepted, one of 65 or of a hundred thousand huge ones refused"""
    fits = {**TENSOR, "buffer": bytes(4)}
    shapes = [[1] * 64, [1] * 65, [1] * 1000, [2**62] * 100_000]
    raws = [note({**fits, "shape": shape}) for shape in shapes]
    assert_same(learner.run(outcomes, CLASSES, raws), ["message", *["refused"] * 3])


def test_bytes_of_truth_values(learner, rng):
    """A byte of a truth value is 0 or 1"""
    fine = {**TENSOR, "dtype": "torch.bool", "buffer": b"\x00\x01\x01\x00\x01\x00"}
    expected = torch.tensor([[False, True, True], [False, True, False]])
    assert_same(learner.decode(CLASSES, note(fine)), Note(expected))
    for byte in [2, 255, rng.randint(3, 254)]:
        buffer = bytearray(fine["buffer"])
        buffer[rng.randrange(6)] = byte
        check_refused(learner, note({**fine, "buffer": bytes(buffer)}))
    empty = {**fine, "buffer": b"", "shape": [0, 2]}
    assert_same(learner.decode(CLASSES, note(empty)), Note(torch.empty(0, 2, dtype=torch.bool)))


# --- nesting, texts, and everything at once -------------------------------------------------------


def nested(kind, depth):
    body = None
    for _ in range(depth):
        body = {
            "lists": [body],
            "dicts": {"a": body},
            "objects": {"__type__": "Note", "body": body},
        }[kind]
    return body


def test_nesting(learner):
    """Up to 50 levels come in, more than 200 are refused, before Python's own limit"""
    start = note(None)[:-1]
    for kind, opening in [("lists", b"\x91"), ("dicts", b"\x81\xa1a"), ("objects", start)]:
        raws = [note(nested(kind, depth)) for depth in (201, 450)]
        # Deeper than `packb` goes: by hand.
        raws += [start + opening * depth + b"\xc0" for depth in (900, 100_000)]
        check_refused(learner, *raws)
        check_comes_in(learner, note(nested(kind, 49)))  # the Note is the fiftieth


def test_marked_dicts_nested(learner):
    """Dicts with `__type__` may stand as deep as other values"""
    body = []
    for _ in range(24):
        body = [{"__type__": "Note", "body": body}]
    raw = learner.encode(Note(body))  # 24 dicts, 25 lists and the Note: 50 levels
    check_comes_in(learner, raw)
    assert_same(learner.decode(CLASSES, raw), Note(body))


def test_texts_are_short(learner, rng):
    """No text is longer than 1,000 characters, however long the name in it"""
    name = word(rng) * 20_000
    raws = [
        pack({"__type__": name}),
        pack({"__type__": "AbortMsg", "uid": 1, name: 2}),
        pack({"__type__": [name] * 9}),
        note({**TENSOR, "dtype": name}),
        note({**TENSOR, "shape": [name]}),
        note({**TENSOR, "shape": [7] * 50_000}),
        note({**TENSOR, name: 1}),
        note({**TENSOR, "buffer": name}),
        pack(name),
        pack([7] * 50_000),
        name.encode(),
    ]
    for length in learner.run(lengths_of_texts, CLASSES, raws):
        check(
            length != -1,
            en="`decode` makes a message of bytes that are none.",
            zh="字节并不是消息，`decode` 却还原出了消息。",
        )
        check(
            1 <= length <= 1000,
            en=f"The text of a ValueError has {length:,} characters.",
            zh=f"有一个 ValueError 的异常信息长达 {length:,} 个字符。",
        )


def test_any_damage(learner):
    """Whichever byte is damaged, a message comes in or a ValueError is raised"""
    ids = torch.tensor([[1, 2], [3, 4]], dtype=torch.int16)
    body = [AbortMsg(1), {"__type__": "Params", "a": 1}, Params(2), ids, torch.tensor([True])]
    raw = learner.encode(Note({"values": body, 7: "文字"}))
    damaged = [
        raw[:at] + bytes([other]) + raw[at + 1 :]
        for at, byte in enumerate(raw)
        for other in (byte ^ 1, 0x00, 0x91, 0xC0)
    ]
    found = set(learner.run(outcomes, CLASSES, damaged)) - {"message", "refused"}
    check(
        not found,
        en=f"Damaged bytes make `decode` raise something other than ValueError: {sorted(found)}.",
        zh=f"字节损坏时，`decode` 抛出了 ValueError 以外的异常：{sorted(found)}。",
    )


def test_after_a_refusal(learner, rng):
    """After each refusal the next message comes in as if nothing had happened"""
    uid = rng.randint(1, 99)
    bad = [b"\xc1", note({**TENSOR, "shape": [7]}), note(nested("lists", 300)), pack([])]
    good = learner.encode(Note([AbortMsg(uid)]))
    for raw in bad:
        check_refused(learner, raw)
        assert_same(learner.decode(CLASSES, good), Note([AbortMsg(uid)]))
