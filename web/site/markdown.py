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
    # The language of a code block, `language-python`, for who highlights it.
    "code": {"class"},
}


def to_html(markdown: str) -> str:
    """The HTML of a text in CommonMark with tables. HTML that stands in the text is shown, not used."""
    rendered = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return nh3.clean(
        rendered.render(markdown),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
