"""In which language the command line speaks: `--lang` anywhere, else the locale."""

from __future__ import annotations

from collections.abc import Mapping

import click

from judge.texts import LANGUAGES, Language

OPTION = "--lang"


def from_environment(environment: Mapping[str, str]) -> Language:
    """The language of the first locale variable that is set; Chinese for `zh…`, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    chosen = next((environment[name] for name in names if environment.get(name)), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


def take_language(words: list[str], default: Language) -> tuple[Language, list[str]]:
    """The language asked for, and the words without that option. Raises `click.UsageError`.

    It is taken out before the words are parsed, for it holds for every command, before or after its
    name, and even for the help and for what is said about wrong usage.
    """
    rest, language = [], default
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            return language, [*rest, word, *remaining]
        name, equals, value = word.partition("=")
        if name != OPTION:
            rest.append(word)
            continue
        value = value if equals else next(remaining, "")
        if value not in LANGUAGES:
            choice = click.Choice(LANGUAGES)
            raise click.BadParameter(
                f"{value!r}: {', '.join(LANGUAGES)}", param=click.Option([OPTION], type=choice)
            )
        language = value
    return language, rest
