/**
 * Splits a TCP stream into PDUs.
 *
 * Source: SMPP 3.4 §2.7.1 and §3.2 (command_length).
 */
const HEADER = 16
/** A message_payload has at most 65,535 octets; this leaves room for the other fields. */
const LONGEST = 70_000

export class Frames {
  private rest: Buffer | undefined

  /**
   * Gives each whole PDU to `take`, in order, and keeps the beginning of the next one.
   *
   * @returns the fault of a stream that cannot be split any further, or undefined
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

  /** Whether the stream has stopped in the middle of a PDU. */
  get partial(): boolean {
    return this.rest !== undefined
  }
}
