/**
 * Synchronous SHA-256 of a text, which WebCrypto does not have. Uses Node's, which is several times as fast, and an
 * implementation in JavaScript where there is none, as in a Worker.
 *
 * @example
 * ```ts
 * import { sha256 } from "@watchword/schemas/Sha256"
 *
 * sha256("abc") // "ba7816bf…"
 * ```
 */
import { sha256 as inJavaScript } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

const process: Partial<NodeJS.Process> | undefined = globalThis.process
const native = process?.getBuiltinModule?.("node:crypto")?.hash

/** The digest in lower-case hexadecimal. */
export const sha256 = (text: string): string => (native === undefined ? portable(text) : native("sha256", text, "hex"))

/** The same without Node. */
export const portable = (text: string): string => bytesToHex(inJavaScript(utf8ToBytes(text)))
