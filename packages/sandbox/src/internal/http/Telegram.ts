/**
 * The Telegram Gateway API: codes that it sends to chats, checks and revokes.
 *
 * Source: core.telegram.org/gateway/api, "Methods", "Object types" and "Report delivery".
 */
import { createHash, createHmac } from "node:crypto"
import { Api, type Post, own } from "./Api.ts"
import type { ApiOptions, Call, Reply, Script, Timed } from "./Script.ts"

/** A request of the Gateway: a question whether a number can be reached, and the message that it becomes. */
export interface TelegramRequest {
  readonly id: string
  /** In E.164. */
  readonly to: string
  /** Null until a code is sent. */
  readonly code: string | null
  readonly payload: string | undefined
  readonly callbackUrl: string | null
  /** `sent`, `delivered`, `read`, `expired` or `revoked`. */
  readonly delivery: string
  /** `code_valid`, `code_invalid`, `code_max_attempts_exceeded` or `expired`; null before a code is checked. */
  readonly verification: string | null
  readonly isRefunded: boolean
}

/** News about a request. */
export interface TelegramReport extends Timed {
  readonly delivery?: string
  readonly verification?: string
  readonly isRefunded?: boolean
}

export interface TelegramScript extends Script<TelegramRequest, TelegramReport> {
  /** Whether a number has the app; every one unless given. */
  hasAccount: (to: string) => boolean
}

export interface TelegramOptions extends ApiOptions {
  /** Its behaviour; without a script it accepts every message, and reports nothing. */
  readonly script?: Partial<TelegramScript> | undefined
  /** The access token, which calls carry and reports are signed with; `token` unless given. */
  readonly token?: string
  /** Unix seconds of its clock, by which messages expire; the machine's unless given. */
  readonly now?: () => number
}

/** How a report differs from the platform's. */
export interface Forged {
  readonly to?: string
  readonly token?: string
  readonly payload?: string | undefined
}

/** An error as the Gateway answers it: `telegramError("FLOOD_WAIT_5")`. */
export const telegramError = (error: string, status = 200): Reply => ({ status, body: { ok: false, error } })

type State = { -readonly [Name in keyof TelegramRequest]: TelegramRequest[Name] } & {
  /** Unix seconds. */
  expiresAt: number
  wrongCodes: number
}

class Refused extends Error {}

const MOST_WRONG_CODES = 3

export class TelegramApi extends Api<TelegramRequest, TelegramReport> {
  readonly script: TelegramScript
  /** The access token, which can be replaced. */
  token: string
  private readonly states = new Map<string, State>()
  private readonly now: () => number
  private made = 0

  constructor(options: TelegramOptions) {
    super(options)
    this.token = options.token ?? "token"
    this.now = options.now ?? (() => Math.floor(Date.now() / 1000))
    this.script = { answer: own, reports: () => [], acknowledged: () => {}, hasAccount: () => true, ...options.script }
  }

  /** The requests by their ids, oldest first. */
  get requests(): ReadonlyMap<string, TelegramRequest> {
    return this.states
  }

  /** Forgets a request. */
  forget(id: string): void {
    this.states.delete(id)
  }

  /** Reports news about a request, and resolves to the status of the answer. */
  report(id: string, news: TelegramReport, forged: Forged = {}): Promise<number> {
    const request = this.states.get(id)
    const post = request === undefined ? null : this.reported(request, news, forged)
    return post === null
      ? Promise.reject(new Error(`Request ${id} has no callback address for reports.`))
      : this.post(post)
  }

  protected postOf(request: TelegramRequest, news: TelegramReport): Post | null {
    const state = this.states.get(request.id)
    return state === undefined ? null : this.reported(state, news, {})
  }

  protected take({ body, headers, path }: Call): Reply {
    try {
      if (headers["authorization"] !== `Bearer ${this.token}`) throw new Refused("ACCESS_TOKEN_INVALID")
      return { status: 200, body: { ok: true, result: this.result(path.slice(1), body) } }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: 200, body: { ok: false, error: error.message } }
    }
  }

  private result(method: string, body: Call["body"]): unknown {
    switch (method) {
      case "sendVerificationMessage":
        return this.send(body)
      case "checkSendAbility":
        return this.statusOf(this.create(body["phone_number"]))
      case "checkVerificationStatus": {
        const state = this.find(body["request_id"])
        if (body["code"] !== undefined) check(state, body["code"])
        return this.statusOf(state)
      }
      case "revokeVerificationMessage": {
        const state = this.find(body["request_id"])
        if (state.delivery === "sent" || state.delivery === "delivered") {
          state.delivery = "revoked"
          state.isRefunded = true
        }
        return true
      }
      default:
        throw new Refused("UNKNOWN_METHOD")
    }
  }

  private send(body: Call["body"]): object {
    const code = textOf(body["code"])
    if (code === undefined) throw new Refused("CODE_LENGTH_REQUIRED")
    if (!/^\d{4,8}$/.test(code)) throw new Refused("CODE_INVALID")
    const ttl = Number(body["ttl"])
    if (!(ttl >= 30 && ttl <= 3600)) throw new Refused("TTL_INVALID")
    const payload = textOf(body["payload"])
    if (Buffer.byteLength(payload ?? "") > 128) throw new Refused("PAYLOAD_INVALID")
    const id = body["request_id"]
    const state = id === undefined ? this.create(body["phone_number"]) : this.find(id)
    if (state.to !== body["phone_number"]) throw new Refused("PHONE_NUMBER_MISMATCH")
    if (state.code !== null) throw new Refused("MESSAGE_ALREADY_SENT")
    const callbackUrl = textOf(body["callback_url"]) ?? null
    Object.assign(state, { code, payload, callbackUrl, expiresAt: this.now() + ttl })
    this.begin(state)
    return this.statusOf(state)
  }

  private create(number: unknown): State {
    const to = textOf(number)
    if (to === undefined || !/^\+\d{7,15}$/.test(to)) throw new Refused("PHONE_NUMBER_INVALID")
    if (!this.script.hasAccount(to)) throw new Refused("PHONE_NUMBER_NOT_AVAILABLE")
    const state: State = {
      id: String(1_000_000_000 + ++this.made),
      to,
      code: null,
      payload: undefined,
      callbackUrl: null,
      delivery: "sent",
      verification: null,
      isRefunded: false,
      expiresAt: Infinity,
      wrongCodes: 0
    }
    this.states.set(state.id, state)
    const [oldest = ""] = this.states.keys()
    if (this.states.size > this.keep) this.states.delete(oldest)
    return state
  }

  private find(id: unknown): State {
    if (id === undefined) throw new Refused("REQUEST_ID_REQUIRED")
    const state = this.states.get(textOf(id) ?? "")
    if (state === undefined) throw new Refused("REQUEST_ID_INVALID")
    if (state.verification === null && this.now() >= state.expiresAt) state.verification = "expired"
    return state
  }

  private statusOf({ delivery, id, isRefunded, payload, to, verification }: TelegramRequest): object {
    const updated_at = this.now()
    return {
      request_id: id,
      phone_number: to.slice(1),
      request_cost: 0.01,
      is_refunded: isRefunded,
      remaining_balance: 12.34,
      delivery_status: { status: delivery, updated_at },
      ...(verification === null ? {} : { verification_status: { status: verification, updated_at } }),
      ...(payload === undefined ? {} : { payload })
    }
  }

  private reported(state: State, news: TelegramReport, forged: Forged): Post | null {
    const { delivery, isRefunded, verification } = news
    if (delivery !== undefined) state.delivery = delivery
    if (verification !== undefined) state.verification = verification
    if (isRefunded !== undefined) state.isRefunded = isRefunded
    const url = forged.to ?? this.callbackUrlOf(state.callbackUrl)
    if (url === null) return null
    const body = JSON.stringify(this.statusOf("payload" in forged ? { ...state, payload: forged.payload } : state))
    return { url, body, headers: { "content-type": "application/json", ...signed(body, forged.token ?? this.token) } }
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Compares a code with the code that was sent. */
const check = (state: State, code: unknown): void => {
  if (state.verification !== null && state.verification !== "code_invalid") return
  state.delivery = "read"
  if (code === state.code) state.verification = "code_valid"
  else state.verification = ++state.wrongCodes < MOST_WRONG_CODES ? "code_invalid" : "code_max_attempts_exceeded"
}

/** Source: "Checking the integrity of reports": the key is the hash of the token. */
const signed = (body: string, token: string): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = createHash("sha256").update(token).digest()
  const signature = createHmac("sha256", key).update(`${timestamp}\n${body}`).digest("hex")
  return { "x-request-timestamp": timestamp, "x-request-signature": signature }
}
