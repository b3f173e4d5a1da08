/**
 * A Telegram Gateway on a port of its own, as its documentation has it, which can be told to misbehave.
 */
import { signCallback } from "@watchword/callback-signature"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { type Fault, listen } from "../../../../test/provider.ts"
import { setTimeout as delay } from "node:timers/promises"

interface Request {
  readonly request_id: string
  readonly phone_number: string
  payload: string | undefined
  callbackUrl: string | undefined
  code: string | null
  expiresAt: number
  wrongCodes: number
  delivery: string
  verification: string | null
  is_refunded: boolean
}

export interface Call {
  readonly method: string
  readonly body: Readonly<Record<string, unknown>>
}

class Refused extends Error {}

const string = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

export const startTelegram = async (options: { readonly token: string }) => {
  let { token } = options
  const requests = new Map<string, Request>()
  const calls: Array<Call> = []
  const faults: Array<{ readonly late: boolean; readonly fault: Fault }> = []
  let now = 1_700_000_000
  let made = 0
  let pause = 0

  const statusOf = (request: Request) => ({
    request_id: request.request_id,
    phone_number: request.phone_number.slice(1),
    request_cost: 0.01,
    is_refunded: request.is_refunded,
    remaining_balance: 12.34,
    delivery_status: { status: request.delivery, updated_at: now },
    ...(request.verification === null
      ? {}
      : { verification_status: { status: request.verification, updated_at: now } }),
    ...(request.payload === undefined ? {} : { payload: request.payload })
  })

  const create = (to: unknown): Request => {
    const phone_number = string(to)
    if (phone_number === undefined || !/^\+\d{7,15}$/.test(phone_number)) throw new Refused("PHONE_NUMBER_INVALID")
    if (phone_number.endsWith("0003")) throw new Refused("PHONE_NUMBER_NOT_AVAILABLE")
    const request = {
      request_id: String(1_000_000_000 + ++made),
      phone_number,
      payload: undefined,
      callbackUrl: undefined,
      code: null,
      expiresAt: Infinity,
      wrongCodes: 0,
      delivery: "sent",
      verification: null,
      is_refunded: false
    }
    requests.set(request.request_id, request)
    return request
  }

  const find = (id: unknown): Request => {
    if (id === undefined) throw new Refused("REQUEST_ID_REQUIRED")
    const request = requests.get(string(id) ?? "")
    if (request === undefined) throw new Refused("REQUEST_ID_INVALID")
    if (request.verification === null && now >= request.expiresAt) request.verification = "expired"
    return request
  }

  const methods: Record<string, (body: Call["body"]) => unknown> = {
    sendVerificationMessage: (body) => {
      const code = string(body["code"])
      if (code === undefined) throw new Refused("CODE_LENGTH_REQUIRED")
      if (!/^\d{4,8}$/.test(code)) throw new Refused("CODE_INVALID")
      const ttl = Number(body["ttl"])
      if (!(ttl >= 30 && ttl <= 3600)) throw new Refused("TTL_INVALID")
      if (Buffer.byteLength(string(body["payload"]) ?? "") > 128) throw new Refused("PAYLOAD_INVALID")
      const request = body["request_id"] === undefined ? create(body["phone_number"]) : find(body["request_id"])
      if (request.phone_number !== body["phone_number"]) throw new Refused("PHONE_NUMBER_MISMATCH")
      if (request.code !== null) throw new Refused("MESSAGE_ALREADY_SENT")
      request.code = code
      request.expiresAt = now + ttl
      request.payload = string(body["payload"])
      request.callbackUrl = string(body["callback_url"])
      return statusOf(request)
    },
    checkSendAbility: (body) => statusOf(create(body["phone_number"])),
    checkVerificationStatus: (body) => {
      const request = find(body["request_id"])
      if (body["code"] !== undefined && (request.verification ?? "code_invalid") === "code_invalid") {
        request.delivery = "read"
        if (body["code"] === request.code) request.verification = "code_valid"
        else request.verification = ++request.wrongCodes < 3 ? "code_invalid" : "code_max_attempts_exceeded"
      }
      return statusOf(request)
    },
    revokeVerificationMessage: (body) => {
      const request = find(body["request_id"])
      if (request.delivery === "sent" || request.delivery === "delivered") {
        request.delivery = "revoked"
        request.is_refunded = true
      }
      return true
    }
  }

  const envelope = (request: IncomingMessage, { method, body }: Call) => {
    try {
      if (request.headers.authorization !== `Bearer ${token}`) throw new Refused("ACCESS_TOKEN_INVALID")
      const run = methods[method]
      if (run === undefined) throw new Refused("UNKNOWN_METHOD")
      return { ok: true, result: run(body) }
    } catch (error) {
      if (error instanceof Refused) return { ok: false, error: error.message }
      throw error
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const call = { method: (request.url ?? "").slice(1), body: JSON.parse(await text(request)) }
    calls.push(call)
    const fault = faults.shift()
    if (fault !== undefined && !fault.late) return fault.fault(response, request)
    const answered = JSON.stringify(envelope(request, call))
    if (fault !== undefined) return fault.fault(response, request)
    if (pause > 0) await delay(pause)
    response.writeHead(200, { "content-type": "application/json" }).end(answered)
  }

  const { url, close } = await listen(answer)

  return {
    url,
    calls,
    requests,
    elapse: (seconds: number) => {
      now += seconds
    },
    /** Knows another token in place of its own. */
    replaceToken: (next: string) => {
      token = next
    },
    /** Has all later answers wait for some milliseconds. */
    slowDown: (milliseconds: number) => {
      pause = milliseconds
    },
    /** Misbehaves once, at the next call. */
    fail: (fault: Fault) => void faults.push({ late: false, fault }),
    /** Does what it is asked at the next call, and misbehaves only then. */
    failLate: (fault: Fault) => void faults.push({ late: true, fault }),
    /**
     * Calls back with a request's status, and gives the status of the answer.
     *
     * @param news what is new about the request
     * @param forged by which the event differs from one of this gateway
     */
    callBack: async (
      requestId: string,
      news: { readonly delivery?: string; readonly verification?: string; readonly is_refunded?: boolean },
      forged: { readonly to?: string; readonly token?: string; readonly payload?: string | undefined } = {}
    ): Promise<number> => {
      const request = Object.assign(find(requestId), news, "payload" in forged ? { payload: forged.payload } : {})
      const body = JSON.stringify(statusOf(request))
      const headers = await signCallback(body, { accessToken: forged.token ?? token })
      const url = forged.to ?? request.callbackUrl ?? ""
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: { ...headers, "content-type": "application/json" }
      })
      await response.text()
      return response.status
    },
    close
  }
}
