// SPDX-License-Identifier: Apache-2.0
// Argon2id (RFC 9106) of @noble/hashes. The page has this file with the place of its own copy.
export { argon2idAsync } from "@noble/hashes/argon2.js";
