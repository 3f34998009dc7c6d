"""A submission's text, or why it is none. Nothing of it runs here."""

from __future__ import annotations

import codecs

from judge.texts import Text

MAX_SOURCE_BYTES = 256 * 1024


class SourceProblem(Exception):
    """The submission is not a text that Python could read; `text` says why to the learner."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def decode_source(source: str | bytes) -> str:
    """The source as text, without a byte order mark. Raises `SourceProblem`."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if len(raw) > MAX_SOURCE_BYTES:
        limit = MAX_SOURCE_BYTES // 1024
        raise SourceProblem(
            Text(f"The file is larger than {limit} KiB.", f"文件超过了 {limit} KiB。")
        )
    try:
        text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SourceProblem(
            Text(
                f"The file is not UTF-8: line {line} has the byte 0x{raw[error.start]:02x}. "
                "Save it as UTF-8.",
                f"文件不是 UTF-8 编码：第 {line} 行有字节 0x{raw[error.start]:02x}。请另存为 UTF-8。",
            )
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SourceProblem(
            Text(
                f"Line {line} holds a NUL byte, which no Python file may have.",
                f"第 {line} 行有一个 NUL 字节，Python 文件里不能有它。",
            )
        )
    if not text.strip():
        raise SourceProblem(Text("The file is empty.", "文件是空的。"))
    return text
