import { Buffer } from "node:buffer"
import { type KeyObject, createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import type { Hmac } from "./Hmac.ts"
import { encoder } from "./signature.ts"

export type Key = KeyObject
type Node = Hmac<Key>

export const copyOf: Node["copyOf"] = (rawBody) => {
  if (typeof rawBody === "string") return encoder.encode(rawBody)
  if (typeof rawBody?.slice !== "function") {
    throw new TypeError("The body was parsed already, as express.json() does: pass the raw body, as of express.raw().")
  }
  return new Uint8Array(rawBody.slice())
}

// Of a key in a buffer each HMAC would make an object like this one, which takes longer than all the rest.
export const importKey: Node["importKey"] = (token) => createSecretKey(createHash("sha256").update(token).digest())

export const importRawKey: Node["importRawKey"] = (bytes) => createSecretKey(bytes)

const hmac = (key: Key, line: string, body: Uint8Array): string =>
  createHmac("sha256", key).update(line).update(body).digest("hex")

export const sign: Node["sign"] = hmac

export const verify: Node["verify"] = (key, signature, line, body) =>
  timingSafeEqual(Buffer.from(hmac(key, line, body), "hex"), Buffer.from(signature, "hex"))
