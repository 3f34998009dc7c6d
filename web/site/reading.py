"""A chapter's reading as HTML, with its sections for a table of contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from web.site.markdown import clean, parser, to_inline_html


@dataclass(frozen=True)
class Section:
    """A section of the reading: the id of its heading, and its title as HTML."""

    id: str
    title: str


@dataclass(frozen=True)
class Reading:
    """`html` is safe to show and has no heading of the first level, which the page has already."""

    html: str
    sections: tuple[Section, ...]


def render_reading(markdown: str, exercises: Mapping[str, str]) -> Reading:
    """Render a reading. `exercises` gives the title of each exercise of the chapter by its name.

    A link to an exercise, `[…](nd-tensor/)`, shows the exercise's title. Sections are numbered in
    their ids, so that a place is the same in both languages.
    """
    renderer = parser()
    tokens = _without_title(renderer.parse(markdown))
    sections = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            section = Section(
                f"section-{len(sections) + 1}", to_inline_html(tokens[at + 1].content)
            )
            token.attrSet("id", section.id)
            sections.append(section)
        if token.children:
            token.children = _with_titles(token.children, exercises)
    html = renderer.renderer.render(tokens, renderer.options, {})
    return Reading(clean(html), tuple(sections))


def _without_title(tokens: list[Token]) -> list[Token]:
    """Without the heading that a reading begins with: it opens, says, and closes."""
    begins_with_title = bool(tokens) and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    return tokens[3:] if begins_with_title else tokens


def _with_titles(inline: list[Token], exercises: Mapping[str, str]) -> list[Token]:
    """The same line; the text of a link to an exercise is the exercise's title."""
    found: list[Token] = []
    title = None
    for token in inline:
        if token.type == "link_open":
            title = exercises.get(str(token.attrGet("href")).removesuffix("/"))
            found.append(token)
            if title is not None:
                found.append(Token("text", "", 0, content=title))
        elif token.type == "link_close":
            title = None
            found.append(token)
        elif title is None:
            found.append(token)
    return found
