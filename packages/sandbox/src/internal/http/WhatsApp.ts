/**
 * The WhatsApp Cloud API: messages that it takes, and notifications of what becomes of them.
 *
 * Source: the documentation of the WhatsApp Business Platform, "Messages", "Error codes", "Webhooks" and "status"
 * objects.
 */
import { createHmac } from "node:crypto"
import { Api, type Post, own } from "./Api.ts"
import type { ApiOptions, Call, Reply, Script, Timed } from "./Script.ts"

/** A message that was taken. */
export interface WhatsAppMessage {
  readonly id: string
  /** As the call has it. */
  readonly to: string
  readonly body: Call["body"]
}

/** The status of a message, with further fields of a status object. */
export interface WhatsAppReport extends Timed {
  /** `sent`, `delivered`, `read` or `failed`. */
  readonly status: string
  readonly more?: Readonly<Record<string, unknown>>
}

export interface WhatsAppScript extends Script<WhatsAppMessage, WhatsAppReport> {
  /** Whether a number has the app; every one unless given. */
  hasAccount: (to: string) => boolean
  /** The languages that templates exist in; null for all. */
  languages: ReadonlyArray<string> | null
}

export interface WhatsAppOptions extends ApiOptions {
  /** Its behaviour; without a script it accepts every message, and reports nothing. */
  readonly script?: Partial<WhatsAppScript> | undefined
  /** The access token that calls have; `token` unless given. */
  readonly token?: string
  /** The app's secret, by which notifications are signed; `secret` unless given. */
  readonly appSecret?: string
}

/** An error as the Graph API answers it: `whatsAppError(131056)`. */
export const whatsAppError = (code: number, status = 400): Reply => ({
  status,
  body: {
    error: { message: `(#${code}) …`, type: "OAuthException", code, error_data: { details: "…" }, fbtrace_id: "A1" }
  }
})

/** The answer to a message that is taken under an id. */
export const whatsAppTaken = (id: string): Reply => ({
  status: 200,
  body: { messaging_product: "whatsapp", messages: [{ id, message_status: "accepted" }] }
})

const INVALID_TOKEN = 190
const NO_ACCOUNT = 131026
const NO_TEMPLATE = 132001

export class WhatsAppApi extends Api<WhatsAppMessage, WhatsAppReport> {
  readonly script: WhatsAppScript
  /** The messages that were taken, in order. */
  readonly messages: Array<WhatsAppMessage> = []
  private readonly token: string
  private readonly appSecret: string
  private made = 0

  constructor(options: WhatsAppOptions) {
    super(options)
    this.token = options.token ?? "token"
    this.appSecret = options.appSecret ?? "secret"
    this.script = {
      answer: own,
      reports: () => [],
      acknowledged: () => {},
      hasAccount: () => true,
      languages: null,
      ...options.script
    }
  }

  /** Reports a message's status, and resolves to the status of the answer. */
  report(message: WhatsAppMessage, report: WhatsAppReport): Promise<number> {
    const post = this.postOf(message, report)
    return post === null ? Promise.reject(new Error("There is no address for reports.")) : this.post(post)
  }

  protected postOf({ body, id, to }: WhatsAppMessage, { more, status }: WhatsAppReport): Post | null {
    const url = this.callbackUrlOf(null)
    if (url === null) return null
    const named = body["biz_opaque_callback_data"]
    const object = {
      id,
      status,
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: to.replace(/^\+/, ""),
      ...(named === undefined ? {} : { biz_opaque_callback_data: named }),
      ...more
    }
    return { url, ...whatsAppNotification([object], this.appSecret) }
  }

  protected take({ body, headers }: Call): Reply {
    if (headers["authorization"] !== `Bearer ${this.token}`) return whatsAppError(INVALID_TOKEN, 401)
    const to = String(body["to"])
    const { hasAccount, languages } = this.script
    if (!hasAccount(to)) return whatsAppError(NO_ACCOUNT)
    const [, language] = /"language":\{"code":"(.*?)"\}/.exec(JSON.stringify(body)) ?? []
    if (languages !== null && language !== undefined && !languages.includes(language)) {
      return whatsAppError(NO_TEMPLATE, 404)
    }
    const message: WhatsAppMessage = { id: `wamid.${++this.made}`, to, body }
    this.remember(this.messages, message)
    this.begin(message)
    return whatsAppTaken(message.id)
  }
}

/** A text of a user. */
export interface WhatsAppText {
  /** The user's number, with its plus; null for a user with a name, whose number the platform keeps to itself. */
  readonly from: string | null
  readonly text: string
  /** The platform's id of the number that the user has written to. */
  readonly at: string
  /** Further fields of the message, or others instead of these. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** A notification of status objects as the platform posts it. */
export const whatsAppNotification = (statuses: ReadonlyArray<unknown>, appSecret: string): Omit<Post, "url"> =>
  posted({ metadata: { display_phone_number: "1", phone_number_id: "2" }, statuses }, appSecret)

/** A notification of a text of a user, as the platform posts it. */
export const whatsAppText = ({ at, from, more = {}, text }: WhatsAppText, appSecret: string): Omit<Post, "url"> => {
  const number = from?.replace(/^\+/, "")
  const user = "DE.13491208655302741918"
  const sender = number === undefined ? {} : { from: number }
  const contact = number === undefined ? { profile: { username: "ada" } } : { profile: { name: "Ada" }, wa_id: number }
  const message = { ...sender, from_user_id: user, id: "wamid.in", timestamp: "1700000000" }
  const value = {
    metadata: { display_phone_number: "1", phone_number_id: at },
    contacts: [{ ...contact, user_id: user }],
    messages: [{ ...message, type: "text", text: { body: text }, ...more }]
  }
  return posted(value, appSecret)
}

const posted = (about: object, appSecret: string): Omit<Post, "url"> => {
  const value = { messaging_product: "whatsapp", ...about }
  const entry = [{ id: "3", changes: [{ value, field: "messages" }] }]
  const body = JSON.stringify({ object: "whatsapp_business_account", entry })
  const signature = `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
  return { body, headers: { "content-type": "application/json", "x-hub-signature-256": signature } }
}
