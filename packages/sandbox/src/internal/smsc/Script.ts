/**
 * The script of a message centre.
 */
import type { TlsOptions } from "node:tls"
import type { DeliverFields } from "../../smsc/wire.ts"
import type { Pdu } from "./Pdu.ts"
import type { Session } from "./Session.ts"
import type { Part } from "./Texts.ts"

/** A submit_sm: a whole text, or a part of one. */
export interface Submit extends Part {
  readonly session: Session
  /** Its id; empty until it is assigned. */
  id: string
  /** Answers it, once more or after all. */
  readonly answer: (answer: Exclude<Answer, "silence">) => void
}

/** A whole text that a client has submitted. */
export interface Text {
  readonly systemId: string
  readonly from: string
  /** In E.164 with the plus sign, if the client gave digits. */
  readonly to: string
  readonly text: string
}

/**
 * What becomes of a message: an answer, now or after some milliseconds, or none. Without `id` it gets the next number.
 */
export type Answer = { readonly status?: number; readonly id?: string; readonly after?: number } | "silence"

/** A receipt, sent some milliseconds after the answer. */
export interface Receipt {
  readonly after: number
  readonly fields: DeliverFields
}

export interface Script {
  /** The status that a bind is answered with. */
  bind: (bind: Pdu, session: Session) => number | "silence"
  /** Answers each submit_sm, even if it is a part of a text. */
  submit: (submit: Submit) => Answer | Promise<Answer>
  /** Answers whole texts instead, once their last part is there. `report` sends their receipts. */
  take: ((text: Text) => Promise<Answer>) | null
  /** The receipt that follows an accepted message, or null for none, whether the client has asked for one or not. */
  receipt: ((submit: Submit) => Receipt | null) | null
  /** Hears how a receipt was answered; null if the connection closed before. */
  acknowledged: (submit: Submit | null, status: number | null) => void
  /** A number is the status of the answer. */
  enquireLink: "answer" | "silence" | number
  unbind: "answer" | "silence"
}

export interface SmscOptions {
  /** Its behaviour; without a script it accepts everything, and sends no receipts. */
  readonly script?: Partial<Script> | undefined
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /** Any free port unless given. */
  readonly port?: number
  /** Key and certificate, for TLS. */
  readonly tls?: TlsOptions
  /** How many PDUs of each kind it keeps for `submits`, `binds` and the like; all unless given. */
  readonly keep?: number
  /** Milliseconds after which a receipt that its client refused is sent again; 100 unless given. */
  readonly retry?: number
}
