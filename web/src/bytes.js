// SPDX-License-Identifier: Apache-2.0
// Checks of arguments that all modules share; no part of the public interface but `toBytes`.
// An argument may be of another realm (an iframe, node:vm), a subclass with methods of its own, or
// a Proxy. So nothing here calls a method of the argument: the getters below read internal slots.

function getter(prototype, name) {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (value) => Reflect.apply(get, value, []);
}

const TYPED = Object.getPrototypeOf(Uint8Array.prototype);
const typedName = getter(TYPED, Symbol.toStringTag); // undefined for a DataView
const typedView = ["buffer", "byteOffset", "byteLength"].map((name) => getter(TYPED, name));
const dataView = ["buffer", "byteOffset", "byteLength"].map(
  (name) => getter(DataView.prototype, name));
const lengths = [getter(ArrayBuffer.prototype, "byteLength")];
// A browser page has shared memory only where it is isolated from other origins.
if (typeof SharedArrayBuffer !== "undefined") {
  lengths.push(getter(SharedArrayBuffer.prototype, "byteLength"));
}

/** What a message says of a value: numbers are shown, other values may be secrets. */
export function shown(value) {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return value === null ? "null" : typeof value;
}

function bufferLength(value) {
  for (const length of lengths) {
    try {
      return length(value);
    } catch {
      // It is no buffer of this kind.
    }
  }
  return undefined;
}

/**
 * The bytes of a Uint8Array, of another view or of a buffer, without a copy, as a Uint8Array of
 * this realm with a fixed length. TypeError for anything else, and for a view whose buffer was
 * transferred or became too short.
 */
export function toBytes(value, what) {
  const view = ArrayBuffer.isView(value);
  const length = view ? undefined : bufferLength(value);
  if (!view && length === undefined) {
    const given = value === null ? "null" : `a value of type ${typeof value}`;
    throw new TypeError(`${what}: expected a Uint8Array, another view or an ArrayBuffer; ${given}`
      + " was given");
  }
  try {
    if (!view) return new Uint8Array(value, 0, length);
    const typed = typedName(value) !== undefined;
    // `byteLength` of a typed array is 0 where its buffer is gone; its iterators throw.
    if (typed) Reflect.apply(TYPED.values, value, []);
    const [buffer, offset, bytes] = (typed ? typedView : dataView).map((read) => read(value));
    return new Uint8Array(buffer, offset, bytes);
  } catch {
    throw new TypeError(`${what}: its buffer was transferred, or is now shorter than the view`);
  }
}

/** A copy of the bytes: whoever shares the argument's memory cannot change it. */
export function copyOf(value, what) {
  return new Uint8Array(toBytes(value, what));
}

/** The bytes, where there are exactly `bytes`; RangeError for another number. */
export function sized(value, bytes, what) {
  const found = toBytes(value, what);
  if (found.length !== bytes) {
    throw new RangeError(`${what}: expected ${bytes} bytes; ${found.length} were given`);
  }
  return found;
}

/** The value, where it is an integer in these bounds; RangeError for anything else. */
export function integer(value, least, most, what) {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RangeError(`${what}: expected an integer from ${least} to ${most}, not`
      + ` ${shown(value)}`);
  }
  return value;
}

/** An array of zeros; RangeError that names it where so much memory is not there. */
export function zeros(bytes, what) {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw new RangeError(`${what}: there is no memory for an array of ${bytes} bytes`);
  }
}

/** A name for a message; a longer string is not shown: it may be a key in the wrong place. */
export function named(name) {
  if (typeof name !== "string") return `a name of type ${shown(name)}`;
  return /^[\w/-]{1,20}$/.test(name) ? name : `a name of ${name.length} characters`;
}

/** The row of a table with this name; RangeError for a name that the table itself does not have. */
export function rowOf(table, name) {
  if (typeof name !== "string" || !Object.hasOwn(table, name)) {
    throw new RangeError(`there is no ${named(name)}; known are ${Object.keys(table).join(", ")}`);
  }
  return table[name];
}
