// SPDX-License-Identifier: Apache-2.0
// SLH-DSA of OpenSSL (in Node.js) and of @noble/post-quantum. One request in JSON a line, one answer
// a line; byte strings are in base64, keys of OpenSSL in PEM and those of noble raw.
import crypto from "node:crypto";
import { createInterface } from "node:readline";
import * as noble from "@noble/post-quantum/slh-dsa.js";

const bytes = (text) => new Uint8Array(Buffer.from(text ?? "", "base64"));
const base64 = (data) => Buffer.from(data).toString("base64");
const scheme = (name) => noble[name.replace("slh-dsa-", "slh_dsa_").replaceAll("-", "_")];
const pem = (key) =>
    key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" });

const operations = {
    versions: () => ({ openssl: process.versions.openssl }),
    opensslKeypair: ({ variant }) => {
        const pair = crypto.generateKeyPairSync(variant);
        return { private: pem(pair.privateKey), public: pem(pair.publicKey) };
    },
    // The name of the key's algorithm, the key as OpenSSL writes it, and its public half.
    opensslRead: ({ key, kind }) => {
        const found =
            kind === "private" ? crypto.createPrivateKey(key) : crypto.createPublicKey(key);
        const again = { type: found.asymmetricKeyType, pem: pem(found) };
        return { ...again, public: pem(crypto.createPublicKey(key)) };
    },
    opensslSign: ({ key, message, context }) => ({
        signature: base64(
            crypto.sign(null, bytes(message), { key, context: Buffer.from(bytes(context)) }),
        ),
    }),
    opensslVerify: ({ key, message, context, signature }) => ({
        valid: crypto.verify(
            null,
            bytes(message),
            { key, context: Buffer.from(bytes(context)) },
            bytes(signature),
        ),
    }),
    nobleKeypair: ({ variant }) => {
        const pair = scheme(variant).keygen();
        return { private: base64(pair.secretKey), public: base64(pair.publicKey) };
    },
    nobleSign: ({ variant, key, message, context }) => ({
        signature: base64(
            scheme(variant).sign(bytes(message), bytes(key), { context: bytes(context) }),
        ),
    }),
    nobleVerify: ({ variant, key, message, context, signature }) => ({
        valid: scheme(variant).verify(bytes(signature), bytes(message), bytes(key), {
            context: bytes(context),
        }),
    }),
};

for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    let answer;
    try {
        answer = operations[request.operation](request);
    } catch (error) {
        answer = { error: String(error.message) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
