/**
 * Files of a page, which are part of the program: nothing is read from a disk, so that a Worker can serve them.
 */

/** A file of a page. */
export interface Asset {
  /** The media type. */
  readonly type: string
  /** A strong entity tag with its quotes. */
  readonly etag: string
  /** The content, compressed by gzip. */
  readonly gzip: Uint8Array<ArrayBuffer>
  /** How many bytes it has when it is not compressed. */
  readonly size: number
}

/** Headers of every file: nothing from elsewhere runs, and no other page frames it. */
export const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache"
} as const

/** A file from its compressed content in base 64. */
export const asset = (type: string, etag: string, size: number, base64: string): Asset => ({
  type,
  etag,
  size,
  gzip: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
})
