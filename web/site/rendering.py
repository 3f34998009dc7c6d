"""How a page is put together: its words, its theme, its scripts, and what it tells them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Response, render_template, request, url_for
from markupsafe import Markup, escape

from judge.catalog import Exercise
from judge.texts import Language
from judge.verdict import Outcome, Visibility
from web.site.files import runtime_address
from web.site.site import current_site
from web.site.texts import PAGES, VERDICTS
from web.site.workbench_texts import editor_phrases, workbench_words

YEAR_SECONDS = 365 * 24 * 3600
LANGUAGE_COOKIE = "language"
THEMES = ("light", "dark")


def render_page(
    language: Language,
    template: str,
    *,
    data: dict[str, Any] | None = None,
    words: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page in one language.

    `data` is the exercise, where the page works with one; `words` are those of its own scripts, where
    it has others than an exercise.
    """
    theme = request.cookies.get("theme")
    page_data = {
        "language": language,
        "words": workbench_words(language) if data else words or {},
        "editorPhrases": editor_phrases(language) if data else {},
        "exercise": data,
        "addresses": {
            "api": "/api/v1",
            "submissions": url_for("pages.submission_list", language=language),
            "hints": f"{request.path}hints" if data else "",
            "runtime": runtime_address(current_site().settings.runtime),
            "worker": _asset("python.js"),
        },
    }
    known = PAGES | VERDICTS

    def word(name: str, **placeholders: object) -> str:
        return known[name].format(**placeholders)[language]

    html = render_template(
        template,
        language=language,
        other_language_address=_in_language("zh" if language == "en" else "en"),
        theme=theme if theme in THEMES else None,
        word=word,
        text=lambda text: text[language],
        message=_message_in(language),
        exercise_address=functools.partial(exercise_address, language),
        asset=_asset,
        chunks=_chunks,
        page_data=page_data,
        Outcome=Outcome,
        Visibility=Visibility,
        **values,
    )
    response = Response(html, mimetype="text/html")
    # Each learner's own; Back may show it again, but no cache between may keep it.
    response.headers["Cache-Control"] = "private, no-cache"
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR_SECONDS, samesite="Lax")
    return response


def _in_language(language: Language) -> str:
    """The address of this page in another language, with its query."""
    if request.endpoint is None or "language" not in (request.view_args or {}):
        return url_for("pages.course", language=language)
    there = url_for(request.endpoint, **{**(request.view_args or {}), "language": language})
    # Put on by hand: as arguments of `url_for`, names such as `_scheme` would be orders.
    query = urlencode(request.args.to_dict(flat=False), doseq=True)
    return f"{there}?{query}" if query else there


def _message_in(language: Language) -> Callable[[Any], str]:
    """Gives the message of a verdict or a test result; English where Chinese is missing."""

    def message(owner: Any) -> str:
        chinese = owner.message_zh if language == "zh" else None
        return chinese or owner.message or ""

    return message


def sentence(text: str) -> Markup:
    """Escaped text in which `code` between backticks is set as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one backtick is left over: it is itself
        parts[-2:] = ["`".join(parts[-2:])]
    marked = [
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    ]
    return Markup("").join(marked)


def _asset(name: str) -> str:
    """The address of a script or a style sheet of `web/frontend`."""
    return f"/static/{_manifest()['files'][name]}"


def _chunks(name: str) -> list[str]:
    """What a script loads besides itself."""
    return [f"/static/{chunk}" for chunk in _manifest()["imports"].get(name, [])]


def _manifest() -> Mapping[str, Any]:
    path = current_site().settings.static / "manifest.json"
    return _read_manifest(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=4)
def _read_manifest(path: Path, _changed: int) -> Mapping[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def exercise_address(language: Language, exercise: Exercise) -> str:
    return url_for(
        "pages.exercise", language=language, chapter=exercise.chapter, name=exercise.name
    )
