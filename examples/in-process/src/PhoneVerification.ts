/**
 * Proves that a user can read the messages of a phone number. Kept in memory: a service of several processes keeps
 * the same in its database.
 */
import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto"

export interface Options {
  /** Sends a text; rejects when it was not sent. */
  readonly send: (to: string, text: string) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The codes were used up: too many were asked for. */
export class TooManyCodes extends Error {
  override readonly name = "TooManyCodes"
}

const DIGITS = 6
const MINUTE = 60_000
const LIFETIME = 5 * MINUTE
/** Three guesses at a million codes. */
const ATTEMPTS = 3
/** Texts cost money, and annoy: so many for one subject and for one number, within an hour. */
const CODES = 3
const WINDOW = 60 * MINUTE

interface Pending {
  readonly phone: string
  readonly digest: Buffer
  readonly expires: number
  attempts: number
}

/**
 * @example
 * ```ts
 * import { PhoneVerification } from "@watchword/in-process/PhoneVerification"
 *
 * const verification = new PhoneVerification({
 *   send: (to, text) => service.sms.send(account, { to, text })
 * })
 * await verification.start(userId, "+4915123456789")
 * const phone = verification.confirm(userId, "123456") // null when that is not the code
 * ```
 */
export class PhoneVerification {
  private readonly send: Options["send"]
  private readonly now: () => number
  private readonly pending = new Map<string, Pending>()
  private readonly sent = new Map<string, Array<number>>()
  // A digest of six digits alone could be looked up in a table of them all.
  private readonly secret = randomBytes(32)

  constructor({ send, now = Date.now }: Options) {
    this.send = send
    this.now = now
  }

  /** Sends a new code, which replaces an earlier one of the same subject. Rejects with `TooManyCodes`, or as `send` does. */
  async start(subject: string, phone: string): Promise<void> {
    this.forget()
    this.count([`subject ${subject}`, `phone ${phone}`])
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0")
    const pending = { phone, digest: this.digest(code), expires: this.now() + LIFETIME, attempts: ATTEMPTS }
    this.pending.set(subject, pending)
    try {
      await this.send(phone, `Your code is ${code}. It is good for ${LIFETIME / MINUTE} minutes; do not share it.`)
    } catch (error) {
      if (this.pending.get(subject) === pending) this.pending.delete(subject)
      throw error
    }
  }

  /** The number that is proved, once; null when the code is wrong, late, or was tried too often. */
  confirm(subject: string, code: string): string | null {
    this.forget()
    const pending = this.pending.get(subject)
    if (pending === undefined) return null
    // Counted first, so that nothing that happens below is a free guess.
    pending.attempts -= 1
    const right = timingSafeEqual(pending.digest, this.digest(code))
    if (right || pending.attempts === 0) this.pending.delete(subject)
    return right ? pending.phone : null
  }

  private digest(code: string): Buffer {
    return createHmac("sha256", this.secret).update(code).digest()
  }

  private count(keys: ReadonlyArray<string>): void {
    if (keys.some((key) => (this.sent.get(key)?.length ?? 0) >= CODES))
      throw new TooManyCodes("Too many codes were sent.")
    for (const key of keys) this.sent.set(key, [...(this.sent.get(key) ?? []), this.now()])
  }

  /** Drops what no longer counts. */
  private forget(): void {
    const now = this.now()
    for (const [subject, { expires }] of this.pending) if (expires <= now) this.pending.delete(subject)
    for (const [key, times] of this.sent) {
      const recent = times.filter((time) => now - time < WINDOW)
      if (recent.length === 0) this.sent.delete(key)
      else this.sent.set(key, recent)
    }
  }
}
