# SPDX-License-Identifier: Apache-2.0
"""mosquitto on the loopback, with certificates that are made for one run: they prove nothing to
anybody else.
"""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import time
from pathlib import Path

from link import HOST

PROGRAM = "mosquitto"
LARGEST = 16 + 65535 + 16  # bytes of a frame
OPENSSL = """\
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
subjectAltName = IP:127.0.0.1
extendedKeyUsage = serverAuth
[client]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = clientAuth
"""
# Sessions, and what waits in them, are written when the broker ends. Unacknowledged messages have
# no limit here but what a collector asks for: the default of 20 makes batches of 20.
CONFIGURATION = """\
listener {port} {host}
cafile {folder}/ca.pem
certfile {folder}/server.pem
keyfile {folder}/server.key
tls_version tlsv1.3
require_certificate true
use_identity_as_username true
allow_anonymous false
acl_file {folder}/rules
retain_available false
max_inflight_messages 0
max_queued_messages 0
message_size_limit {largest}
persistence true
persistence_location {folder}/sessions/
user {user}
log_dest stderr
log_type error
log_type warning
"""
RULES = """\
user devices
topic write frames/#

user collector
topic read frames/#
"""


def certificates(folder: Path) -> None:
    """A certificate authority for this run, and keys and certificates of broker, devices and
    collectors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in (
        ("ca", "ca"),
        ("server", "server"),
        ("devices", "client"),
        ("collector", "client"),
    ):
        about, key, made = folder / f"{name}.cnf", folder / f"{name}.key", folder / f"{name}.pem"
        about.write_text(OPENSSL.format(name=name))
        command = ["openssl", "req", "-x509", "-config", about, "-extensions", kind, "-days", "2"]
        command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        command += ["-keyout", key, "-out", made]
        if name != "ca":
            command += ["-CA", folder / "ca.pem", "-CAkey", folder / "ca.key"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"openssl made no certificate {name}: {done.stderr}")


class Broker:
    """mosquitto in a folder; started again, it goes on where it ended."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.port = folder, port or free_port()
        (folder / "sessions").mkdir(parents=True, exist_ok=True)
        certificates(folder)
        (folder / "rules").write_text(RULES)
        (folder / "rules").chmod(0o600)
        fields = {"folder": folder, "port": self.port, "host": HOST, "largest": LARGEST}
        user = pwd.getpwuid(os.getuid()).pw_name
        (folder / "configuration").write_text(CONFIGURATION.format(user=user, **fields))
        self._log = (folder / "log").open("ab")
        self.start()

    def start(self, seconds: float = 10) -> None:
        """Start mosquitto and wait until it listens."""
        command = [PROGRAM, "-c", str(self.folder / "configuration")]
        self.process = subprocess.Popen(command, stdout=self._log, stderr=self._log)
        deadline = time.monotonic() + seconds
        try:
            while not self._listens():
                if self.process.poll() is not None or time.monotonic() > deadline:
                    said = (self.folder / "log").read_text()
                    raise RuntimeError(f"mosquitto does not listen: {said}")
                time.sleep(0.02)
        except BaseException:
            self.stop()
            raise

    def _listens(self) -> bool:
        try:
            socket.create_connection((HOST, self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """End it as a system does that shuts down: it writes its sessions."""
        self.process.terminate()
        self.process.wait(30)

    def close(self) -> None:
        """End it for good."""
        self.stop()
        self._log.close()


def free_port() -> int:
    """A port of the loopback that nobody has just now."""
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])
