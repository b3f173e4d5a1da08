import { Buffer } from "node:buffer"
import { type KeyObject, createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import type { Hmac } from "./Hmac.ts"

export type Key = KeyObject
type Node = Hmac<Key>

// Of a key in a buffer each HMAC would make an object like this one, which takes longer than all the rest.
export const importKey: Node["importKey"] = (token) => createSecretKey(createHash("sha256").update(token).digest())

export const importRawKey: Node["importRawKey"] = (bytes) => createSecretKey(bytes)

const hmac = (key: Key, line: string, body: Uint8Array): string =>
  createHmac("sha256", key).update(line).update(body).digest("hex")

export const sign: Node["sign"] = hmac

export const verify: Node["verify"] = (key, signature, line, body) =>
  timingSafeEqual(Buffer.from(hmac(key, line, body), "hex"), Buffer.from(signature, "hex"))
