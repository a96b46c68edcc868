# SPDX-License-Identifier: Apache-2.0
"""rtl:*: real cores in their register-transfer description, simulated cycle by cycle with
Verilator.

The descriptions come from the PyPI packages pythondata-cpu-*, pinned exactly. A simulator is built
once and kept in a cache (`cache`), under the digest of all that went into it. The memory around
each core answers without delay (cores/*.cpp), so the cycles are those of the core and its caches.
The same program gives the same number of cycles on every run.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache as memoize
from pathlib import Path

import yaml

from ...cases import Case, CaseError, UnsupportedError
from ...checkout import LabError, cache_folder, exclusive, instruction_at, run
from ...results import Result, tool_version
from .. import register
from . import rewrite
from .harness import COMPILER, FLAGS, OBJDUMP, PACKAGE, Figures, Target, build, judge

CORES = Path(__file__).resolve().parent.parent / "cores"
BASE = 0x40000000
VERILATE = (
    "-O3 --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint -Wno-style --cc --exe "
    "--build -j 2 --prefix Vtop"
)
TOOLS = {"verilator": "verilator", "g++": "g++", "make": "make", COMPILER: PACKAGE}
TIMEOUT = 3000  # seconds after which a program is taken to hang

# The packages of the cores: their versions decide figures.
VERSIONS = {
    "pythondata-cpu-ibex": "0.0.post2937",
    "pythondata-cpu-picorv32": "1.0.post218",
    "pythondata-cpu-rocket": "0.0.post7146",
    "pythondata-cpu-vexriscv": "1.0.1.post407",
}

STATUS = {
    100: "wrote where no memory is",
    101: "ran into a trap: an illegal instruction or a misaligned address?",
    102: "did not end: an endless loop?",
}


@dataclass(frozen=True)
class Core:
    """How the simulator of a core is made: from the package's folder to (source files, include
    folders, generated files by name).
    """

    package: str
    top: str
    bench: str
    files: Callable[[Path], tuple[list[Path], list[Path], dict[str, str]]]
    options: tuple[str, ...] = ()
    optimise: str = "-O2"

    @property
    def version(self) -> str:
        """What decides its figures, for the provenance."""
        return f"{self.package} {VERSIONS[self.package]}"

    def missing(self) -> str | None:
        """Why it cannot be built here, or None."""
        for program, debian in TOOLS.items():
            if shutil.which(program) is None:
                return f"{program} is not installed. On Debian: apt-get install {debian}"
        if self.package not in VERSIONS:
            return None
        wanted = VERSIONS[self.package]
        try:
            found = importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return f"{self.package} is not installed: pip install {self.package}=={wanted}"
        return (
            None
            if found == wanted
            else (
                f"{self.package} is {found}, but figures are of {wanted}: pip install "
                f"{self.package}=={wanted}"
            )
        )

    def folder(self) -> Path:
        """The folder of the package."""
        found = importlib.util.find_spec(self.package.replace("-", "_"))
        assert found is not None
        assert found.origin is not None
        return Path(found.origin).parent

    def simulator(self) -> Path:
        """The built simulator, from the cache if it is there."""
        sources, folders, generated = self.files(self.folder())
        bench = [CORES / self.bench, CORES / "soc.h", CORES / "bench.h"]
        digest = hashlib.sha256(
            repr(
                (VERILATE, self.top, self.options, self.optimise, sorted(generated.items()))
            ).encode()
        )
        for tool in ("verilator", "g++"):
            digest.update(tool_version(tool).encode())
        included = [
            path
            for folder in folders
            for path in sorted(folder.iterdir())
            if path.suffix in (".sv", ".v", ".svh", ".vh")
        ]
        for path in [*sources, *included, *bench]:
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        home = cache_folder() / f"{Path(self.bench).stem}-{digest.hexdigest()[:16]}"
        with exclusive(home):
            if not (home / "simulator").exists():
                self._build(home, sources, folders, generated)
        return home / "simulator"

    def _build(
        self, home: Path, sources: list[Path], folders: list[Path], generated: dict[str, str]
    ) -> None:
        with tempfile.TemporaryDirectory(dir=home) as work:
            made = []
            for name, text in generated.items():
                made.append(Path(work, name))
                made[-1].write_text(text)
            command: list[str | Path] = [
                "verilator",
                *VERILATE.split(),
                "-CFLAGS",
                f"{self.optimise} -std=c++17 -I{CORES}",
                "--top-module",
                self.top,
            ]
            command += [*self.options, *(f"-I{folder}" for folder in folders)]
            run(
                [
                    *command,
                    "--Mdir",
                    Path(work, "made"),
                    "-o",
                    "simulator",
                    *sources,
                    *made,
                    CORES / self.bench,
                ]
            )
            Path(work, "made", "simulator").replace(home / "simulator")


@dataclass(frozen=True)
class OwnCore(Core):
    """A core that a user brings, whose sources lie beside its file of settings."""

    home: Path = Path()

    @property
    def version(self) -> str:
        """The digest of its sources."""
        digest = hashlib.sha256()
        for path in [*self.files(self.home)[0], Path(self.bench)]:
            digest.update(path.read_bytes())
        return f"{self.package}, sources {digest.hexdigest()[:12]}"

    def folder(self) -> Path:
        """Where its sources are."""
        return self.home


class Rtl:
    """A simulated core."""

    kind = "rtl"

    def __init__(
        self,
        name: str,
        core: Core,
        march: str,
        isas: Sequence[str],
        about: str,
        *,
        cached: bool = False,
        rv64: bool = False,
    ) -> None:
        self.name, self.core, self.isas, self.about = f"rtl:{name}", core, frozenset(isas), about
        self.cached, self.rv64 = cached, rv64
        place = (
            ("LAB_CONSOLE=0x20000000", "LAB_EXIT=0x20000004")
            if rv64
            else ("LAB_CONSOLE=0xf0000000", "LAB_EXIT=0xf0000004")
        )
        counter = "LAB_COUNTER_CSR=cycle" if rv64 else "LAB_COUNTER=0xf0000008"
        self.target = Target("ram.ld", march, (*place, counter))

    def why_not(self) -> str | None:
        """What is missing."""
        return self.core.missing()

    def run(self, case: Case) -> Figures:
        """Build and run the program of a case, and judge it."""
        simulator = self.core.simulator()
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            program = build(case, self.target, Path(directory))
            link_map = program.with_suffix(".map").read_text()
            loaded = program.with_suffix(".bin")
            try:
                loaded.write_bytes(rewrite.image(program, BASE, self.rv64))
            except rewrite.UnknownInstructionError as error:
                what = instruction_at(OBJDUMP, program, error.address) or str(error)
                raise UnsupportedError(
                    f"{case.kernel.name}: {self.name} has no instruction `{what}`; it runs "
                    f"{', '.join(sorted(self.isas))}"
                ) from None
            command = [str(simulator), str(loaded)]
            if self.rv64:
                command.append(str(_boot(Path(directory))))
            try:
                done = subprocess.run(
                    command,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=TIMEOUT,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise CaseError(
                    f"{case.kernel.name} on {self.name}: no end after {TIMEOUT} s"
                ) from None
        if done.returncode:
            reason = STATUS.get(
                done.returncode, f"the simulation ended with status {done.returncode}"
            )
            raise CaseError(
                f"{case.kernel.name} on {self.name}: {reason} "
                f"{done.stderr.decode(errors='replace').strip()[-300:]}"
            )
        return judge(case, self.name, done.stdout, link_map)

    def measure(self, case: Case, command: str) -> list[Result]:
        """Cycles of one call; where the core has caches, with warm and with cold ones."""
        figures = self.run(case)
        tools = [
            self.core.version,
            tool_version("verilator"),
            tool_version(COMPILER),
        ]
        flags = f"-march={self.target.march} {FLAGS} {' '.join(case.flags)}".rstrip()
        provenance = case.provenance(tools, flags, command)
        more = {"blocks": case.kernel.blocks, "stack": figures.stack, "code": figures.code}
        return [
            Result(
                case.kernel.name,
                self.name,
                self.kind,
                case.operation,
                case.bytes,
                provenance,
                cache=state,
                cycles=count,
                cycles_per_byte=round(count / case.bytes, 4),
                more=more,
            )
            for state, count in (
                (("warm", figures.warm), ("cold", figures.cold))
                if self.cached
                else ((None, figures.warm),)
            )
        ]


def _boot(directory: Path) -> Path:
    """The boot ROM of Rocket."""
    program = directory / "boot.elf"
    run(
        [
            COMPILER,
            "-march=rv64i_zicsr",
            "-mabi=lp64",
            "-nostdlib",
            "-Wl,-Ttext=0x10000000",
            CORES / "rocket_boot.S",
            "-o",
            program,
        ]
    )
    flat = program.with_suffix(".bin")
    run([COMPILER.replace("gcc", "objcopy"), "-O", "binary", "-j", ".text", program, flat])
    return flat


IBEX_UNITS = (
    "ibex_pkg", "ibex_alu", "ibex_branch_predict", "ibex_compressed_decoder", "ibex_controller", "ibex_counter", "ibex_cs_registers", "ibex_csr",
    "ibex_decoder", "ibex_dummy_instr", "ibex_ex_block", "ibex_fetch_fifo", "ibex_id_stage", "ibex_if_stage", "ibex_load_store_unit",
    "ibex_multdiv_fast", "ibex_multdiv_slow", "ibex_pmp", "ibex_prefetch_buffer", "ibex_register_file_ff", "ibex_wb_stage", "ibex_icache",
    "ibex_lockstep", "ibex_core", "ibex_top",
)  # fmt: skip
IBEX_PACKAGES = (
    "prim_secded_pkg",
    "prim_ram_1p_pkg",
    "prim_cipher_pkg",
    "prim_util_pkg",
    "prim_count_pkg",
    "prim_mubi_pkg",
)


def ibex_files(package: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
    """Source files and include folders of Ibex, in its package."""
    home = package / "system_verilog"
    primitives = home / "vendor/lowrisc_ip/ip/prim/rtl"
    units = [primitives / f"{name}.sv" for name in IBEX_PACKAGES] + [
        home / f"rtl/{name}.sv" for name in IBEX_UNITS
    ]
    return (
        [*units, CORES / "ibex_wrap.sv"],
        [primitives, home / "vendor/lowrisc_ip/dv/sv/dv_utils", home / "rtl"],
        {},
    )


def _vexriscv(package: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
    return [package / "verilog/VexRiscv_Full.v"], [], {}


# The direct-mapped instruction cache of VexRiscv_Full: 128 lines of 32 bytes become 512. (old, new,
# how often it stands there.) The tag keeps its 20 bits, of which the upper two are then always 0.
WIDER_CACHE = (
    (
        "[9:0]    lineLoader_write_data_0_payload_address",
        "[11:0]   lineLoader_write_data_0_payload_address",
        1,
    ),
    (
        "[9:0]    _zz_fetchStage_read_banksValue_0_dataMem;",
        "[11:0]   _zz_fetchStage_read_banksValue_0_dataMem;",
        1,
    ),
    (
        "[6:0]    lineLoader_write_tag_0_payload_address",
        "[8:0]    lineLoader_write_tag_0_payload_address",
        1,
    ),
    (
        "[6:0]    _zz_fetchStage_read_waysValues_0_tag_valid;",
        "[8:0]    _zz_fetchStage_read_waysValues_0_tag_valid;",
        1,
    ),
    ("[7:0]    lineLoader_flushCounter;", "[9:0]    lineLoader_flushCounter;", 1),
    ("lineLoader_flushCounter[7]", "lineLoader_flushCounter[9]", 5),
    ("lineLoader_flushCounter[6 : 0]", "lineLoader_flushCounter[8 : 0]", 1),
    ("(lineLoader_flushCounter + 8'h01)", "(lineLoader_flushCounter + 10'h001)", 1),
    ("lineLoader_flushCounter <= 8'h0;", "lineLoader_flushCounter <= 10'h0;", 1),
    ("[11 : 5]", "[13 : 5]", 3),
    ("[11 : 2]", "[13 : 2]", 1),
    ("[31 : 12]", "[31 : 14]", 2),
    ("[0:1023]", "[0:4095]", 1),
    ("[0:127]", "[0:511]", 1),
)


def widen_instruction_cache(verilog: str) -> str:
    """VexRiscv_Full with an instruction cache of 16 KiB; LabError if the text is not what the
    substitutions were written for.
    """
    before, start, rest = verilog.partition("module InstructionCache (")
    module, end, after = rest.partition("endmodule")
    for old, new, times in WIDER_CACHE:
        if module.count(old) != times:
            raise LabError(
                f"VexRiscv_Full.v has {old!r} {module.count(old)} times in its instruction "
                f"cache, {times} expected; is it another version?"
            )
        module = module.replace(old, new)
    return before + start + module + end + after


def _vexriscv_16k(package: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
    (source,), _, _ = _vexriscv(package)
    return [], [], {"VexRiscv_16k.v": widen_instruction_cache(source.read_text())}


def _rocket(package: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
    home = package / "verilog"
    made = home / "generated-src/freechips.rocketchip.system.LitexFullConfig"
    cells = [
        home / f"vsrc/{name}.v" for name in ("plusarg_reader", "EICG_wrapper", "AsyncResetReg")
    ]
    return [Path(f"{made}.v"), Path(f"{made}.behav_srams.v"), *cells], [], {}


@memoize
def cores() -> list[Rtl]:
    """All simulated cores."""
    synthesis = ("-DSYNTHESIS",)
    plain = ("rv32i", "c")

    def ibex(*options: str) -> Core:
        return Core(
            "pythondata-cpu-ibex", "ibex_wrap", "ibex.cpp", ibex_files, (*synthesis, *options)
        )

    vexriscv = ("pythondata-cpu-vexriscv", "VexRiscv", "vexriscv.cpp")
    rocket = ("-DPRINTF_COND=0", "-DSTOP_COND=0")
    return [
        Rtl(
            "rocket",
            Core(
                "pythondata-cpu-rocket",
                "ExampleRocketSystem",
                "rocket.cpp",
                _rocket,
                (*synthesis, *rocket),
                "-O1",
            ),
            "rv32i",
            plain,
            (
                "Rocket, five stages, 16 KiB caches: the pipeline of the SiFive E31. RV64, the "
                "instructions are rewritten (rewrite.py)"
            ),
            cached=True,
            rv64=True,
        ),
        Rtl(
            "ibex-small", ibex(), "rv32i", plain, "Ibex, configuration small: two stages, no cache"
        ),
        Rtl(
            "ibex-maxperf",
            ibex("-GMaxPerf=1"),
            "rv32i",
            plain,
            "Ibex, configuration maxperf: three stages, branch target ALU, no cache",
        ),
        Rtl(
            "ibex-zbkb",
            ibex("-GMaxPerf=1", "-GBitManipulation=1"),
            "rv32i_zbkb",
            (*plain, "zbkb"),
            (
                "Ibex maxperf with bit manipulation; everything is assembled and compiled for "
                "RV32I with Zbkb"
            ),
        ),
        Rtl(
            "vexriscv-4k",
            Core(*vexriscv, _vexriscv),
            "rv32i",
            plain,
            "VexRiscv Full: five stages, caches of 4 KiB for instructions and data",
            cached=True,
        ),
        Rtl(
            "vexriscv-16k",
            Core(*vexriscv, _vexriscv_16k),
            "rv32i",
            plain,
            "VexRiscv Full with its instruction cache widened to 16 KiB",
            cached=True,
        ),
        described(CORES / "picorv32.yaml"),
    ]


SETTINGS: dict[str, type] = {
    "name": str,
    "about": str,
    "package": str,
    "sources": list,
    "include": list,
    "top": str,
    "bench": str,
    "options": list,
    "march": str,
    "isas": list,
    "cached": bool,
}
REQUIRED = ("name", "sources", "top", "bench")


def described(file: Path) -> Rtl:
    """The core of a file of settings (docs/own-kernel.md); LabError that says what is wrong."""
    try:
        given = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise LabError(f"{file} is not YAML: {error}") from None
    if not isinstance(given, dict):
        raise LabError(f"{file}: keys and values expected; {CORES / 'picorv32.yaml'} is an example")
    for key, value in given.items():
        if key not in SETTINGS:
            raise LabError(f"{file}: {key!r} given, one of {', '.join(SETTINGS)} expected")
        if not isinstance(value, SETTINGS[key]):
            kind = SETTINGS[key].__name__
            raise LabError(f"{file}: {key} is {value!r}, a {kind} expected")
    if missing := [key for key in REQUIRED if key not in given]:
        raise LabError(f"{file}: {', '.join(missing)} missing")

    def files(home: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
        sources = [home / name for name in given["sources"]]
        if lost := [str(path) for path in sources if not path.is_file()]:
            raise LabError(f"{file}: there is no {', '.join(lost)}")
        return sources, [home / name for name in given.get("include", ())], {}

    bench, options = str(file.parent.resolve() / given["bench"]), tuple(given.get("options", ()))
    if not Path(bench).is_file():
        raise LabError(f"{file}: there is no test bench {bench}")
    package = given.get("package")
    core: Core
    if package:
        core = Core(package, given["top"], bench, files, options)
    else:
        home = file.parent.resolve()
        core = OwnCore(given["name"], given["top"], bench, files, options, home=home)
    return Rtl(
        given["name"],
        core,
        given.get("march", "rv32i"),
        given.get("isas", ["rv32i", "c"]),
        given.get("about", f"a core of {file.name}"),
        cached=given.get("cached", False),
    )


def bring(file: Path) -> None:
    """Make the core of a file of settings known as the machine rtl:NAME."""
    register(described(file))
