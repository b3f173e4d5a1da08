/**
 * Matches the message ids of receipts to those of submit_sm_resp, which carriers may write differently.
 *
 * An id may be hexadecimal in one and decimal in the other, have leading zeros, or be in the other case. Zeros and
 * case are normalised away. For the base, recent ids are kept together with their recipients: the reading under which
 * a receipt's id belongs to a message to that very number is the right one, and from then on the right one for all
 * receipts of the carrier. No rule without the recipient would do: a carrier that numbers messages consecutively
 * makes one reading of an id another message's id.
 *
 * Source: SMPP 3.4 §5.2.23 (message_id).
 */
import { printable } from "./DeliverSm.ts"

/** How many of the latest ids are kept at least. Receipts of passcodes come within minutes. */
const KEPT = 50_000

const HEXADECIMAL = /^[0-9a-f]{1,40}$/i
const DECIMAL = /^[0-9]+$/
const MAX_LENGTH = 64

/** Normalises an id: no padding, no leading zeros, hexadecimal digits in lower case. */
export const canonical = (id: string): string => {
  const plain = printable(id).trim().slice(0, MAX_LENGTH)
  return HEXADECIMAL.test(plain) ? plain.toLowerCase().replace(/^0+(?=.)/, "") : plain
}

/** How the id of a receipt turns into that of its submit_sm_resp. */
type Reading = "literal" | "to-hexadecimal" | "to-decimal"

const readings = (id: string): ReadonlyArray<readonly [Reading, string]> => {
  const all: Array<readonly [Reading, string]> = [["literal", id]]
  if (DECIMAL.test(id)) all.push(["to-hexadecimal", BigInt(id).toString(16)])
  if (HEXADECIMAL.test(id)) all.push(["to-decimal", BigInt(`0x${id}`).toString()])
  return all
}

/** The ids of one carrier. */
export class MessageIds {
  readonly #prefix: string
  /** Recipients by id, in two generations: when the newer one is full, the older one is dropped. */
  #newer = new Map<string, string>()
  #older = new Map<string, string>()
  #proven: Reading | undefined

  /** @param carrier keeps the ids of one carrier apart from those of others; may be empty */
  constructor(carrier: string) {
    this.#prefix = carrier === "" ? "" : `${carrier}:`
  }

  /**
   * Records the id of a submit_sm_resp.
   *
   * @param to the recipient's number with the plus sign
   * @returns the reference under which the message is stored
   */
  register(id: string, to: string): string {
    const ref = canonical(id)
    if (this.#newer.size >= KEPT) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(ref, to)
    return this.#prefix + ref
  }

  /**
   * The references that the id of a receipt may stand for, the likeliest first.
   *
   * @param to the recipient's number with the plus sign, or null where the receipt lacks it
   */
  spellings(id: string, to: string | null): ReadonlyArray<string> {
    const ref = canonical(id)
    if (ref === "") return []
    if (this.#proven === "literal" && this.#isOf(ref, to)) return [this.#prefix + ref]
    const candidates = readings(ref)
    for (const [reading, ref] of candidates) {
      const recipient = this.#recipientOf(ref)
      if (recipient === undefined) continue
      if (to === null ? reading !== "literal" && reading !== this.#proven : !isSameNumber(to, recipient)) continue
      // Two readings with the same result prove neither.
      if (to !== null && candidates.filter(([, other]) => other === ref).length === 1) this.#proven = reading
      return [this.#prefix + ref]
    }
    const possible = candidates.filter(
      ([reading, ref]) => !this.#isOfAnother(ref, to) && (this.#proven === undefined || reading === this.#proven)
    )
    const refs = (possible.length > 0 ? possible : candidates.slice(0, 1)).map(([, ref]) => this.#prefix + ref)
    return [...new Set(refs)]
  }

  /**
   * The reference of a recent message with this id, in any base, to this very number. It proves nothing about the
   * carrier's spelling.
   */
  remembered(id: string, to: string): string | undefined {
    const found = readings(canonical(id)).find(([, ref]) => this.#recipientOf(ref) === to)
    return found && this.#prefix + found[1]
  }

  #recipientOf(ref: string): string | undefined {
    return this.#newer.get(ref) ?? this.#older.get(ref)
  }

  /** Whether a recent message with this id is to the number of a receipt; to any where the receipt lacks it. */
  #isOf(ref: string, to: string | null): boolean {
    const recipient = this.#recipientOf(ref)
    return recipient !== undefined && (to === null || isSameNumber(to, recipient))
  }

  #isOfAnother(ref: string, to: string | null): boolean {
    const recipient = this.#recipientOf(ref)
    return recipient !== undefined && to !== null && !isSameNumber(to, recipient)
  }
}

// Receipts may have the number in its national form, without a country code.
const isSameNumber = (one: string, other: string): boolean => one.slice(-7) === other.slice(-7)
