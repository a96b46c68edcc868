# SPDX-License-Identifier: Apache-2.0
"""Constant time of Rainbow's key generation and signing: on x86-64, where all kernels are portable
C, by valgrind (rainbow.c); on AArch64 by traces that are compared over secrets (rainbow_traces.c).

Verification has public data only and is not checked.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .. import trace
from ..checkout import LabError, build_library, exclusive, find_compiler, find_program, run
from ..checks import Report
from . import Valgrind, idle, instructions
from .traces import FLAGS as TRACED
from .traces import Traces

SOURCE = Path(__file__).with_name("rainbow.c")
SUPPRESSIONS = SOURCE.with_suffix(".supp")  # one branch of libcrypto, with its reason
ARM_CRYPTO = Path("/usr/lib/aarch64-linux-gnu/libcrypto.a")
CONTROLS = {
    "row fetched by a secret constant": True,
    "product skipped when the constant is 0": True,
    "row made under masks": False,
}
# One of each field and variant; the sets of level V run the same functions as those of III.
SETS = {0: "rainbow-i-classic", 2: "rainbow-i-compressed", 3: "rainbow-iii-classic"}


@dataclass(frozen=True)
class RainbowCheck:
    """The check with one compiler at one level."""

    root: Path
    family: str
    level: int

    @property
    def name(self) -> str:
        """For example ct-rainbow-gcc-O2."""
        return f"ct-rainbow-{self.family}-O{self.level}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return (
            f"branches and addresses of Rainbow's key generation and signing as {self.family} "
            f"makes them at -O{self.level}"
        )

    def build(self) -> Path:
        """The harness with the library of this checkout."""
        other = Valgrind(self.root, self.family, self.level)  # whose library is the same
        archive = build_library(
            self.root,
            other.name,
            compiler := find_compiler(self.family),
            flags := other.flags,
            "hanji_rainbow_static",
            options=idle(),
        ).with_name("libhanji-rainbow.a")
        program = archive.with_name("rainbow-harness")
        with exclusive(archive.parent):
            options: list[str | Path] = [
                "-std=gnu11",
                "-Wall",
                *flags.split(),
                "-I",
                self.root / "include",
                "-Wl,--wrap=hanji_rainbow_regular",
            ]
            run(
                [
                    compiler,
                    *options,
                    SOURCE,
                    archive,
                    archive.with_name("libhanji.a"),
                    "-lcrypto",
                    "-o",
                    program,
                ]
            )
        return program

    def memcheck(self, program: Path, argument: str) -> list[int]:
        """The numbers of errors that the harness prints."""
        valgrind = find_program("valgrind", "valgrind", "the constant-time check")
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("HANJI_", "VALGRIND_"))
        }
        done = subprocess.run(
            [
                valgrind,
                "-q",
                "--error-limit=no",
                f"--suppressions={SUPPRESSIONS}",
                str(program),
                argument,
            ],
            capture_output=True,
            text=True,
            env=environment,
        )
        if done.returncode:
            raise LabError(
                f"{self.name}: the harness stopped with status {done.returncode}: "
                f"{done.stderr.strip()[-2000:]}"
            )
        return [int(line) for line in done.stdout.split()]

    def run(self) -> Report:
        """Controls first; then every set of SETS."""
        program = self.build()
        about = {
            "checker": self.name,
            "secrets": "seed of the secret key, secret key",
            "released": [
                "public key",
                "signature",
                "number of draws",
                "whether the low word of the counter wraps",
            ],
        }
        found = self.memcheck(program, "controls")
        objects = [
            {
                "kind": "control",
                **about,
                "group": "leak" if leaks else "quiet",
                "subject": name,
                "errors": errors,
            }
            for (name, leaks), errors in zip(CONTROLS.items(), found, strict=True)
        ]
        other = Valgrind(self.root, self.family, self.level)  # which compiles in the same way
        objects += [
            {"kind": "control"} | about | control
            for control in instructions.controls(other.compile_())
        ]
        problems = [
            (
                f"control {entry['subject']!r} "
                f"{'was not caught' if entry['group'] == 'leak' else 'was taken for a leak'}"
            )
            for entry in objects
            if (entry["errors"] > 0) != (entry["group"] == "leak")  # type: ignore[operator]
        ]
        if problems:
            return Report(self.name, objects, problems)
        problems = instructions.problems(*other.search(program.with_name("libhanji-rainbow.a")))
        for index, name in SETS.items():
            (errors,) = self.memcheck(program, str(index))
            objects.append(
                {
                    "kind": "check",
                    **about,
                    "tier": "portable",
                    "group": "rainbow",
                    "subject": name,
                    "errors": errors,
                }
            )
            if errors:
                problems.append(
                    f"{errors} branches or addresses of {name} depend on a secret; "
                    f"valgrind {program} {index} shows them"
                )
        return Report(self.name, objects, problems)


@dataclass(frozen=True)
class RainbowTraces(Traces):
    """Traces of Rainbow's kernels, key generation and signing on AArch64 (rainbow_traces.c),
    compared over secrets like those of the library.
    """

    turns: int = 3
    tiers: tuple[str, ...] = ("portable", "neon")

    @property
    def name(self) -> str:
        """For example trace-rainbow-aarch64."""
        return f"trace-rainbow-{self.target.name}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        where = (
            f"Rainbow's kernels, key generation and signing on {self.target.name}, libcrypto's "
            "part included"
        )
        return (
            f"paths and addresses of {where}, under qemu, compared over {self.turns} sets of "
            "secrets"
        )

    @property
    def archive(self) -> Path:
        """Rainbow's library; `build` makes it."""
        return super().archive.with_name("libhanji-rainbow.a")

    def build(self) -> Path:
        """The harness for the target, with libcrypto of Debian's arm64."""
        library = trace.library(self.root, self.target, TRACED)
        run(["cmake", "--build", library.parent, "--target", "hanji_rainbow_static"])
        program = library.with_name("rainbow-traces")
        include: list[str | Path] = [
            "-I",
            self.root / "include",
            "-I",
            self.root / "src",
            "-I",
            trace.HERE,
        ]
        link: list[str | Path] = [
            library.with_name("libhanji-rainbow.a"),
            library,
            ARM_CRYPTO,
            "-Wl,--wrap=hanji_rainbow_regular",
        ]
        with exclusive(library.parent):
            run(
                [
                    self.target.compiler,
                    "-std=gnu11",
                    *TRACED.split(),
                    "-static",
                    *include,
                    SOURCE.with_name("rainbow_traces.c"),
                    *link,
                    "-o",
                    program,
                ]
            )
        return program


def is_built() -> bool:
    """Whether libhanji-rainbow can be built here: where OpenSSL 3 has its headers."""
    said = (
        subprocess.run(["pkg-config", "--atleast-version=3.0", "libcrypto"], capture_output=True)
        if shutil.which("pkg-config")
        else None
    )
    return said is not None and said.returncode == 0


def traceable() -> bool:
    """Whether libcrypto for AArch64 is here: Debian's libssl-dev:arm64."""
    return ARM_CRYPTO.exists()
