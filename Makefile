# SPDX-License-Identifier: Apache-2.0
# A thin front: each target calls one tool. `make` alone lists them.
PYTHON ?= python3
RUN := .venv/bin
sources := $(wildcard CMakeLists.txt cmake/*.cmake pyproject.toml lab/pyproject.toml \
	include/hanji/*.h src/*/*.[chS] src/*/*.inc src/*/generated/* python/CMakeLists.txt \
	python/src/* python/hanji/*.py python/hanji/*.pyi python/hanji/*/*.py python/hanji/*/*/*)
checked_c := $(wildcard include/hanji/*.h src/*/*.[ch] examples/*/*.[ch] tests/*/*.[ch] tests/*/*.cpp \
	tests/*/*/*.[ch] debian/tests/*.c lab/*/*.[ch] lab/*/*.cpp lab/*/*.cu papers/*/*/*.c lab/machines/*/*.[ch] lab/machines/*/*.cpp \
	python/src/*.cpp python/src/*.hpp python/hanji/cli/peers/*.cpp)
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help demo all deps test test-ci test-all test-gpu prove-all prove-safety lint format site report bench
.PHONY: amalgam firmware-packages wheel wheel-windows wheel-macos status clean rust-package web release collector

help: ## list the targets
	@echo "hanji: lightweight cryptography from a microcontroller to a GPU"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'

.venv/hanji.stamp: $(sources) tools/venv.sh tools/progress.py
	@tools/venv.sh

.venv/hanji-test.stamp: $(sources) tools/venv.sh tools/progress.py
	@tools/venv.sh test
	@touch $@

demo: .venv/hanji.stamp ## build, install into .venv, and see it work; results in demo-out/
	@$(RUN)/python examples/demo.py

.venv/hanji-all.stamp: $(sources) tools/venv.sh tools/progress.py
	@tools/venv.sh all
	@touch $@

all: .venv/hanji-all.stamp ## build and install everything, the module for GPUs too

deps: ## list the Debian packages that the tests need; as root, install them
	@tools/deps.sh

# With CI set, or with tests named in PYTEST, nothing is left out.
quick := $(if $(filter-out 0 false,$(CI))$(PYTEST),,--quick)

test: .venv/hanji-test.stamp ## the quick tests, at most 4 minutes on 2 idle cores; with CI set, all tests of CI
	@echo "== tests; C is built in build/<preset>"
	$(RUN)/python -m pytest $(quick) $(PYTEST)

test-ci: .venv/hanji-test.stamp ## all tests of CI; builds in build/
	$(RUN)/python -m pytest $(PYTEST)

test-all: .venv/hanji-test.stamp ## everything, the slow tests too
	$(RUN)/python -m pytest --slow $(PYTEST)

test-gpu: .venv/hanji-test.stamp ## the tests of the GPU with a real one; skipped where there is none
	HANJI_TEST_GPU=1 $(RUN)/python -m pytest tests/gpu/test_gpu_room.py tests/gpu/test_gpu_python.py \
		tests/gpu/test_gpu_libraries.py $(PYTEST)

prove-all: .venv/hanji-test.stamp ## prove kernels again and write the tables of docs/proved*.md, 2 hours at most
	$(RUN)/python tools/prove_all.py

prove-safety: .venv/hanji-test.stamp ## memory safety of portable C with Frama-C Eva, about half an hour
	$(RUN)/python -m pytest --slow tests/proofs/test_proofs_safety.py $(PYTEST)

lint: .venv/hanji-test.stamp ## formatting, static analysis and types of C and Python
	@tools/deps.sh --need clang-format-14 clang-tidy-14 clang-14 cmake ninja-build
	clang-format-14 --dry-run --Werror $(checked_c)
	cmake --preset host-clang -B build/lint -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@echo "clang-tidy-14 --quiet -p build/lint src/*/*.c"
	@printf '%s\n' $(wildcard src/*/*.c) | xargs -P "$$(nproc)" -n 4 clang-tidy-14 --quiet -p build/lint
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/mypy
	@mkdir -p build/mypy && ln -sfn ../../lab build/mypy/hanji_lab # its name once installed
	set -e; for one in papers/*/*.py papers/*/*/*.py; do MYPYPATH=build/mypy $(RUN)/mypy $$one; done
	$(RUN)/mypy --platform win32 --cache-dir .mypy_cache/win32 python/hanji
	$(RUN)/mypy --platform darwin --cache-dir .mypy_cache/darwin python/hanji
	$(RUN)/python tools/counts.py
	$(RUN)/python tools/commits.py

format: .venv/hanji-test.stamp ## bring C and Python into their format
	@tools/deps.sh --need clang-format-14
	clang-format-14 -i $(checked_c)
	$(RUN)/ruff format

site: .venv/hanji-test.stamp ## guides, references and the report as a site: build/site/index.html
	@$(RUN)/python tools/website.py --out build/site

.venv/hanji-report.stamp: .venv/hanji.stamp lab/pyproject.toml
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(RUN)/python -m pip install --quiet --editable "./lab[report]"
	@touch $@

report: .venv/hanji-report.stamp ## the five papers beside ours, one page: build/report/index.html
	@$(RUN)/hanji-lab report --out build/report

.venv/hanji-collector.stamp: .venv/hanji.stamp
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(RUN)/python -m pip install --quiet 'pyarrow>=18' 'paho-mqtt>=2.1'
	@touch $@

collector: .venv/hanji-collector.stamp ## see telemetry over MQTT: devices, a broker, collectors
	@$(RUN)/python examples/collector/run.py

bench: .venv/hanji.stamp ## measure the ciphers on this machine
	@$(RUN)/hanji bench

amalgam: ## one hanji.c and hanji.h in build/amalgam: make amalgam ALGORITHMS="schwaemm256-128, speck-64/128-eax" ISA=rv32i; the smallest: ALGORITHMS=schwaemm256-128 PROFILE=tiny ISA=armv7m; PREFIX=boot for names of its own
	@$(PYTHON) tools/amalgam.py --algorithms "$(ALGORITHMS)" \
		--isa "$(or $(ISA),portable)" $(if $(PROFILE),--profile $(PROFILE)) $(if $(PREFIX),--prefix "$(PREFIX)") \
		--out "$(or $(OUT),build/amalgam)" $(if $(filter 1,$(BROKEN)),--i-know-it-is-broken)

firmware-packages: ## Zephyr, ESP-IDF, Arduino, PlatformIO and CMSIS-Pack in dist/firmware
	@$(PYTHON) tools/firmware_packages.py $(if $(URL),--url "$(URL)")

# The crate as it is packed, with its C: cargo package, run there, makes the archive.
rust-package: ## the Rust crate with its C, without the rest of the repository: build/crate
	@tools/crate.sh "$(or $(OUT),build/crate)"

web: ## WebAssembly, the npm package and the page, in build/web; first `npm ci` in web
	@$(PYTHON) tools/web.py --out "$(or $(OUT),build/web)"

# SIGNING_KEY=FILE is a key of ssh-keygen, AIMER_KEY=FILE one of hanji sign-keygen.
# WHEELS=0 leaves the wheels out, which take most of the time. SYSTEMS=1 makes those for macOS and
# Windows, too, and needs Maven. UNCOMMITTED=1 allows files that the last commit does not have.
release: .venv/hanji-test.stamp status ## sources and wheels of a release, sums, a bill of materials: dist/
	@$(RUN)/python tools/release.py --out "$(or $(OUT),dist)" $(if $(filter 0,$(WHEELS)),,--wheels) \
		$(if $(filter 1,$(SYSTEMS)),--systems) $(if $(filter 1,$(UNCOMMITTED)),--uncommitted) \
		$(if $(SIGNING_KEY),--signing-key "$(SIGNING_KEY)") \
		$(if $(AIMER_KEY),--aimer-key "$(AIMER_KEY)")

wheel: .venv/hanji.stamp ## wheels and source archive in dist/
	$(RUN)/python -m pip install --quiet build
	-$(RUN)/python -m pip install --quiet --editable "./lab[gpu]"
	$(RUN)/python tools/gpu_cubins.py build/cubins --if-possible
	set --; ls build/cubins/*.cubin >/dev/null 2>&1 \
		&& set -- --config-setting=cmake.define.HANJI_GPU_CUBINS="$(CURDIR)/build/cubins"; \
		$(RUN)/python -m build --outdir dist "$$@" .
	@rm -rf lab/build # of setuptools, which would put what lies there into the wheel
	$(RUN)/python -m build --outdir dist --wheel lab
	@rm -rf lab/build

wheel-windows: ## the wheel for Windows in dist/, made by zig; needs Maven
	$(PYTHON) tools/system_wheels.py --out "$(or $(OUT),dist)" --only windows-x86_64

wheel-macos: ## the wheels for macOS in dist/, made by zig; needs Maven
	$(PYTHON) tools/system_wheels.py --out "$(or $(OUT),dist)" --only macos-arm64 --only macos-x86_64

status: .venv/hanji.stamp ## for a release: refuse when the last look at an algorithm's cryptanalysis is older than 90 days
	@$(RUN)/python tools/status.py

clean: ## remove what was built, .venv included
	rm -rf build dist demo-out .venv
