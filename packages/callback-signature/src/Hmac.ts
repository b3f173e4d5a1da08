/**
 * HMAC-SHA256 under the key of an access token, which is the raw 32-byte SHA-256 of the token, not its hexadecimal
 * form, or under a raw key. The private import `#hmac` resolves to the runtime's implementation: `hmac.node.ts` to
 * Node's own cryptography, which computes at once; `hmac.web.ts` to WebCrypto, which all others have and which answers
 * later.
 *
 * The signed content has two parts: a line of ASCII with the timestamp, and the body.
 */
import type { RawBody } from "./signature.ts"

export interface Hmac<Key> {
  /**
   * Copies the bytes of a body, so that the verified bytes cannot change before they are parsed. Throws a `TypeError`
   * for a body that was parsed already, which JavaScript callers may pass by mistake; Node's says so in words.
   */
  readonly copyOf: (rawBody: RawBody) => Uint8Array<ArrayBuffer>
  readonly importKey: (token: string) => Key | Promise<Key>
  readonly importRawKey: (bytes: Uint8Array<ArrayBuffer>) => Key | Promise<Key>
  /** The signature, in 64 hexadecimal digits of lower case. */
  readonly sign: (key: Key, line: string, body: Uint8Array<ArrayBuffer>) => string | Promise<string>
  /** Whether a signature is right, in 64 hexadecimal digits of any case. It compares in constant time. */
  readonly verify: (
    key: Key,
    signature: string,
    line: string,
    body: Uint8Array<ArrayBuffer>
  ) => boolean | Promise<boolean>
}
