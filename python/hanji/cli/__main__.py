# SPDX-License-Identifier: Apache-2.0
from hanji.cli import run

run()
