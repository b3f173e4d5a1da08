/**
 * Matches the message ids of receipts to the ids of submit_sm_resp, which carriers may write differently.
 *
 * An id may be hexadecimal in one and decimal in the other, have leading zeros, or be in the other case. Zeros and case
 * of numbers are normalised away. Other ids keep their case, because ids in base 64 may differ only in case; if there
 * is no such id, the recent ids to the receipt's number are compared without case. For the base, recent ids are kept
 * together with their recipients: a reading is right if the receipt's id then belongs to a message to that very number,
 * and from then on it is right for all receipts of the carrier. No rule without the recipient would do: a carrier that
 * numbers messages consecutively makes one reading of an id another message's id.
 *
 * Source: SMPP 3.4 §5.2.23 (message_id).
 */
import { printable } from "./ReceiptText.ts"

/** How many of the latest ids are kept at least. Receipts of passcodes come within minutes. */
const KEPT = 50_000

/** How many ids that differ only in case are kept. */
const MOST_CASES = 16

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

/** The ids of answers that an id of a receipt may mean. */
export const readingsOf = (id: string): ReadonlyArray<readonly [Reading, string]> => {
  const all: Array<readonly [Reading, string]> = [["literal", id]]
  if (DECIMAL.test(id)) all.push(["to-hexadecimal", BigInt(id).toString(16)])
  if (HEXADECIMAL.test(id)) all.push(["to-decimal", BigInt(`0x${id}`).toString()])
  return all
}

/** An id without its case, and the zeros that it begins with. */
const folded = (ref: string): string => ref.toLowerCase().replace(/^0+(?=.)/, "")

/** Recent ids. */
interface Generation {
  /** Recipients by id. */
  readonly recipients: Map<string, string>
  /** Ids that are written otherwise when folded, by their folded form. */
  readonly byFolded: Map<string, ReadonlyArray<string>>
}

const newGeneration = (): Generation => ({ recipients: new Map(), byFolded: new Map() })

/** The ids of one carrier. */
export class MessageIds {
  readonly #prefix: string
  /** Two generations: when the newer one is full, the older one is dropped. */
  #newer = newGeneration()
  #older = newGeneration()
  #proven: Reading | undefined

  /** @param carrier keeps the ids of one carrier apart from other carriers' ids; may be empty */
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
    if (this.#newer.recipients.size >= KEPT) {
      this.#older = this.#newer
      this.#newer = newGeneration()
    }
    this.#newer.recipients.set(ref, to)
    const plain = folded(ref)
    if (plain !== ref) {
      const others = this.#newer.byFolded.get(plain) ?? []
      if (!others.includes(ref)) this.#newer.byFolded.set(plain, [...others.slice(-MOST_CASES + 1), ref])
    }
    return this.#prefix + ref
  }

  /**
   * The references that the id of a receipt may mean, the likeliest first.
   *
   * @param to the recipient's number with the plus sign, or null if the receipt lacks it
   */
  spellings(id: string, to: string | null): ReadonlyArray<string> {
    const ref = canonical(id)
    if (ref === "") return []
    if (this.#proven === "literal" && this.#isOf(ref, to)) return [this.#prefix + ref]
    const candidates = readingsOf(ref)
    for (const [reading, ref] of candidates) {
      const recipient = this.#recipientOf(ref)
      if (recipient === undefined) continue
      if (to === null ? reading !== "literal" && reading !== this.#proven : !isSameNumber(to, recipient)) continue
      // Two readings with the same result prove neither.
      if (to !== null && candidates.filter(([, other]) => other === ref).length === 1) this.#proven = reading
      return [this.#prefix + ref]
    }
    const inOtherCase = to === null ? undefined : this.#foldedTo(ref, (recipient) => isSameNumber(to, recipient))
    if (inOtherCase !== undefined) return [this.#prefix + inOtherCase]
    const possible = candidates.filter(
      ([reading, ref]) => !this.#isOfAnother(ref, to) && (this.#proven === undefined || reading === this.#proven)
    )
    const refs = (possible.length > 0 ? possible : candidates.slice(0, 1)).map(([, ref]) => ref)
    // Another process may have had the answer.
    const cases = to === null || HEXADECIMAL.test(ref) ? [] : [ref.toLowerCase(), ref.toUpperCase()]
    return [...new Set([...refs, ...cases])].map((each) => this.#prefix + each)
  }

  /**
   * The reference of a recent message with this id, in any base, to this very number. It proves nothing about the
   * carrier's spelling.
   */
  remembered(id: string, to: string): string | undefined {
    const ref = canonical(id)
    const found = readingsOf(ref).find(([, ref]) => this.#recipientOf(ref) === to)?.[1]
    const known = found ?? this.#foldedTo(ref, (recipient) => recipient === to)
    return known === undefined ? undefined : this.#prefix + known
  }

  /** Whether a recent message with this id, in any base and case, is to a number. */
  isTo(id: string, to: string): boolean {
    const ref = canonical(id)
    return (
      this.#isOf(ref, to) ||
      readingsOf(ref).some(([, ref]) => this.#isOf(ref, to)) ||
      this.#foldedTo(ref, (recipient) => isSameNumber(to, recipient)) !== undefined
    )
  }

  /** The one recent id that differs only in case, of a message to such a recipient. */
  #foldedTo(ref: string, isRecipient: (to: string) => boolean): string | undefined {
    const plain = folded(ref)
    const all = [this.#newer, this.#older].flatMap(({ byFolded }) => [plain, ...(byFolded.get(plain) ?? [])])
    const fitting = new Set(
      all.filter((each) => {
        const recipient = this.#recipientOf(each)
        return recipient !== undefined && isRecipient(recipient)
      })
    )
    const [only] = fitting
    return fitting.size === 1 ? only : undefined
  }

  #recipientOf(ref: string): string | undefined {
    return this.#newer.recipients.get(ref) ?? this.#older.recipients.get(ref)
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
