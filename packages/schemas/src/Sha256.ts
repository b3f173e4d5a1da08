/**
 * Synchronous SHA-256 and HMAC-SHA256 of a text, which WebCrypto does not have. Uses Node's, which is several times as
 * fast, or an implementation in JavaScript where Node is missing, as in a Worker.
 *
 * @example
 * ```ts
 * import { sha256 } from "@watchword/schemas/Sha256"
 *
 * sha256("abc") // "ba7816bf…"
 * ```
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 as inJavaScript } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

const process: Partial<NodeJS.Process> | undefined = globalThis.process
const crypto = process?.getBuiltinModule?.("node:crypto")
const native = crypto?.hash

/** The digest in lower-case hexadecimal. */
export const sha256 = (text: string): string => (native === undefined ? portable(text) : native("sha256", text, "hex"))

/** Codes of texts under a secret key, RFC 2104, in lower-case hexadecimal. The key is imported once. */
export const hmacSha256 = (key: string): ((text: string) => string) => {
  if (crypto === undefined) return (text) => portableHmac(key, text)
  const imported = crypto.createSecretKey(key, "utf8")
  return (text) => crypto.createHmac("sha256", imported).update(text).digest("hex")
}

/** The same without Node. */
export const portableHmac = (key: string, text: string): string =>
  bytesToHex(hmac(inJavaScript, utf8ToBytes(key), utf8ToBytes(text)))

/** The digest without Node. */
export const portable = (text: string): string => bytesToHex(inJavaScript(utf8ToBytes(text)))
