# SPDX-License-Identifier: Apache-2.0
from hanji.cli.main import app

app(prog_name="hanji")
