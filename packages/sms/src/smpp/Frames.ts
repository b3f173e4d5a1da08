/**
 * Cuts a stream of bytes into PDUs.
 *
 * Source: SMPP 3.4 §2.7.1 and §3.2 (command_length).
 */
const HEADER = 16
/** A message_payload may have 65,535 octets; nothing sensible is longer than that and its fields. */
const LONGEST = 70_000

export class Frames {
  private rest: Buffer | undefined

  /**
   * Gives each whole PDU to `take`, in order, and keeps the beginning of the next.
   *
   * @returns what is wrong with the stream, after which nothing in it can be trusted; else nothing
   */
  push(chunk: Buffer, take: (frame: Buffer) => void): string | undefined {
    const bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    this.rest = undefined
    let start = 0
    while (bytes.length - start >= 4) {
      const length = bytes.readUInt32BE(start)
      if (length < HEADER || length > LONGEST) return `the carrier sent a command_length of ${length}`
      if (bytes.length - start < length) break
      take(bytes.subarray(start, start + length))
      start += length
    }
    if (start < bytes.length) this.rest = bytes.subarray(start)
    return undefined
  }

  /** Whether the last PDU is not whole. */
  get partial(): boolean {
    return this.rest !== undefined
  }
}
