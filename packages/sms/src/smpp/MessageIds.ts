/**
 * How a carrier spells its message ids.
 *
 * The id in a receipt is that of the submit_sm_resp in another dress at times: hexadecimal in one and
 * decimal in the other, with leading zeros, in the other case. Zeros and case are taken away at both
 * ends. For the base, the ids of late messages are remembered together with their recipients: the reading
 * under which a receipt's id belongs to a message to that very number is the right one, for it and for ids
 * that are not remembered. A carrier that numbers its messages one after the other makes any other rule
 * take one message for another.
 */
import { printable } from "./DeliverSm.ts"

/** How many messages are remembered at least; receipts of passcodes come within minutes. */
const REMEMBERED = 50_000

const HEXADECIMAL = /^[0-9a-f]{1,40}$/i
const DECIMAL = /^[0-9]+$/

/** A message id has at most 64 characters; SMPP 3.4 §5.2.23. */
const LONGEST = 64

/** An id without the differences that mean nothing: leading zeros, the case of hexadecimal digits, padding. */
export const canonical = (id: string): string => {
  const plain = printable(id).trim().slice(0, LONGEST)
  return HEXADECIMAL.test(plain) ? plain.toLowerCase().replace(/^0+(?=.)/, "") : plain
}

type Reading = "literal" | "hexadecimal" | "decimal"

/** A canonical id as the carrier's other number base would write it. */
const readings = (id: string): ReadonlyArray<readonly [Reading, string]> => {
  const found: Array<readonly [Reading, string]> = [["literal", id]]
  if (DECIMAL.test(id)) found.push(["hexadecimal", BigInt(id).toString(16)])
  if (HEXADECIMAL.test(id)) found.push(["decimal", BigInt(`0x${id}`).toString()])
  return found
}

export class MessageIds {
  private readonly prefix: string
  /** Recipients by id, in two generations: when the newer one is full, the older one is dropped. */
  private newer = new Map<string, string>()
  private older = new Map<string, string>()
  private proven: Reading | undefined

  /** @param carrier keeps the ids of one carrier apart from those of others; may be empty */
  constructor(carrier: string) {
    this.prefix = carrier === "" ? "" : `${carrier}:`
  }

  /**
   * Remembers the id that the carrier gave a message.
   *
   * @param to the recipient's number with the plus sign
   * @returns the reference under which the message is kept
   */
  register(id: string, to: string): string {
    const ref = canonical(id)
    if (this.newer.size >= REMEMBERED) {
      this.older = this.newer
      this.newer = new Map()
    }
    this.newer.set(ref, to)
    return this.prefix + ref
  }

  /**
   * The references that a receipt's id may stand for, the likeliest first.
   *
   * @param to the recipient's number with the plus sign, or null where the receipt lacks it
   */
  spellings(id: string, to: string | null): ReadonlyArray<string> {
    const ref = canonical(id)
    if (ref === "") return []
    // The same answer as below, where there is nothing left to learn.
    if (this.proven === "literal" && to !== null && this.isKnown(ref, to)) return [this.prefix + ref]
    const candidates = readings(ref)
    for (const [reading, ref] of candidates) {
      const recipient = this.recipientOf(ref)
      if (recipient === undefined) continue
      if (to === null ? reading !== "literal" && reading !== this.proven : !sameNumber(to, recipient)) continue
      // Where two readings come to the same, nothing is proven.
      if (to !== null && candidates.filter(([, other]) => other === ref).length === 1) this.proven = reading
      return [this.prefix + ref]
    }
    const possible = candidates.filter(
      ([reading, ref]) => !this.isOfAnother(ref, to) && (this.proven === undefined || reading === this.proven)
    )
    const refs = (possible.length > 0 ? possible : candidates.slice(0, 1)).map(([, ref]) => this.prefix + ref)
    return [...new Set(refs)]
  }

  private recipientOf(ref: string): string | undefined {
    return this.newer.get(ref) ?? this.older.get(ref)
  }

  private isKnown(ref: string, to: string): boolean {
    const recipient = this.recipientOf(ref)
    return recipient !== undefined && sameNumber(to, recipient)
  }

  private isOfAnother(ref: string, to: string | null): boolean {
    const recipient = this.recipientOf(ref)
    return recipient !== undefined && to !== null && !sameNumber(to, recipient)
  }
}

// Receipts may have a national form of the number, with a country code that is not there.
const sameNumber = (one: string, other: string): boolean => one.slice(-7) === other.slice(-7)
