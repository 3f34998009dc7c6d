"""Markdown to HTML that is safe to show: no scripts, no styles, no frames, whatever the text holds."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code"),
    *("em", "strong", "s", "a", "ul", "ol", "li", "img"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    # A section of a reading, for its table of contents; ours alone, as a text brings no HTML.
    "h2": {"id"},
    # The language of a code block, `language-python`, for who highlights it.
    "code": {"class"},
}


def parser() -> MarkdownIt:
    """CommonMark with tables. HTML that stands in a text is shown, not used."""
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def to_html(markdown: str) -> str:
    """The HTML of a text with paragraphs."""
    return clean(parser().render(markdown))


def to_inline_html(markdown: str) -> str:
    """The HTML of a text within one line, such as a choice of a question."""
    return clean(parser().renderInline(markdown))


def clean(html: str) -> str:
    """What is safe to show of it."""
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
