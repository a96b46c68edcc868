# SPDX-License-Identifier: Apache-2.0
"""What click lacks for the commands of ``hanji``: help for arguments, suggestions, and errors told
in one line.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from click.exceptions import Exit

import hanji
from hanji._text import count_of, escaped
from hanji.cli.status import FAILED, HELP, SIGNAL, status_of
from hanji.cli.terminal import (
    MAX_MESSAGE,
    complain,
    describe,
    describe_output,
    fail,
    flush_standard_output,
    give_up_standard_output,
    on_standard_error,
    open_standard_streams,
)

PATH = click.Path(path_type=Path)
SEVERAL = {"nargs": -1, "required": True}
Function = TypeVar("Function", bound=Callable[..., Any])


class Argument(click.Argument):
    """An argument of which the help says something, which click can do since 8.5."""

    def __init__(self, *arguments: Any, about: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.about = about

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.metavar or str(self.name), self.about


def argument(name: str, metavar: str, about: str, **options: Any) -> Callable[[Function], Function]:
    """An argument, how the usage shows it, and what the help says about it."""

    def decorate(function: Function) -> Function:
        # made for each function: click 8.1.0 forgets the class after the first
        made = click.argument(name, cls=Argument, metavar=metavar, about=about, **options)
        return made(function)

    return decorate


files_argument = argument("paths", "FILE...", 'Files, "-" for standard input.', **SEVERAL)
force_option = click.option("--force", "-f", is_flag=True, help="Replace the output if it exists.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def complete(*kinds: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What completes names of algorithms of these kinds."""
    return lambda _context, _parameter, incomplete: [
        a.name for a in hanji.algorithms() if a.kind in kinds and a.name.startswith(incomplete)
    ]


def key_option(made_by: str, **options: Any) -> Callable[[Function], Function]:
    return click.option("--key", "-k", metavar="KEY", type=PATH, help=made_by, **options)


def passphrase_option(use: str) -> Callable[[Function], Function]:
    return click.option(
        "--passphrase", "-p", is_flag=True, help=f"{use}, asked for on the terminal."
    )


def passphrase_file_option(use: str) -> Callable[[Function], Function]:
    return click.option(
        "--passphrase-file",
        metavar="FILE",
        type=PATH,
        help=f"{use} with the passphrase in FILE (its line end does not count).",
    )


def comment_option(where: str) -> Callable[[Function], Function]:
    return click.option(
        "--comment",
        default="",
        show_default=False,
        help=f"One line of text to keep in {where}; it is not secret.",
    )


class Command(click.Command):
    """A command. Errors that a user can meet are one clear line and an exit status; other errors
    stay loud.
    """

    def invoke(self, ctx: click.Context) -> Any:
        try:
            done = super().invoke(ctx)
            flush_standard_output()
            return done
        except BrokenPipeError as error:
            give_up_standard_output()
            fail(describe_output(error), FAILED)
        except KeyboardInterrupt:
            complain("interrupted")
            raise Exit(SIGNAL + signal.SIGINT) from None
        except (hanji.HanjiError, OSError, ValueError, ImportError, MemoryError) as error:
            fail(describe(error), status_of(error))
        finally:
            try:
                sys.stdout.flush()
            except OSError:
                give_up_standard_output()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; but an argument too many, which may be a passphrase, is not shown."""
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(
                f"{count_of(len(rest), 'argument')} too many (not shown, because a passphrase may"
                " be among them); no passphrase is taken from the command line, and names with"
                " spaces need quotes"
            )
        return rest

    def __init__(self, *arguments: Any, example: str = "", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.example = example  # a command line for the help

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if self.example:
            with formatter.section("Example"):
                formatter.write_text(self.example)
        write_statuses(formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence, however long: it is wrapped, not cut."""
        return super().get_short_help_str(1000)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments, then options."""
        of_arguments = [one for one in self.params if isinstance(one, Argument)]
        options = [one for one in self.get_params(ctx) if not isinstance(one, click.Argument)]
        for title, parameters in (("Positional arguments", of_arguments), ("Options", options)):
            records = [one.get_help_record(ctx) for one in parameters]
            if shown := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


def write_statuses(formatter: click.HelpFormatter) -> None:
    """The exit statuses, at the end of every help."""
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(HELP)


def command(name: str, *, example: str) -> Callable[[Callable[..., Any]], Command]:
    """A command that the group finds in its module by this name; its help ends with an example."""

    return click.command(name, cls=Command, example=example)


class AlgorithmChoice(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2
    """A choice of algorithms. A name that is none of them is not shown, for it may be a key."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        known = list(map(str, self.choices))
        if value not in known:
            from hanji._catalogue import similar

            self.fail(
                "no algorithm here has this name; "
                + similar(str(value), known, f"there are {', '.join(known)}"),
                param,
                ctx,
            )
        return value


class _WrongUsageError(click.UsageError):
    """One that ends with its own status where standard error takes no more."""

    def show(self, file: IO[Any] | None = None) -> None:
        with on_standard_error():
            super().show(file)


# What other programs call these commands.
_OTHER_WORDS = {"encrypt": "seal", "decrypt": "open", "genkey": "keygen", "digest": "hash"}


class CommandGroup(click.Group):
    """Commands in the order of the source. A command that has a home, which is where Python finds
    it, is imported when it is asked for.

    Usage errors show what was typed, and so may show names of files that strangers have given.
    """

    command_class = Command

    def __init__(
        self, *arguments: Any, homes: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._homes = homes or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._homes, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._homes:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._homes[cmd_name].rpartition(".")
        found: click.Command = getattr(importlib.import_module(module), name)
        return found

    def get_short_help_str(self, limit: int = 45) -> str:
        return super().get_short_help_str(1000)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        write_statuses(formatter)

    def main(self, *arguments: Any, **options: Any) -> Any:
        open_standard_streams()
        try:
            return super().main(*arguments, **options)
        except OSError as error:  # what completes names in a shell is written outside of contexts
            give_up_standard_output()
            complain(describe_output(error))
            sys.exit(FAILED)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())  # no command is wrong usage, in every version of click
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            known = self.list_commands(ctx)
            near = get_close_matches(args[0], known)
            if (meant := _OTHER_WORDS.get(args[0])) in known:
                near = [str(meant)]
            if not near:
                raise
            message = f"{error.message} Did you mean {' or '.join(map(repr, near))}?"
            raise click.UsageError(message, error.ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        with self._escaping():
            return super().invoke(ctx)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with self._escaping():
            return super().make_context(*arguments, **options)

    @staticmethod
    @contextlib.contextmanager
    def _escaping() -> Iterator[None]:
        try:
            yield
            flush_standard_output()
        except Exit:
            try:  # what --help and --version have written
                flush_standard_output()
            except BrokenPipeError as error:
                give_up_standard_output()
                fail(describe_output(error), FAILED)
            raise
        except KeyboardInterrupt:  # while the module of a command is imported
            complain("interrupted")
            raise Exit(SIGNAL + signal.SIGINT) from None
        except OSError as error:  # help and the version are written outside of commands
            give_up_standard_output()
            fail(describe_output(error), FAILED)
        except click.UsageError as error:
            raise _WrongUsageError(
                escaped(error.format_message(), MAX_MESSAGE), error.ctx
            ) from None
