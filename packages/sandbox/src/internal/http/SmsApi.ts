/**
 * A provider of SMS by HTTP, which speaks the dialect that it is given.
 */
import { Api, type Post, own } from "./Api.ts"
import type { ApiOptions, Call, Reply, Script, Timed } from "./Script.ts"

/** A text that a provider was asked to send. */
export interface ApiText {
  /** The provider's id of it. */
  readonly id: string
  /** With the plus sign. */
  readonly to: string
  readonly from: string
  readonly text: string
  /** By which its sender recognizes it; empty if the call has no reference. */
  readonly reference: string
  /** Where its receipts go. */
  readonly callbackUrl: string | null
}

/** The outcome of a text. */
export interface ApiReceipt extends Timed {
  readonly outcome: "sent" | "delivered" | "undelivered"
}

/** How a provider speaks. */
export interface Dialect {
  /** The text of a call, but for its id. */
  readonly read: (call: Call) => Omit<ApiText, "id">
  /** The refusal of a call whose credentials or address are wrong, or null. */
  readonly unauthorized: (call: Call) => Reply | null
  /** The id of the provider's nth text. */
  readonly id: (nth: number) => string
  /** The answer to a text that is taken. */
  readonly accepted: (text: ApiText) => Reply
  /** A receipt as the provider posts it. */
  readonly receipt: (text: ApiText, outcome: ApiReceipt["outcome"]) => Post
}

export type SmsApiScript = Script<ApiText, ApiReceipt>

export interface SmsApiOptions extends ApiOptions {
  /** Its behaviour; without a script it accepts every text, and sends no receipts. */
  readonly script?: Partial<SmsApiScript> | undefined
}

export class SmsApi extends Api<ApiText, ApiReceipt> {
  readonly script: SmsApiScript
  /** The texts that were taken, in order. */
  readonly texts: Array<ApiText> = []
  readonly dialect: Dialect
  private made = 0

  constructor(dialect: Dialect, options: SmsApiOptions) {
    super(options)
    this.dialect = dialect
    this.script = { answer: own, reports: () => [], acknowledged: () => {}, ...options.script }
  }

  /** Sends a receipt for a text, and resolves to the status of the answer. */
  report(text: ApiText, receipt: ApiReceipt): Promise<number> {
    const post = this.postOf(text, receipt)
    return post === null ? Promise.reject(new Error(`Text ${text.id} names no address for receipts.`)) : this.post(post)
  }

  protected postOf(text: ApiText, { outcome }: ApiReceipt): Post | null {
    const callbackUrl = this.callbackUrlOf(text.callbackUrl)
    return callbackUrl === null ? null : this.dialect.receipt({ ...text, callbackUrl }, outcome)
  }

  protected take(call: Call): Reply {
    const refusal = this.dialect.unauthorized(call)
    if (refusal !== null) return refusal
    const text: ApiText = { ...this.dialect.read(call), id: this.dialect.id(++this.made) }
    this.remember(this.texts, text)
    this.begin(text)
    return this.dialect.accepted(text)
  }
}
