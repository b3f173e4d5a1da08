/**
 * Framing of SIP messages in a stream of octets.
 *
 * Source: RFC 3261 §7.5, §18.3; RFC 5626 §3.5.1 (keep-alive).
 */
import { LONGEST } from "./Message.ts"

const PING = 4
const EMPTY = Buffer.alloc(0)

export class Frames {
  private rest: Buffer = EMPTY
  /** The length of the first message; 0 while its head is incomplete. */
  private length = 0
  /** The offset up to which the first message was searched for the end of its head. */
  private searched = 0

  /**
   * Appends octets.
   *
   * @param message is called with each complete message
   * @param ping is called for each keep-alive, which is to be answered
   * @returns false when the stream is malformed
   */
  push(chunk: Buffer, message: (bytes: Buffer) => void, ping: () => void): boolean {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    for (;;) {
      if (this.length === 0) {
        this.skipBlank(ping)
        const head = this.headLength()
        if (head === 0) return this.rest.length <= LONGEST
        const body = contentLength(this.rest.toString("latin1", 0, head))
        if (body === undefined || head + body > LONGEST) return false
        this.length = head + body
      }
      if (this.rest.length < this.length) return true
      const bytes = this.rest.subarray(0, this.length)
      this.rest = this.rest.length === this.length ? EMPTY : this.rest.subarray(this.length)
      this.length = 0
      this.searched = 0
      message(bytes)
    }
  }

  private skipBlank(ping: () => void): void {
    let blank = 0
    while (this.rest[blank] === 13 || this.rest[blank] === 10) blank++
    if (blank === 0) return
    for (let pings = blank; pings >= PING; pings -= PING) ping()
    this.rest = this.rest.subarray(blank)
    this.searched = 0
  }

  private headLength(): number {
    const end = this.rest.indexOf("\r\n\r\n", Math.max(0, this.searched - 3), "latin1")
    this.searched = this.rest.length
    return end < 0 ? 0 : end + 4
  }
}

/** The value of Content-Length, 0 without one; undefined when it is malformed or contradicts itself. */
const contentLength = (head: string): number | undefined => {
  const values = [...head.matchAll(/\n(?:Content-Length|l)[ \t]*:[ \t]*([^\r\n]*)/gi)].map((match) => match[1]?.trim())
  const [value = "0"] = values
  if (!/^[0-9]{1,9}$/.test(value) || values.some((other) => other !== value)) return undefined
  return Number(value)
}
