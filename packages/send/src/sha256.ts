/**
 * SHA-256 of a text at once: WebCrypto answers with a promise only. Node's own is several times as fast as one in
 * JavaScript, which stands in where there is none, as in a Worker.
 */
import { sha256 as inJavaScript } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

const process: Partial<NodeJS.Process> | undefined = globalThis.process
const native = process?.getBuiltinModule?.("node:crypto")?.hash

/** The digest in lower-case hexadecimal. */
export const sha256 = (text: string): string => (native === undefined ? portable(text) : native("sha256", text, "hex"))

/** The same without Node. */
export const portable = (text: string): string => bytesToHex(inJavaScript(utf8ToBytes(text)))
