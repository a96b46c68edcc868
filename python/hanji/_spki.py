# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA keys in DER: SubjectPublicKeyInfo (RFC 5280) and OneAsymmetricKey (PKCS#8, RFC 5958),
with the object identifiers of NIST and the contents that RFC 9909 gives them.

A key has exactly one encoding, but for the optional public key of PKCS#8. So the reader takes DER
alone: it refuses lengths in a longer form than necessary, trailing bytes, parameters, and every
object identifier that is not one of ours. Errors name the place and show no byte of a key.
"""

from __future__ import annotations

from hanji._bytes import compare_digest

_INTEGER, _BIT_STRING, _OCTET_STRING, _OID, _SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30
_ATTRIBUTES, _PUBLIC_KEY = 0xA0, 0x81  # [0] and [1] of OneAsymmetricKey, implicitly tagged
_NAMES = {
    _INTEGER: "INTEGER",
    _BIT_STRING: "BIT STRING",
    _OCTET_STRING: "OCTET STRING",
    _OID: "OBJECT IDENTIFIER",
    _SEQUENCE: "SEQUENCE",
    _PUBLIC_KEY: "public key [1]",
}

_NIST_SIGNATURES = "2.16.840.1.101.3.4.3"  # sigAlgs of the NIST Computer Security Objects Register
_SETS = ("128s", "128f", "192s", "192f", "256s", "256f")

OIDS = {
    f"slh-dsa-shake-{name}": f"{_NIST_SIGNATURES}.{arc}" for arc, name in enumerate(_SETS, start=26)
}
"""The object identifier of each set in pure mode."""

# What else people keep under the same labels: named, so that the message says more than numbers.
_OTHERS = {
    "1.2.840.113549.1.1.1": "RSA",
    "1.2.840.113549.1.1.10": "RSA-PSS",
    "1.2.840.113549.1.3.1": "Diffie-Hellman",
    "1.2.840.10040.4.1": "DSA",
    "1.2.840.10045.2.1": "an elliptic curve (ECDSA or ECDH)",
    "1.3.101.110": "X25519",
    "1.3.101.111": "X448",
    "1.3.101.112": "Ed25519",
    "1.3.101.113": "Ed448",
    "1.2.840.113549.1.9.16.3.17": "HSS/LMS",
    "1.3.6.1.5.5.7.6.34": "XMSS",
    "1.3.6.1.5.5.7.6.35": "XMSS^MT",
    **{f"2.16.840.1.101.3.4.4.{i}": f"ML-KEM-{s}" for i, s in ((1, 512), (2, 768), (3, 1024))},
    **{f"{_NIST_SIGNATURES}.{i}": f"ML-DSA-{s}" for i, s in ((17, 44), (18, 65), (19, 87))},
    **{f"{_NIST_SIGNATURES}.{i}": f"HashML-DSA-{s}" for i, s in ((32, 44), (33, 65), (34, 87))},
    **{f"{_NIST_SIGNATURES}.{i}": f"SLH-DSA-SHA2-{s}" for i, s in enumerate(_SETS, start=20)},
    **{f"{_NIST_SIGNATURES}.{i}": f"HashSLH-DSA-SHA2-{s}" for i, s in enumerate(_SETS, start=35)},
    **{f"{_NIST_SIGNATURES}.{i}": f"HashSLH-DSA-SHAKE-{s}" for i, s in enumerate(_SETS, start=41)},
}

# Bytes of an object identifier that a message shows. With its length altered, one that has two more
# bytes than ours would reach into the key.
_LONGEST_OID = 11


class _Contents:
    """What a DER value holds, read from front to back; ValueError for what is not DER."""

    def __init__(self, data: bytes, offset: int = 0) -> None:
        self._data, self._at, self._offset = data, 0, offset

    def next_tag(self) -> int | None:
        """The tag of the next value; None at the end."""
        return self._data[self._at] if self._at < len(self._data) else None

    def take(self, tag: int, what: str) -> _Contents:
        """The contents of the next value, which has this tag."""
        place = f"at byte {self._offset + self._at}, {what}"
        found = self.next_tag()
        if found != tag:
            shown = "nothing" if found is None else "another value"
            raise ValueError(
                f"{place}: there is {shown}; expected is {_NAMES[tag]} (tag {tag:02x})"
            )
        start, size = self._length(place)
        if size > len(self._data) - start:
            # How many is not said: an altered length is read out of the bytes that follow it.
            raise ValueError(
                f"{place}: more bytes are announced than the {len(self._data) - start} that follow"
            )
        self._at = start + size
        return _Contents(self._data[start : self._at], self._offset + start)

    def _length(self, place: str) -> tuple[int, int]:
        """Where the contents begin, and how many bytes they have."""
        at = self._at + 1
        first = self._data[at : at + 1]
        if not first:
            raise ValueError(f"{place}: the length is missing")
        if first[0] < 0x80:
            return at + 1, first[0]
        if first[0] == 0x80:
            raise ValueError(
                f"{place}: the length is indefinite, which BER allows and DER does not"
            )
        octets = self._data[at + 1 : at + 1 + (first[0] & 0x7F)]
        if len(octets) < first[0] & 0x7F:
            raise ValueError(f"{place}: the length is cut off")
        size = int.from_bytes(octets, "big")
        if octets[0] == 0 or size < 0x80:
            raise ValueError(f"{place}: the length is not in its shortest form, as DER demands")
        return at + 1 + len(octets), size

    def rest(self) -> bytes:
        """All that has not been read yet."""
        found, self._at = self._data[self._at :], len(self._data)
        return found

    def end(self, what: str) -> None:
        """ValueError unless everything has been read."""
        if self._at != len(self._data):
            raise ValueError(
                f"at byte {self._offset + self._at}, {what}: {len(self._data) - self._at} bytes "
                "are left over"
            )


def _value(tag: int, contents: bytes) -> bytes:
    """A DER value. The longest one here has fewer than 256 bytes."""
    length = bytes([len(contents)]) if len(contents) < 0x80 else bytes([0x81, len(contents)])
    return bytes([tag]) + length + contents


def _encoded_oid(text: str) -> bytes:
    first, second, *arcs = map(int, text.split("."))
    encoded = b""
    for arc in (40 * first + second, *arcs):
        groups = [arc & 0x7F]
        while arc := arc >> 7:
            groups.append(0x80 | arc & 0x7F)
        encoded += bytes(reversed(groups))
    return encoded


_BY_OID = {_encoded_oid(oid): name for name, oid in OIDS.items()}
_OTHERS_BY_OID = {_encoded_oid(oid): name for oid, name in _OTHERS.items()}


def _dotted(encoded: bytes) -> str:
    """An object identifier in digits; ValueError when it is not encoded as DER demands."""
    if not encoded or encoded[-1] & 0x80:
        raise ValueError("the object identifier is cut off")
    arcs, arc, begins = [], 0, True
    for byte in encoded:
        if begins and byte == 0x80:
            raise ValueError("the object identifier is not in its shortest form, as DER demands")
        arc, begins = arc << 7 | byte & 0x7F, not byte & 0x80
        if begins:
            arcs.append(arc)
            arc = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(map(str, (first, arcs[0] - 40 * first, *arcs[1:])))


def _algorithm(key: _Contents) -> str:
    """Which of our sets the AlgorithmIdentifier that comes next is."""
    identifier = key.take(_SEQUENCE, "the algorithm identifier")
    oid = identifier.take(_OID, "the object identifier of the algorithm").rest()
    name = _BY_OID.get(oid)
    if name is None:
        other = _OTHERS_BY_OID.get(oid)
        if other is None and len(oid) <= _LONGEST_OID:
            other = f"an algorithm that hanji does not know, object identifier {_dotted(oid)}"
        raise ValueError(
            f"the key is for {other or 'an algorithm that hanji does not know'}; hanji reads keys "
            "of SLH-DSA with SHAKE in pure mode, slh-dsa-shake-128s to slh-dsa-shake-256f"
        )
    identifier.end(f"the parameters of {name}, which has none")
    return name


def _of_size(material: bytes, size: int, what: str) -> bytes:
    if len(material) != size:
        raise ValueError(f"{what} has {size} bytes; {len(material)} were found")
    return material


def _bits(contents: _Contents, what: str) -> bytes:
    """The bytes of a bit string, all of whose bits count."""
    raw = contents.rest()
    if raw[:1] != b"\x00":
        raise ValueError(f"{what}: the bit string does not say that all of its bits are used")
    return raw[1:]


def encode(algorithm: str, kind: str, material: bytes) -> bytes:
    """The DER encoding of a "public" or "private" key. ValueError for an algorithm without an
    object identifier, and for another kind.
    """
    if algorithm not in OIDS or kind not in ("public", "private"):
        raise ValueError(
            "PEM is for private and public keys of SLH-DSA, which has official object identifiers; "
            "other keys are written as key files of hanji"
        )
    identifier = _value(_SEQUENCE, _value(_OID, _encoded_oid(OIDS[algorithm])))
    if kind == "public":
        return _value(_SEQUENCE, identifier + _value(_BIT_STRING, b"\x00" + material))
    version = _value(_INTEGER, b"\x00")  # v1: without the optional public key
    return _value(_SEQUENCE, version + identifier + _value(_OCTET_STRING, material))


def decode(kind: str, der: bytes, sizes: dict[str, int]) -> tuple[str, bytes]:
    """Algorithm and bytes of a "public" or "private" key in DER. `sizes` has the size of a key of
    this kind for each algorithm. ValueError, which says where and why, for anything else.
    """
    whole = _Contents(der)
    key = whole.take(_SEQUENCE, "the key")
    whole.end("after the key")
    if kind == "public":
        algorithm = _algorithm(key)
        what = f"a public key of {algorithm}"
        material = _bits(key.take(_BIT_STRING, what), what)
        key.end(f"after {what}")
        return algorithm, _of_size(material, sizes[algorithm], what)
    version = key.take(_INTEGER, "the version").rest()
    if version not in (b"\x00", b"\x01"):
        raise ValueError("the version of the private key is neither v1 (0) nor v2 (1) of PKCS#8")
    algorithm = _algorithm(key)
    what = f"a private key of {algorithm}"
    material = _of_size(key.take(_OCTET_STRING, what).rest(), sizes[algorithm], what)
    if key.next_tag() == _ATTRIBUTES:
        raise ValueError(
            "the private key has attributes, which hanji does not read and would lose; write it "
            "without them"
        )
    if version == b"\x01":  # RFC 5958: v2 exactly when there is a public key
        what = "the public key of the private key"
        public = _bits(key.take(_PUBLIC_KEY, what), what)
        if not compare_digest(public, material[len(material) // 2 :]):
            raise ValueError("the public key beside the private key belongs to another one")
    key.end(f"after {what}")
    return algorithm, material
