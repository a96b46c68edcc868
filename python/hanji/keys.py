# SPDX-License-Identifier: Apache-2.0
"""Keys, and the text container of every hanji key (docs/format.md, "Key file").

A container is plain ASCII between a BEGIN and an END line: a label (secret, private or public), the
algorithm, a key id, the protection of the body, and a checksum that detects damage. A passphrase
may protect the body, with Argon2id and SCHWAEMM256-128.

Keys of SLH-DSA can also be written and read as PEM, in the standard containers that other programs
have: SubjectPublicKeyInfo and PKCS#8 (docs/format.md, "Keys in PEM").
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hanji import _core, _spki
from hanji._atomic import AtomicOutput, NewFile, write_together
from hanji._bytes import compare_digest, random_bytes
from hanji._catalogue import algorithms, shown, similar
from hanji._core import HanjiError, InvalidTag
from hanji._derive import (
    SALT_SIZE,
    Argon2Parameters,
    ParameterError,
    WrongPassphraseError,
    expand,
    stretch,
)
from hanji._text import Shown, described, file_name, hiding, quoted
from hanji.aead import Schwaemm256_128
from hanji.hashes import Esch256

if TYPE_CHECKING:
    from hanji._typing import BytesLike

__all__ = [
    "Argon2Parameters",
    "Key",
    "KeyFileError",
    "KeyLockedError",
    "ParameterError",
    "WrongPassphraseError",
    "dumps",
    "generate",
    "load",
    "loads",
    "pem_algorithms",
    "save",
    "save_pair",
]

DEFAULT_ALGORITHM = "ascon-aead128"
KEY_ID_SIZE = 8
LABELS = {
    "secret": "HANJI SECRET KEY",
    "private": "HANJI PRIVATE KEY",
    "public": "HANJI PUBLIC KEY",
}
PEM_LABELS = {"private": "PRIVATE KEY", "public": "PUBLIC KEY"}  # RFC 7468
FORMATS = ("hanji", "pem")

_KINDS = {label: kind for kind, label in LABELS.items()}
_PEM_KINDS = {label: kind for kind, label in PEM_LABELS.items()}
# What to do about labels that people meet.
_ADVICE = {
    "ENCRYPTED PRIVATE KEY": "; hanji reads no PKCS#8 key that is locked with a passphrase: unlock "
    "it with the program that locked it, such as: openssl pkcs8 -in FILE -out UNLOCKED",
    "CERTIFICATE": "; take the public key out of the certificate: openssl x509 -in FILE -noout "
    "-pubkey",
}
_MAX_TEXT = 16 << 20
_LINE = 64
_COMMITMENT = 32
_CHECKSUM = 8
_FENCE = re.compile(r"-----(BEGIN|END) ([A-Z0-9 ]+)-----")
_ARGON2 = re.compile(r"argon2id t=([0-9]{1,4}) m=([0-9]{1,10}) p=([0-9]{1,4}) salt=([0-9a-f]{64})")

Passphrase = str | Callable[[], str]


class KeyFileError(HanjiError):
    """The text is not one intact hanji key; the message says in what way."""


class KeyLockedError(KeyFileError):
    """The key is protected by a passphrase and none was given."""


@dataclass(frozen=True, eq=False, repr=False)
class Key:
    """A key with the algorithm that it belongs to.

    Sizes: ``material`` is as long as the algorithm's key. ``kind`` is "secret" (symmetric),
    "private" or "public". ``key_id`` is 8 bytes derived from the algorithm and the material; it is
    public, and equal for equal keys. The representation shows the id and never the material.
    """

    algorithm: str
    material: bytes
    kind: str = "secret"
    comment: str = ""

    def __post_init__(self) -> None:
        for name, value in (
            ("algorithm", self.algorithm),
            ("kind", self.kind),
            ("comment", self.comment),
        ):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a str, not {type(value).__name__}")
        if self.kind not in LABELS:
            raise ValueError(
                f"the kind of the key ({described(self.kind)}) is not one of {', '.join(LABELS)}"
            )
        if not re.fullmatch(r"[a-z0-9][a-z0-9/_.+-]{0,63}", self.algorithm):
            raise ValueError(
                f"the algorithm ({described(self.algorithm)}) is not a lower-case hanji name such "
                "as speck-128/256"
            )
        if len(self.comment) > 200 or not re.fullmatch(r"(?:[!-~](?:[ -~]*[!-~])?)?", self.comment):
            raise ValueError(
                "a comment is one line of at most 200 printable ASCII characters, without outer "
                "spaces"
            )
        object.__setattr__(self, "material", _core.to_bytes(self.material, "material"))
        expected = _key_sizes(self.kind).get(self.algorithm)
        if expected is not None and len(self.material) != expected:
            raise ValueError(
                f"a {self.algorithm} key has {expected} bytes; {len(self.material)} were given"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Key):
            return NotImplemented
        public = (self.algorithm, self.kind, self.comment) == (
            other.algorithm,
            other.kind,
            other.comment,
        )
        return public and compare_digest(self.material, other.material)

    def __hash__(self) -> int:
        return hash((self.algorithm, self.key_id))

    def __repr__(self) -> str:
        known = self.algorithm in _key_sizes(self.kind)
        shown = repr(self.algorithm) if known else f"<{self._shown}>"
        return f"Key(algorithm={shown}, kind={self.kind!r}, comment={self.comment!r})"

    @property
    def _shown(self) -> str:
        """The algorithm for a message: its name if hanji knows it, for another may be a key."""
        if self.algorithm in _key_sizes(self.kind):
            return self.algorithm
        return f"an unknown algorithm ({described(self.algorithm)})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self.kind != "public":
            raise TypeError(
                f"a {self.kind} key is not pickled or copied; save() and dumps() write it, with a "
                "passphrase if you like"
            )
        return type(self), (self.algorithm, self.material, self.kind, self.comment)

    @property
    def key_id(self) -> bytes:
        """The 8-byte public name of this key."""
        return expand(
            "hanji key id v1", self.algorithm.encode("ascii"), self.material, length=KEY_ID_SIZE
        )


def _key_sizes(kind: str = "secret") -> dict[str, int]:
    """Sizes of the keys of a kind, by algorithm; of algorithms that are not listed any size is
    taken.
    """
    if kind == "secret":
        return {a.name: a.key_size for a in algorithms() if a.kind in ("aead", "block")}
    return {
        a.name: a.key_size if kind == "private" else a.block_size
        for a in algorithms()
        if a.kind == "signature"
    }


def pem_algorithms() -> list[str]:
    """The algorithms whose keys have a form in PEM: those with official object identifiers."""
    return list(_spki.OIDS)


def generate(algorithm: str = DEFAULT_ALGORITHM, comment: str = "") -> Key:
    """Make a new random symmetric key from the operating system's randomness.

    Sizes: as the algorithm says. Errors: ValueError for a name that is neither an AEAD nor a block
    cipher.
    """
    sizes = _key_sizes()
    if algorithm not in sizes:
        hint = similar(algorithm, sizes, f"algorithms with keys are: {', '.join(sorted(sizes))}")
        raise ValueError(f"no keys are made for {shown(algorithm)}; {hint}")
    return Key(algorithm, random_bytes(sizes[algorithm]), comment=comment)


def dumps(
    key: Key,
    passphrase: str | None = None,
    argon2: Argon2Parameters | None = None,
    *,
    format: str = "hanji",
) -> str:
    """Write a key as container text, its body sealed when a passphrase is given.

    With ``format="pem"`` the text is PEM for other programs: SubjectPublicKeyInfo for public keys,
    PKCS#8 for private ones. It exists for SLH-DSA only, takes no passphrase, and has no place for a
    comment, which is left out. Errors: ValueError for an empty passphrase, another format, or what
    PEM does not take. Source: docs/format.md, "Key file" and "Keys in PEM".
    """
    if not isinstance(key, Key):
        raise TypeError(
            f"key must be a hanji.keys.Key, not {type(key).__name__}; Key(algorithm, bytes) makes "
            "one"
        )
    if format == "pem":
        return _pem(key, passphrase)
    if format != "hanji":
        raise ValueError(
            f"the format ({described(format)}) is not one of {', '.join(map(repr, FORMATS))}"
        )
    argon2 = argon2 or Argon2Parameters()
    salt = random_bytes(SALT_SIZE)
    protection = "none"
    if passphrase is not None:
        protection = (
            f"argon2id t={argon2.passes} m={argon2.memory_kib} p={argon2.lanes} salt={salt.hex()}"
        )
    label = LABELS[key.kind]
    head = [
        "Version: 1",
        f"Algorithm: {key.algorithm}",
        f"Key-Id: {key.key_id.hex()}",
        f"Protection: {protection}",
    ]
    if key.comment:
        head.append(f"Comment: {key.comment}")
    body = key.material
    if passphrase is not None:
        bound = _canonical(label, head)
        body_key, commitment = _body_key(stretch(passphrase, salt, argon2), bound)
        body = commitment + Schwaemm256_128(body_key).encrypt(bytes(32), key.material, bound)
    checksum = _checksum(label, head, body)
    return _fenced(label, [*head, f"Checksum: {checksum.hex()}", ""], body)


def _pem(key: Key, passphrase: str | None) -> str:
    """A key as PEM, as RFC 7468 demands it of those who write it."""
    if passphrase is not None:
        raise ValueError(
            "a key in PEM is not locked with a passphrase by hanji; write a key file of hanji, or "
            "lock the PEM file with another program"
        )
    return _fenced(
        PEM_LABELS.get(key.kind, ""), [], _spki.encode(key.algorithm, key.kind, key.material)
    )


def _fenced(label: str, head: list[str], body: bytes) -> str:
    """Header lines and a body in base64 between a BEGIN and an END line."""
    encoded = base64.b64encode(body).decode("ascii")
    lines = [f"-----BEGIN {label}-----", *head]
    lines += [encoded[i : i + _LINE] for i in range(0, len(encoded), _LINE)]
    lines += [f"-----END {label}-----", ""]
    return "\n".join(lines)


def _canonical(label: str, head: list[str]) -> bytes:
    return "\n".join([label, *head]).encode("ascii")


def _body_key(stretched: bytes, bound: bytes) -> tuple[bytes, bytes]:
    material = expand(
        "hanji key protection v1", stretched, bound, length=Schwaemm256_128.key_size + _COMMITMENT
    )
    return material[: Schwaemm256_128.key_size], material[Schwaemm256_128.key_size :]


def _checksum(label: str, head: list[str], body: bytes) -> bytes:
    return Esch256(_canonical(label, head) + b"\n\n" + body).digest()[:_CHECKSUM]


def loads(
    text: str | BytesLike,
    passphrase: Passphrase | None = None,
    *,
    accept: Callable[[str], None] | None = None,
) -> Key:
    """Read one key from container text, or from PEM; the first line says which it is.

    CRLF line ends, trailing white space and blank lines around the container are accepted.
    ``passphrase`` may be a function; it is called only when the key needs one. ``accept`` is called
    with the name of the algorithm before the key is unlocked; what it raises ends the reading.
    Errors: KeyFileError (damaged, truncated, foreign, more than one key), KeyLockedError (a
    passphrase is needed), WrongPassphraseError, ParameterError (Argon2id cost out of bounds).
    Source: docs/format.md, "Key file".
    """
    label, lines = _enclosed(text)
    if label in _PEM_KINDS:
        return _from_pem(_PEM_KINDS[label], lines, accept)
    values, body = _container(lines)
    head = [f"{name}: {value}" for name, value in values.items() if name != "Checksum"]
    if values["Version"] != "1":
        raise KeyFileError(
            f"key container version is {quoted(values['Version'])}; this hanji reads version 1"
        )
    if not compare_digest(_checksum(label, head, body).hex(), values["Checksum"]):
        raise KeyFileError(
            "the key is damaged: its checksum does not match its contents; restore it from a copy"
        )
    if accept is not None:
        accept(values["Algorithm"])
    material = body
    if values["Protection"] != "none":
        material = _unlock(label, head, values["Protection"], body, passphrase)
    try:
        key = Key(
            values["Algorithm"], material, kind=_KINDS[label], comment=values.get("Comment", "")
        )
    except ValueError as error:
        raise KeyFileError(f"the key is not usable: {error}") from error
    if key.key_id.hex() != values["Key-Id"]:
        raise KeyFileError(
            f"the key's id is {key.key_id.hex()}, but its container says {quoted(values['Key-Id'])}"
        )
    return key


def _enclosed(text: str | BytesLike) -> tuple[str, list[str]]:
    """The label of a text that holds one key, and the lines between its BEGIN and END lines."""
    # A UnicodeError would carry all of the text, and so the key, along in the exception.
    raw = text if isinstance(text, str) else _core.to_bytes(text, "text")
    if not raw.isascii():
        raise KeyFileError("this is not a hanji key: it holds bytes that are not ASCII text")
    text = raw if isinstance(raw, str) else raw.decode("ascii")
    lines = [line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")]
    # all at once: one by one takes hours for a file that is nothing but line ends
    del lines[: next((place for place, line in enumerate(lines) if line), len(lines))]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise KeyFileError("the key file is empty")
    fences = [match.groups() for match in map(_FENCE.fullmatch, lines) if match]
    begins = [label for verb, label in fences if verb == "BEGIN"]
    if not begins or not _FENCE.fullmatch(lines[0]):
        raise KeyFileError(
            f"this is not a hanji key: the first line is not -----BEGIN {LABELS['secret']}----- or "
            "alike"
        )
    if begins[0] not in _KINDS and begins[0] not in _PEM_KINDS:
        raise KeyFileError(
            f"the container holds {quoted(begins[0])}; hanji reads "
            f"{', '.join(map(repr, (*_KINDS, *_PEM_KINDS)))}{_ADVICE.get(begins[0], '')}"
        )
    if len(begins) > 1:
        raise KeyFileError(
            f"the file holds {len(begins)} keys; put each key into a file of its own"
        )
    if fences != [("BEGIN", begins[0]), ("END", begins[0])] or not _FENCE.fullmatch(lines[-1]):
        raise KeyFileError(
            "the key is cut off or has text around it: its last line must be -----END "
            f"{begins[0]}-----"
        )
    return begins[0], lines[1:-1]


def _container(lines: list[str]) -> tuple[dict[str, str], bytes]:
    """The header and the body of a container of hanji."""
    if "" not in lines:
        raise KeyFileError(
            "the key is damaged: the empty line between its header and its body is missing"
        )
    middle = lines.index("")
    return _header(lines[:middle]), _body(lines[middle + 1 :])


def _from_pem(kind: str, lines: list[str], accept: Callable[[str], None] | None) -> Key:
    """The key of the lines of a PEM text."""
    if any(":" in line for line in lines):
        raise KeyFileError(
            "the key has header lines, as in PEM of the time before PKCS#8; write it again as "
            "PKCS#8 or SubjectPublicKeyInfo without a passphrase"
        )
    der, problem = _body(lines), None
    try:
        algorithm, material = _spki.decode(kind, der, _key_sizes(kind))
    except ValueError as error:
        problem = str(error)
    if problem is not None:  # outside of the block, so that the error carries no key along
        raise KeyFileError(f"the key is not usable: {problem}")
    if accept is not None:
        accept(algorithm)
    return Key(algorithm, material, kind=kind)


def _header(lines: list[str]) -> dict[str, str]:
    pairs = [line.partition(": ")[::2] for line in lines]
    names = [name for name, _ in pairs]
    expected = ["Version", "Algorithm", "Key-Id", "Protection", "Checksum"]
    if names != expected and names != [*expected[:4], "Comment", "Checksum"]:
        # What is no name of a header line is not shown: it may be the key itself, out of its place.
        known = [name if name in (*expected, "Comment") else "something else" for name in names]
        shown = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
        raise KeyFileError(
            f"the key's header lines are {shown or 'missing'}; expected are {', '.join(expected)} "
            "in this order (and Comment before Checksum)"
        )
    return dict(pairs)


def _body(lines: list[str]) -> bytes:
    text = "".join(lines)
    body = problem = None
    try:
        body = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        problem = str(error)
    if body is None:
        raise KeyFileError(f"the key is damaged: its body is not base64 ({problem})")
    if base64.b64encode(body).decode("ascii") != text:
        raise KeyFileError("the key is damaged: its body is not canonical base64 (RFC 4648)")
    return body


def _unlock(
    label: str, head: list[str], protection: str, body: bytes, passphrase: Passphrase | None
) -> bytes:
    match = _ARGON2.fullmatch(protection)
    if not match:
        raise KeyFileError(
            f"the key's protection is {quoted(protection)}; this hanji reads none and argon2id"
        )
    passes, memory, lanes = (int(text) for text in match.groups()[:3])
    parameters = Argon2Parameters(passes, memory, lanes)
    if len(body) < _COMMITMENT + Schwaemm256_128.tag_size:
        raise KeyFileError(f"the key is damaged: its protected body has only {len(body)} bytes")
    if passphrase is None:
        raise KeyLockedError("the key is protected by a passphrase; give the passphrase")
    if callable(passphrase):
        passphrase = passphrase()
    bound = _canonical(label, head)
    body_key, commitment = _body_key(
        stretch(passphrase, bytes.fromhex(match[4]), parameters), bound
    )
    if not compare_digest(commitment, body[:_COMMITMENT]):
        raise WrongPassphraseError(
            "wrong passphrase for this key (or its header was altered on purpose)"
        )
    try:
        return Schwaemm256_128(body_key).decrypt(bytes(32), body[_COMMITMENT:], bound)
    except InvalidTag:
        raise KeyFileError("the key was altered: its protected body does not verify") from None


def save(
    key: Key,
    path: str | os.PathLike[str],
    *,
    passphrase: str | None = None,
    argon2: Argon2Parameters | None = None,
    overwrite: bool = False,
    format: str = "hanji",
) -> None:
    """Write a key file, readable by its owner only (mode 0600; public keys follow the umask).

    ``format`` is "hanji" or "pem"; see :func:`dumps`. The file appears whole or not at all.
    Errors: FileExistsError unless ``overwrite``, OSError; those of :func:`dumps`.
    """
    text = dumps(key, passphrase, argon2, format=format)
    with AtomicOutput(
        path, overwrite=overwrite, mode=0o666 if key.kind == "public" else 0o600
    ) as output:
        output.write(text.encode("ascii"))


def save_pair(
    private: Key,
    public: Key,
    path: str | os.PathLike[str],
    *,
    passphrase: str | None = None,
    argon2: Argon2Parameters | None = None,
    overwrite: bool = False,
    format: str = "hanji",
) -> None:
    """Write a key pair: the private key to ``path`` as :func:`save` does, the public key to
    ``path`` with ``.pub``.

    ``format`` is "hanji" or "pem"; see :func:`dumps`. Both files appear, or neither does: when one
    cannot be written, the other is as it was.
    Errors: FileExistsError unless ``overwrite``, other OSError; ValueError when both names are of
    one file.
    """
    name = file_name(path)
    texts = (dumps(private, passphrase, argon2, format=format), dumps(public, format=format))
    names: tuple[str | os.PathLike[str], ...] = (name, f"{name}.pub")
    if isinstance(path, os.PathLike):
        names = tuple(map(Shown, (name, f"{name}.pub")))
    new = [
        NewFile(names[0], texts[0].encode("ascii"), 0o600),
        NewFile(names[1], texts[1].encode("ascii")),
    ]
    with hiding(path):
        write_together(new, overwrite=overwrite)


def load(
    path: str | os.PathLike[str],
    passphrase: Passphrase | None = None,
    *,
    accept: Callable[[str], None] | None = None,
) -> Key:
    """Read a key file; as :func:`loads`, with the path in front of each message.

    Errors: those of :func:`loads`, and OSError.
    """
    with hiding(path), Path(file_name(path)).open("rb") as file:
        text = file.read(_MAX_TEXT + 1)
    if len(text) > _MAX_TEXT:
        raise KeyFileError(
            f"{os.fsdecode(path)}: this is not a hanji key: it is larger than {_MAX_TEXT >> 20} MiB"
        )
    try:
        return loads(text, passphrase, accept=accept)
    except HanjiError as error:
        raise type(error)(f"{os.fsdecode(path)}: {error}") from None
