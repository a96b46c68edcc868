# SPDX-License-Identifier: Apache-2.0
"""Signatures: SLH-DSA (NIST FIPS 205) with SHAKE; AIMer v3; and AIMer v2.1, v1.0 and Rainbow, which
are BROKEN, for study and old data.

    >>> key = scheme("slh-dsa-shake-128f").generate()
    >>> signature = key.sign(b"message")
    >>> key.public_key.verify(signature, b"message")  # raises InvalidSignature when it is wrong

The same class is ``SLHDSA_SHAKE_128f`` of this module.

Whoever has a public key of a broken scheme can sign for it: a signature that verifies proves
nothing, and every use gives a ``BrokenSchemeWarning``. ``scheme(name).broken`` says it of a scheme;
it comes from ``hanji.algorithms()``. Rainbow's code is in no wheel: its keys raise ``HanjiError``
unless hanji was installed with it (docs/rainbow.md).

A private key and its public key are objects of two classes, the second an attribute of the first:
``SLHDSA_SHAKE_128f`` and ``SLHDSA_SHAKE_128f.PublicKey``. All schemes have the same shape, so that
``scheme(name)`` serves for all. Objects are constant and may be shared by threads; other Python
threads run while one signs or verifies.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol

from hanji import _core, keys
from hanji._core import HanjiError
from hanji._text import described
from hanji._threads import usable_processors

if TYPE_CHECKING:
    from hanji._typing import BytesLike

    class _File(Protocol):
        """An open binary file: what is used of it."""

        def read(self, size: int, /) -> bytes | None: ...
        def seekable(self) -> bool: ...
        def tell(self) -> int: ...
        def seek(self, offset: int, /) -> int: ...

    Progress = Callable[[int, int], object]
    """A function that takes how much is done, and of how much."""


__all__ = [
    "CONTEXT_MAX",
    "PRE_HASHES",
    "BrokenSchemeWarning",
    "InvalidSignature",
    "Message",
    "PrivateKey",
    "PublicKey",
    "load",
    "scheme",
    "schemes",
]


CONTEXT_MAX = 255  # bytes of a context string
PRE_HASHES = ("SHAKE128", "SHAKE256")  # hash functions whose hashes SLH-DSA signs


class InvalidSignature(HanjiError):
    """The signature is not that of this message under this key."""


class BrokenSchemeWarning(UserWarning):
    """The scheme is broken: whoever has a public key can sign for it, and a signature that verifies
    proves nothing.

    Every call that makes or loads a key, makes a signature, or verifies one, gives it. Where that
    is what you study: ``warnings.simplefilter("ignore", hanji.sign.BrokenSchemeWarning)``.
    """


class _Key:
    """What private and public keys have in common."""

    algorithm: ClassVar[str]
    """The name of the scheme, as in ``hanji list``."""
    size: ClassVar[int]
    """Bytes of this kind of key."""
    signature_size: ClassVar[int]
    """Bytes of a signature."""
    status: ClassVar[str]
    """What attacks, for what use: the status in ``hanji list``."""
    broken: ClassVar[bool]
    """Anybody can forge signatures; every use gives a ``BrokenSchemeWarning``."""
    kind: ClassVar[str]

    @classmethod
    def _warn(cls, depth: int = 3) -> None:
        """Say that the scheme is broken, if it is, to the code that called `depth` - 1 functions
        up. TypeError for the two classes that belong to no scheme.
        """
        if not hasattr(cls, "algorithm"):
            raise TypeError(
                f"{cls.__name__} is what the keys of all schemes have in common; use the class of "
                "one, such as AIMer3_128f or AIMer3_128f.PublicKey"
            )
        if cls.broken:
            warnings.warn(f"{cls.algorithm}: {cls.status}", BrokenSchemeWarning, stacklevel=depth)

    def __init__(self, raw: BytesLike) -> None:
        self._warn()
        self._take(raw)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a {self.kind} key of {self.algorithm} is not pickled or copied: send its bytes (raw), "
            "by a way that you trust, and make a new object"
        )

    @classmethod
    def _of(cls, raw: BytesLike) -> Any:
        """The key of these bytes, when it has been said that the scheme is broken."""
        key = cls.__new__(cls)
        key._take(raw)
        return key

    def _take(self, raw: BytesLike) -> None:
        taken = _core.to_bytes(raw, f"a {self.kind} key")
        if len(taken) != self.size:
            raise ValueError(
                f"a {self.kind} key of {self.algorithm} has {self.size} bytes; {len(taken)} were "
                "given"
            )
        self._expanded = _core.signature_key(self.algorithm, taken, self.kind == "private")
        self._raw = taken

    @property
    def raw(self) -> bytes:
        """The key as bytes."""
        return self._raw

    def to_key(self, comment: str = "") -> keys.Key:
        """The key for the common key container: ``keys.save(key.to_key(), path)``."""
        return keys.Key(self.algorithm, self._raw, kind=self.kind, comment=comment)

    @classmethod
    def from_key(cls, key: keys.Key) -> Any:
        """The key out of a container. ValueError when it is of another scheme or kind."""
        cls._warn()
        return cls._from_key(key)

    @classmethod
    def _from_key(cls, key: keys.Key) -> Any:
        if (key.algorithm, key.kind) != (cls.algorithm, cls.kind):
            raise ValueError(
                f"the key is a {key.kind} key for {key._shown}; expected is a {cls.kind} key "
                f"for {cls.algorithm}"
            )
        return cls._of(key.material)

    def message(self, *, context: BytesLike = b"", pre_hash: str | None = None) -> Message:
        """A message that comes in pieces.

        ``context`` and ``pre_hash`` are those of :meth:`PrivateKey.sign`. Errors: ValueError for
        a context or a hash function that the scheme does not take.
        """
        return Message(self, self._expanded.message(context, pre_hash))

    @staticmethod
    def _read(file: _File, message: _core.SignatureMessage) -> None:
        """Give a message what the file has from here on."""
        while piece := file.read(_PIECE):
            message.update(piece)


class PublicKey(_Key):
    """A public key. Errors: ValueError for bytes that are no key of the scheme."""

    kind = "public"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and (self.algorithm, self._raw) == (
            other.algorithm,
            other._raw,
        )

    def __hash__(self) -> int:
        return hash((self.algorithm, self._raw))

    def verify(
        self,
        signature: BytesLike,
        message: BytesLike,
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
    ) -> None:
        """Return when the signature is right and was made with the same context and the same
        ``pre_hash``.

        Errors: InvalidSignature, also for a signature of another length; ValueError for a context
        or a hash function that the scheme does not take.
        """
        self._warn()
        if not self._expanded.verify(signature, message, context, pre_hash):
            raise _invalid(self.algorithm, self.signature_size, signature)

    def verify_file(
        self,
        signature: BytesLike,
        file: _File,
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
    ) -> None:
        """Return when the signature is right for what a binary file has from here to its end, which
        is read in pieces.

        Errors: as :meth:`verify`; and those of the file.
        """
        self._warn()
        given = _core.to_bytes(signature, "signature")
        if len(given) != self.signature_size:
            raise _invalid(self.algorithm, self.signature_size, given)
        message = self._expanded.stream(context, given, False, False, pre_hash)
        self._read(file, message)
        if not message.verify(given):
            raise _invalid(self.algorithm, self.signature_size, given)

    def verify_many(
        self,
        signatures: Sequence[BytesLike],
        messages: Sequence[BytesLike],
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
        threads: int | None = None,
    ) -> list[bool]:
        """Whether each signature is right, many at a time, all with one context and one
        ``pre_hash``.

        ``threads`` is by default the number of processors. Errors: ValueError when there are not as
        many signatures as messages, or for a context or a hash function that the scheme does not
        take.
        """
        # counted in copies: the lists may change meanwhile
        given, signed = list(signatures), list(messages)
        if len(given) != len(signed):
            raise ValueError(f"{len(given)} signatures were given for {len(signed)} messages")
        self._warn()

        def batch(some: list[BytesLike], of: list[BytesLike]) -> list[bool]:
            return self._expanded.verify_batch(some, of, context, pre_hash)

        return _in_chunks(batch, threads, given, signed)


_AnyPublicKey = PublicKey  # inside the next class the name is that of an attribute


class PrivateKey(_Key):
    """A private key. Errors: ValueError for bytes that are no key of the scheme, or whose public
    half does not belong to the private one.
    """

    kind = "private"
    PublicKey: ClassVar[type[_AnyPublicKey]]
    """The class of the public key."""

    _public: _AnyPublicKey | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.to_key().key_id.hex()}>"

    @classmethod
    def generate(cls) -> Any:
        """A new key, from the randomness of the operating system."""
        cls._warn()
        return cls._of(_core.signature_generate(cls.algorithm))

    @property
    def public_key(self) -> _AnyPublicKey:
        """The public key that belongs to this key."""
        if self._public is None:
            self._public = self.PublicKey._of(self._expanded.public_key())
        return self._public

    def sign(
        self,
        message: BytesLike,
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
        check: bool = False,
        deterministic: bool = False,
        randomness: BytesLike | None = None,
        progress: Progress | None = None,
    ) -> bytes:
        """The signature of a message.

        ``context``: 0 to 255 bytes that say what the message is for, which the verifier must give
        as well; SLH-DSA and AIMer v3 take it. ``pre_hash``: "SHAKE256", or "SHAKE128" for sets of
        category 1, signs the hash of the message instead of the message (HashSLH-DSA of FIPS 205),
        so that the message is read once; the verifier must give the same. Only SLH-DSA takes it.

        ``check`` protects against faults of the machine while the signature is made: AIMer and
        Rainbow then verify it before it is given away; SLH-DSA, which always does that, makes it a
        second time and compares, in twice the time. ``deterministic`` asks for no random bytes: the
        same message has the same signature.

        ``randomness`` is **for tests that must be reproducible**: bytes that take the place of
        random ones, half as many as a public key has. They must be unpredictable to protect
        against side channels and faults; if they repeat, the signatures of SLH-DSA and AIMer v3
        are like deterministic ones. AIMer v1.0 takes none, because it would give away the key.

        ``progress(done, total)`` is called up to a hundred times while a signature of SLH-DSA is
        made; what it raises ends the call. It may sign, but RecursionError ends calls whose
        ``progress`` signs with itself as ``progress``. Other schemes, which are fast, do not call
        it.

        Errors: ValueError for a context, a hash function, an option or randomness that the scheme
        does not take; HanjiError when the operating system gives no random bytes, or a check fails.
        """
        self._warn()
        return self._expanded.sign(
            message, context, check, deterministic, pre_hash, randomness, progress
        )

    def sign_file(
        self,
        file: _File,
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
        check: bool = False,
        deterministic: bool = False,
        randomness: BytesLike | None = None,
        progress: Progress | None = None,
    ) -> bytes:
        """The signature of what a binary file has from here to its end; as :meth:`sign`.

        The file is read in pieces. SLH-DSA without ``pre_hash`` reads it twice; a pipe, which
        cannot be read twice, is then kept in memory. Errors: as :meth:`sign`; HanjiError when the
        file changed between the two readings; and those of the file.
        """
        self._warn()
        twice = self._expanded.readings(pre_hash) == 2
        if twice and not file.seekable():
            message = self._expanded.message(context, pre_hash)
        else:
            start = file.tell() if twice else 0
            message = self._expanded.stream(
                context, None, check, deterministic, pre_hash, randomness
            )
            if twice:
                self._read(file, message)
                message.again()
                file.seek(start)
        self._read(file, message)
        return message.sign(check, deterministic, randomness, progress)

    def sign_many(
        self,
        messages: Sequence[BytesLike],
        *,
        context: BytesLike = b"",
        pre_hash: str | None = None,
        check: bool = False,
        deterministic: bool = False,
        progress: Progress | None = None,
        threads: int | None = None,
    ) -> list[bytes]:
        """The signatures of many messages, all with one context and one ``pre_hash``; as
        :meth:`sign`, but that ``progress`` counts messages.

        ``threads`` is by default the number of processors.
        """
        self._warn()

        def batch(some: list[BytesLike]) -> list[bytes]:
            return self._expanded.sign_batch(some, context, check, deterministic, pre_hash)

        return _in_chunks(batch, threads, list(messages), progress=progress)


class Message:
    """A message that comes in pieces, made by ``key.message()``. What came so far may be signed or
    verified, and the message may go on.

    SLH-DSA reads a message twice to sign it, unless it signs a hash, and needs the signature before
    the message to verify it: its objects keep the whole message in memory. ``sign_file`` and
    ``verify_file`` do not.
    """

    def __init__(self, key: _Key, state: _core.SignatureMessage) -> None:
        self._key, self._state = key, state

    def __reduce__(self) -> NoReturn:
        # a copy would be this message under a second name, which goes on with it
        raise TypeError("a message in pieces is not pickled or copied; begin another one")

    def update(self, data: BytesLike) -> None:
        """The next piece."""
        self._state.update(data)

    def sign(
        self,
        *,
        check: bool = False,
        deterministic: bool = False,
        randomness: BytesLike | None = None,
        progress: Progress | None = None,
    ) -> bytes:
        """The signature; as that of a key. TypeError when the key is a public one."""
        self._key._warn()
        return self._state.sign(check, deterministic, randomness, progress)

    def verify(self, signature: BytesLike) -> None:
        """Return when the signature is right. Errors: InvalidSignature."""
        self._key._warn()
        if not self._state.verify(signature):
            raise _invalid(self._key.algorithm, self._key.signature_size, signature)


def _invalid(algorithm: str, size: int, signature: BytesLike) -> InvalidSignature:
    given = len(_core.to_bytes(signature, "signature"))
    if given != size:
        return InvalidSignature(f"a signature of {algorithm} has {size} bytes; {given} were given")
    return InvalidSignature(
        "the signature does not verify: the message, the context, the pre-hash, the signature or the "
        "key is another one"
    )


_PIECE = 1 << 18  # bytes that are read of a file at a time
_CHUNK = 64  # messages that a thread takes at a time, at most


def _in_chunks(
    batch: Callable[..., list[Any]],
    threads: int | None,
    *columns: list[Any],
    progress: Progress | None = None,
) -> list[Any]:
    """batch(*columns), by several threads, this one among them, that take a few rows at a time.

    ``progress`` gets the number of finished rows and that of all, in the thread of the caller.
    """
    count, workers = len(columns[0]), threads or usable_processors()
    size = max(1, min(_CHUNK, -(-count // (16 * workers))))
    starts = iter(range(0, count, size))
    rows: list[Any] = [None] * count
    errors: list[BaseException] = []
    done: list[int] = []  # sizes of finished chunks, of all threads

    def work(tell: Progress | None = None) -> None:
        try:
            for start in starts:
                if errors:
                    return
                some = batch(*(column[start : start + size] for column in columns))
                rows[start : start + size] = some
                done.append(len(some))
                if tell is not None and (so_far := sum(done)) < count:
                    tell(so_far, count)
        except BaseException as error:  # of any thread; the caller's gets it
            errors.append(error)

    others: list[threading.Thread] = []
    try:
        for _ in range(min(workers, -(-count // size)) - 1):
            thread = threading.Thread(target=work)
            thread.start()
            others.append(thread)
    except RuntimeError:  # no more threads, or Python is ending: those that are there do the work
        pass
    work(progress)
    for thread in others:
        thread.join()
    if errors:
        raise errors[0]
    if progress is not None and count:  # of nothing no part is done
        progress(count, count)
    return rows


_SCHEMES: dict[str, type[PrivateKey]] = {}


def register(cls: type[PrivateKey]) -> type[PrivateKey]:
    """Add a scheme."""
    _SCHEMES[cls.algorithm] = cls
    return cls


def schemes() -> list[str]:
    """The names of all schemes."""
    return list(_SCHEMES)


# Names without a generation, which no released version had. Files that bear them were made in a
# time when nobody knew better: they are not taken for what they would be today.
_UNRELEASED = re.compile(r"aimer(?:(?:128|192|256)[fs]|-l[135]-param[1-4])")


def _recommended() -> list[str]:
    """The schemes that the catalogue recommends."""
    from hanji._catalogue import algorithms

    return [
        one.name for one in algorithms() if one.advice == "recommended" and one.name in _SCHEMES
    ]


def scheme(name: str) -> type[PrivateKey]:
    """The class of private keys of a scheme. Errors: ValueError for another name."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a str such as 'aimer3-128f', not {type(name).__name__}")
    if name in _SCHEMES:  # no exception has the name in it, which may be a key
        return _SCHEMES[name]
    if _UNRELEASED.fullmatch(name):
        now = (
            "aimer1" + name.removeprefix("aimer")
            if "-" in name
            else "aimer2-" + name.removeprefix("aimer")
        )
        raise ValueError(
            f"{name!r} is the name that {now} had before its first release; its signatures can "
            "be forged from the public key alone,"
            " so that keys and signatures of that time are not taken: make new ones with a "
            "scheme that is not broken"
        )
    from hanji._catalogue import similar

    hint = similar(name, _SCHEMES, "") or (
        f"recommended are {', '.join(_recommended())}; hanji.sign.schemes() and `hanji list` name "
        "all of them"
    )
    raise ValueError(f"no signature scheme has this name ({described(name)}); {hint}")


def load(key: keys.Key) -> PrivateKey | PublicKey:
    """The key of a container, of whatever scheme. Errors: ValueError when it is not for signatures,
    TypeError for what is no Key.
    """
    if not isinstance(key, keys.Key):
        raise TypeError(
            f"key must be a hanji.keys.Key, not {type(key).__name__}; a class such as AIMer2_128f "
            "takes bytes"
        )
    if key.kind == "secret":
        raise ValueError(
            f"the key is for {key._shown}, which makes no signatures; hanji sign-keygen makes "
            "one that does"
        )
    private = scheme(key.algorithm)
    kind = private if key.kind == "private" else private.PublicKey
    kind._warn()
    found: PrivateKey | PublicKey = kind._from_key(key)
    return found


# The classes of all parameter sets.

# Parts of names that do not just begin with a capital.
_SPELLED = {"aimer": "AIMer", "cz": "CZ", "slh": "SLH", "shake": "SHAKE_"}


def class_name(name: str) -> str:
    """The class of a parameter set: aimer2-128f is AIMer2_128f, aimer1-l1-param1 AIMer1_L1Param1,
    rainbow-i-cz RainbowI_CZ, slh-dsa-shake-128s SLHDSA_SHAKE_128s.
    """
    found = re.fullmatch(r"([a-z]+)-?([^-]+)-(.+)", name)
    if found is None:
        raise ValueError("the name is not scheme, generation or level, and variant")
    scheme, generation, variant = found.groups()
    parts = [_SPELLED.get(part, part[:1].upper() + part[1:]) for part in variant.split("-")]
    return f"{_SPELLED.get(scheme, scheme.capitalize())}{generation.upper()}_{''.join(parts)}"


def _text(row: dict[str, Any]) -> str:
    form = f" ({row['private_key_form']})" if row["private_key_form"] else ""
    sizes = (
        f"Sizes in bytes: private key {row['private_key_size']}{form}, public key "
        f"{row['public_key_size']}, signature {row['signature_size']}."
    )
    memory = f" Memory for a signature: {row['memory']} bytes." if row["memory"] else ""
    return f"{sizes}{memory}\n\nSource: {row['standard']}.\nStatus: {row['status']}."


def _add(row: dict[str, Any]) -> None:
    name, called = row["name"], class_name(row["name"])
    common = {
        "algorithm": name,
        "signature_size": row["signature_size"],
        "status": row["status"],
        "broken": row["broken"],
        "__module__": __name__,
    }
    own = {"size": row["public_key_size"], "__doc__": f"A public key of {name}.\n\n{_text(row)}"}
    public = type(f"{called}PublicKey", (PublicKey,), common | own)
    own = {
        "size": row["private_key_size"],
        "PublicKey": public,
        "__doc__": f"A private key of {name}.\n\n{_text(row)}",
    }
    private = type(called, (PrivateKey,), common | own)
    register(private)
    globals()[called] = private
    __all__.append(called)


for _row in _core.signature_sets():
    _add(_row)

if TYPE_CHECKING:
    from hanji._schemes import *  # noqa: F403  (one class per parameter set: tools/stubs.py)
