# SPDX-License-Identifier: Apache-2.0
"""Signatures: AIMer v3; and AIMer v2.1, v1.0 and Rainbow, which are BROKEN, for study and old data.

    key = AIMer3_128f.generate()
    signature = key.sign(b"message")
    key.public_key.verify(signature, b"message")   # raises InvalidSignature when it is wrong

Whoever has a public key of a broken scheme can sign for it: a signature that verifies proves
nothing, and every use gives a ``BrokenSchemeWarning``. ``scheme(name).broken`` says it of a scheme;
it comes from ``hanji.algorithms()``.

A private key and its public key are objects of two classes, the second an attribute of the first:
``AIMer3_128f`` and ``AIMer3_128f.PublicKey``. All schemes have the same shape, so that
``scheme(name)`` serves for all. Objects are constant and may be shared by threads; other Python
threads run while one signs or verifies.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from hanji import HanjiError, _core, _rainbow, algorithms, keys
from hanji._text import quoted
from hanji._threads import usable_processors

if TYPE_CHECKING:
    from hanji._typing import BytesLike

__all__ = [
    "CONTEXT_MAX",
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


class InvalidSignature(HanjiError):
    """The signature is not that of this message under this key."""


class BrokenSchemeWarning(UserWarning):
    """The scheme is broken: whoever has a public key can sign for it, and a signature that verifies
    proves nothing.

    Every call that makes a key or a signature, or verifies one, gives it. Where that is what you
    study: ``warnings.simplefilter("ignore", hanji.sign.BrokenSchemeWarning)``.
    """


class _Expanded(Protocol):
    """What a scheme brings: a key that signs or verifies whole messages."""

    def sign(
        self, message: BytesLike, context: BytesLike, check: bool, deterministic: bool
    ) -> bytes: ...

    def verify(self, signature: BytesLike, message: BytesLike, context: BytesLike) -> bool: ...


class _Message(Protocol):
    """What a scheme brings for messages in pieces."""

    def update(self, data: BytesLike) -> None: ...

    def sign(self, check: bool, deterministic: bool) -> bytes: ...

    def verify(self, signature: BytesLike) -> bool: ...


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
        up.
        """
        if cls.broken:
            warnings.warn(f"{cls.algorithm}: {cls.status}", BrokenSchemeWarning, stacklevel=depth)

    def __init__(self, raw: BytesLike) -> None:
        self._raw = _core.to_bytes(raw, f"a {self.kind} key")
        if len(self._raw) != self.size:
            raise ValueError(
                f"a {self.kind} key of {self.algorithm} has {self.size} bytes; {len(self._raw)} were given"
            )
        self._expanded = self._expand(self._raw)

    @classmethod
    def _expand(cls, raw: bytes) -> Any:
        raise NotImplementedError

    def _message(self, context: BytesLike) -> _Message:
        raise NotImplementedError

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
        if (key.algorithm, key.kind) != (cls.algorithm, cls.kind):
            raise ValueError(
                f"the key is a {key.kind} key for {key.algorithm}; expected is a {cls.kind} key for {cls.algorithm}"
            )
        return cls(key.material)

    def message(self, *, context: BytesLike = b"") -> Message:
        """A message that comes in pieces. ValueError for a context that the scheme does not take."""
        return Message(self, self._message(context))


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

    def verify(self, signature: BytesLike, message: BytesLike, *, context: BytesLike = b"") -> None:
        """Return when the signature is right and was made with the same context.

        Errors: InvalidSignature, also for a signature of another length; ValueError for a context
        that the scheme does not take.
        """
        self._warn()
        if not self._expanded.verify(signature, message, context):
            raise _invalid(self.algorithm, self.signature_size, signature)

    def verify_many(
        self,
        signatures: Sequence[BytesLike],
        messages: Sequence[BytesLike],
        *,
        context: BytesLike = b"",
        threads: int | None = None,
    ) -> list[bool]:
        """Whether each signature is right, many at a time, all with one context.

        ``threads`` is by default the number of processors. Errors: ValueError when there are not as
        many signatures as messages, or for a context that the scheme does not take.
        """
        if len(signatures) != len(messages):
            raise ValueError(
                f"{len(signatures)} signatures were given for {len(messages)} messages"
            )
        self._warn()

        def batch(some: list[BytesLike], of: list[BytesLike]) -> list[bool]:
            return self._verify_batch(some, of, context)

        return _in_chunks(batch, threads, list(signatures), list(messages))

    def _verify_batch(
        self, signatures: list[BytesLike], messages: list[BytesLike], context: BytesLike
    ) -> list[bool]:
        """One after the other; a scheme that has a faster way gives its own."""
        return [
            self._expanded.verify(signature, message, context)
            for signature, message in zip(signatures, messages, strict=True)
        ]


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
        return cls(cls._generate())

    @classmethod
    def _generate(cls) -> bytes:
        raise NotImplementedError

    def _public_raw(self) -> bytes:
        raise NotImplementedError

    @property
    def public_key(self) -> _AnyPublicKey:
        """The public key that belongs to this key."""
        if self._public is None:
            self._public = self.PublicKey(self._public_raw())
        return self._public

    def sign(
        self,
        message: BytesLike,
        *,
        context: BytesLike = b"",
        check: bool = False,
        deterministic: bool = False,
    ) -> bytes:
        """The signature of a message.

        ``context``: 0 to 255 bytes that say what the message is for, which the verifier must give
        as well; AIMer v3 takes it. ``check`` verifies the signature before it is given away,
        against faults while it was made. ``deterministic`` asks for no random bytes: the same
        message has the same signature.
        Errors: ValueError for a context or an option that the scheme does not take; HanjiError when
        the operating system gives no random bytes, or a check fails.
        """
        self._warn()
        signature: bytes = self._expanded.sign(message, context, check, deterministic)
        return signature

    def sign_many(
        self,
        messages: Sequence[BytesLike],
        *,
        context: BytesLike = b"",
        check: bool = False,
        deterministic: bool = False,
        threads: int | None = None,
    ) -> list[bytes]:
        """The signatures of many messages, all with one context; as :meth:`sign`.

        ``threads`` is by default the number of processors.
        """
        self._warn()

        def batch(some: list[BytesLike]) -> list[bytes]:
            return self._sign_batch(some, context, check, deterministic)

        return _in_chunks(batch, threads, list(messages))

    def _sign_batch(
        self, messages: list[BytesLike], context: BytesLike, check: bool, deterministic: bool
    ) -> list[bytes]:
        """One after the other; a scheme that has a faster way gives its own."""
        return [self._expanded.sign(message, context, check, deterministic) for message in messages]


class Message:
    """A message that comes in pieces, made by ``key.message()``. What came so far may be signed or
    verified, and the message may go on.
    """

    def __init__(self, key: _Key, state: _Message) -> None:
        self._key, self._state = key, state

    def update(self, data: BytesLike) -> None:
        """The next piece."""
        self._state.update(data)

    def sign(self, *, check: bool = False, deterministic: bool = False) -> bytes:
        """The signature; as that of a key. TypeError when the key is a public one."""
        self._key._warn()
        return self._state.sign(check, deterministic)

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
        "the signature does not verify: the message, the context, the signature or the key is another one"
    )


_CHUNK = 64  # messages that a thread takes at a time, at most


def _in_chunks(
    batch: Callable[..., list[Any]], threads: int | None, *columns: list[Any]
) -> list[Any]:
    """batch(*columns), by several threads, this one among them, that take a few rows at a time."""
    count, workers = len(columns[0]), threads or usable_processors()
    size = max(1, min(_CHUNK, -(-count // (16 * workers))))
    starts = iter(range(0, count, size))
    rows: list[Any] = [None] * count
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for start in starts:
                if errors:
                    return
                rows[start : start + size] = batch(
                    *(column[start : start + size] for column in columns)
                )
        except BaseException as error:  # of any thread; the caller's gets it
            errors.append(error)

    others = [threading.Thread(target=work) for _ in range(min(workers, -(-count // size)) - 1)]
    for thread in others:
        thread.start()
    work()
    for thread in others:
        thread.join()
    if errors:
        raise errors[0]
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


def scheme(name: str) -> type[PrivateKey]:
    """The class of private keys of a scheme. Errors: ValueError for another name."""
    try:
        return _SCHEMES[name]
    except KeyError:
        if _UNRELEASED.fullmatch(name):
            now = (
                "aimer1" + name.removeprefix("aimer")
                if "-" in name
                else "aimer2-" + name.removeprefix("aimer")
            )
            raise ValueError(
                f"{name!r} is the name that {now} had before its first release; its signatures can be forged from the public key alone,"
                " so that keys and signatures of that time are not taken: make new ones with a scheme that is not broken"
            ) from None
        raise ValueError(
            f"no signature scheme is named {quoted(name)}; there are {', '.join(_SCHEMES)}"
        ) from None


def load(key: keys.Key) -> PrivateKey | PublicKey:
    """The key of a container, of whatever scheme. Errors: ValueError when it is not for signatures,
    TypeError for what is no Key.
    """
    if not isinstance(key, keys.Key):
        raise TypeError(
            f"key must be a hanji.keys.Key, not {type(key).__name__}; a class such as AIMer2_128f takes bytes"
        )
    if key.kind == "secret":
        raise ValueError(
            f"the key is for {key.algorithm}, which makes no signatures; hanji sign-keygen makes one that does"
        )
    private = scheme(key.algorithm)
    found: PrivateKey | PublicKey = (
        private if key.kind == "private" else private.PublicKey
    ).from_key(key)
    return found


# AIMer.


class _AimerPublicKey(PublicKey):
    @classmethod
    def _expand(cls, raw: bytes) -> _core.AimerKey:
        return _core.AimerKey(cls.algorithm, raw, False)

    def _message(self, context: BytesLike) -> _Message:
        return _core.AimerMessage(self._expanded, context)

    def _verify_batch(
        self, signatures: list[BytesLike], messages: list[BytesLike], context: BytesLike
    ) -> list[bool]:
        verdicts: list[bool] = self._expanded.verify_batch(signatures, messages, context)
        return verdicts


class _AimerPrivateKey(PrivateKey):
    @classmethod
    def _expand(cls, raw: bytes) -> _core.AimerKey:
        return _core.AimerKey(cls.algorithm, raw, True)

    def _message(self, context: BytesLike) -> _Message:
        return _core.AimerMessage(self._expanded, context)

    def _sign_batch(
        self, messages: list[BytesLike], context: BytesLike, check: bool, deterministic: bool
    ) -> list[bytes]:
        signatures: list[bytes] = self._expanded.sign_batch(messages, context, check, deterministic)
        return signatures

    @classmethod
    def _generate(cls) -> bytes:
        secret: bytes = _core.aimer_keypair(cls.algorithm)[1]
        return secret

    def _public_raw(self) -> bytes:
        size = self.PublicKey.size
        # v1.0 has an id byte before both keys; the private half follows it.
        return self._raw[: size % 2] + self._raw[-(size - size % 2) :]


def _class_name(name: str) -> str:
    """aimer2-128f is AIMer2_128f, aimer1-l1-param1 is AIMer1_L1Param1."""
    generation, *rest = name.split("-")
    return f"{generation.replace('aimer', 'AIMer')}_{''.join(part[:1].upper() + part[1:] for part in rest)}"


_ABOUT = {a.name: a for a in algorithms() if a.kind == "signature"}


def _add_aimer() -> None:
    for row in _core.aimer_sets():
        name, class_name = row["name"], _class_name(row["name"])
        about = _ABOUT[name]
        sizes = f"Sizes in bytes: private key {row['private_key_size']}, public key {row['public_key_size']}, signature {row['signature_size']}."
        text = f"{sizes} Memory for a signature: {row['memory']} bytes.\n\nSource: {about.standard}.\nStatus: {about.status}."
        common = {
            "algorithm": name,
            "signature_size": row["signature_size"],
            "status": about.status,
            "broken": about.broken,
            "__module__": __name__,
        }
        public = type(
            f"{class_name}PublicKey",
            (_AimerPublicKey,),
            {
                **common,
                "size": row["public_key_size"],
                "__doc__": f"A public key of {name}.\n\n{text}",
            },
        )
        private = type(
            class_name,
            (_AimerPrivateKey,),
            {
                **common,
                "size": row["private_key_size"],
                "PublicKey": public,
                "__doc__": f"A private key of {name}.\n\n{text}",
            },
        )
        register(private)
        globals()[class_name] = private
        __all__.append(class_name)


_add_aimer()


# Rainbow. A private key is the two seeds of a key pair, from which the long keys are made on first
# use.


class _RainbowPublicKey(PublicKey):
    _index: ClassVar[int]

    @classmethod
    def _expand(cls, raw: bytes) -> _rainbow.Key:
        return _rainbow.Key(cls._index, raw, False)

    def _message(self, context: BytesLike) -> _Message:
        return _rainbow.Message(self._expanded, context)


class _RainbowPrivateKey(PrivateKey):
    _index: ClassVar[int]

    @classmethod
    def _expand(cls, raw: bytes) -> _rainbow.Key:
        return _rainbow.Key(cls._index, raw, True)

    def _message(self, context: BytesLike) -> _Message:
        return _rainbow.Message(self._expanded, context)

    @classmethod
    def _generate(cls) -> bytes:
        return _rainbow.seeds()

    def _public_raw(self) -> bytes:
        public: bytes = self._expanded.public()
        return public


def _add_rainbow() -> None:
    for index, row in enumerate(_rainbow.SETS):
        _, level, variant = row.name.split("-")
        class_name = (
            f"Rainbow{level.upper()}_{variant.upper() if variant == 'cz' else variant.capitalize()}"
        )
        sizes = f"Sizes in bytes: private key {_rainbow.SEEDS} (seeds), public key {row.public_key_size}, signature {row.signature_size}."
        about = _ABOUT[row.name]
        text = f"{sizes}\n\nSource: {about.standard}.\nStatus: {about.status}."
        common = {
            "algorithm": row.name,
            "signature_size": row.signature_size,
            "status": about.status,
            "broken": about.broken,
            "_index": index,
            "__module__": __name__,
        }
        public = type(
            f"{class_name}PublicKey",
            (_RainbowPublicKey,),
            {
                **common,
                "size": row.public_key_size,
                "__doc__": f"A public key of {row.name}.\n\n{text}",
            },
        )
        private = type(
            class_name,
            (_RainbowPrivateKey,),
            {
                **common,
                "size": _rainbow.SEEDS,
                "PublicKey": public,
                "__doc__": f"A private key of {row.name}.\n\n{text}",
            },
        )
        register(private)
        globals()[class_name] = private
        __all__.append(class_name)


_add_rainbow()

if TYPE_CHECKING:

    class AIMer3_128f(PrivateKey): ...

    class AIMer3_128s(PrivateKey): ...

    class AIMer3_192f(PrivateKey): ...

    class AIMer3_192s(PrivateKey): ...

    class AIMer3_256f(PrivateKey): ...

    class AIMer3_256s(PrivateKey): ...

    class AIMer2_128f(PrivateKey): ...

    class AIMer2_128s(PrivateKey): ...

    class AIMer2_192f(PrivateKey): ...

    class AIMer2_192s(PrivateKey): ...

    class AIMer2_256f(PrivateKey): ...

    class AIMer2_256s(PrivateKey): ...

    class AIMer1_L1Param1(PrivateKey): ...

    class AIMer1_L1Param2(PrivateKey): ...

    class AIMer1_L1Param3(PrivateKey): ...

    class AIMer1_L1Param4(PrivateKey): ...

    class AIMer1_L3Param1(PrivateKey): ...

    class AIMer1_L3Param2(PrivateKey): ...

    class AIMer1_L3Param3(PrivateKey): ...

    class AIMer1_L3Param4(PrivateKey): ...

    class AIMer1_L5Param1(PrivateKey): ...

    class AIMer1_L5Param2(PrivateKey): ...

    class AIMer1_L5Param3(PrivateKey): ...

    class AIMer1_L5Param4(PrivateKey): ...

    class RainbowI_Classic(PrivateKey): ...

    class RainbowI_CZ(PrivateKey): ...

    class RainbowI_Compressed(PrivateKey): ...

    class RainbowIII_Classic(PrivateKey): ...

    class RainbowIII_CZ(PrivateKey): ...

    class RainbowIII_Compressed(PrivateKey): ...

    class RainbowV_Classic(PrivateKey): ...

    class RainbowV_CZ(PrivateKey): ...

    class RainbowV_Compressed(PrivateKey): ...
