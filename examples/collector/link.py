# SPDX-License-Identifier: Apache-2.0
"""A connection to the broker: MQTT 5 over TLS with a certificate of its own, in one thread.

Topics are ``frames/PARTITION/DEVICE``. One thread, because what is acknowledged must have come over
the connection that stands now: over a new one the broker may give the number of a message to
another one.
"""

from __future__ import annotations

import select
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

HOST = "127.0.0.1"
DAY = 24 * 3600
AT_ONCE = 500  # packets between two looks at what is to be written
PAUSE = 0.1  # seconds between attempts to connect


def topic(device: int, partitions: int) -> str:
    """Where a device publishes."""
    return f"frames/{device % partitions}/{device}"


class Link:
    """A client of the broker, which connects again where a connection breaks.

    ``certificates`` is the folder of broker.py, ``identity`` the certificate in it and the user of
    the broker's rules. The session outlives the connection by a day. ``subscribe`` is a topic from
    which ``received`` gets all messages; nothing is acknowledged but by `acknowledge`. ``most`` is
    how many the broker sends without. ``sent`` gets the number and the reason code of each message
    that the broker has taken.
    """

    def __init__(
        self,
        name: str,
        port: int,
        certificates: Path,
        identity: str,
        *,
        subscribe: str = "",
        received: Callable[[Any], None] = lambda message: None,
        sent: Callable[[int, int], None] = lambda number, reason: None,
        most: int = 65535,
    ) -> None:
        self.connected = self.ready = False
        self.connections = 0
        self.refused = ""
        self._subscribe, self._next = subscribe, 0.0
        self._client = client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5, manual_ack=True
        )
        client.tls_set(
            str(certificates / "ca.pem"),
            str(certificates / f"{identity}.pem"),
            str(certificates / f"{identity}.key"),
            tls_version=ssl.PROTOCOL_TLS_CLIENT,
        )
        client.max_inflight_messages_set(0)  # the sender counts by itself
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_subscribe = self._on_subscribe
        self._received, self._sent, self._packets = received, sent, 0
        client.on_message, client.on_publish = self._on_message, self._on_publish
        about = Properties(PacketTypes.CONNECT)
        about.SessionExpiryInterval, about.ReceiveMaximum = DAY, most
        client.connect_async(HOST, port, clean_start=False, properties=about)

    def _on_connect(self, client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        self.refused = str(reason) if reason.is_failure else ""
        if self.refused:
            return
        self.connected = True
        self.connections += 1
        if self._subscribe:
            client.subscribe(self._subscribe, qos=1)
        else:
            self.ready = True

    def _on_subscribe(self, _client: Any, _data: Any, _mid: Any, reasons: Any, _more: Any) -> None:
        self.refused = next((str(reason) for reason in reasons if reason.is_failure), "")
        self.ready = not self.refused

    def _on_message(self, _client: Any, _data: Any, message: Any) -> None:
        self._packets += 1
        self._received(message)

    def _on_publish(self, _client: Any, _data: Any, mid: int, reason: Any, _more: Any) -> None:
        self._packets += 1
        self._sent(mid, reason.value)

    def _on_disconnect(self, *_: Any) -> None:
        self.connected = self.ready = False
        self.refused = "the connection is lost"

    def pump(self, seconds: float) -> None:
        """Read and write what there is; wait at most so long for it."""
        sock: Any = self._client.socket()
        if sock is None:
            self.connected = self.ready = False
            wait = self._next - time.monotonic()
            if wait > 0:
                time.sleep(min(wait, seconds))
                return
            self._next = time.monotonic() + PAUSE
            try:
                self._client.reconnect()
            except OSError as error:
                self.refused = str(error)
            return
        writers = [sock] if self._client.want_write() else []
        if sock.pending():
            seconds = 0
        readable, writable, _ = select.select([sock], writers, [], seconds)
        if writable:
            self._client.loop_write()
        if readable or sock.pending():
            for _ in range(AT_ONCE):  # reading is cheaper than asking whether there is something
                before = self._packets
                self._client.loop_read()
                if self._client.socket() is not sock:
                    return
                if self._packets == before and not sock.pending():
                    break
        self._client.loop_misc()

    def publish(self, where: str, frame: bytes) -> int:
        """Give a frame to the broker (QoS 1); the number with which `sent` is called."""
        return self._client.publish(where, frame, qos=1).mid

    def acknowledge(self, number: int) -> None:
        """Tell the broker that a message is on the disk."""
        self._client.ack(number, 1)

    def close(self) -> None:
        """Say goodbye; the session stays."""
        self._client.disconnect()
        deadline = time.monotonic() + 1
        while self._client.want_write() and time.monotonic() < deadline:
            self.pump(0.1)
