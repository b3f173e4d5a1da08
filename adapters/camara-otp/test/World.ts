/**
 * The door of a service in a test kit, on a socket, and a client that asks it as the standard has it.
 */
import { camaraOtp } from "@watchword/camara-otp"
import { serve } from "@watchword/node"
import { type Kit, startWatchword } from "@watchword/testing"

export const PHONE = "+4915123456789"
export const LANDLINE = "+493023125123"
export const PAGER = "+4916412345"

/** How many codes a number may be sent within an hour, and how many wrong codes may be entered. */
export const MAX_SENDS = 5
export const MAX_TRIES = 5

export const MESSAGE = "{{code}} is your code for Acme."

const RULES = {
  action: "deny",
  numbers: { deny_types: ["fixed_line", "pager"] },
  limits: [{ name: "number", by: ["to"], rates: [`${MAX_SENDS}/1h`] }]
} as const

export type Call = "send-code" | "validate-code"

/** A request as the standard's scenarios have it: omitted fields have valid values. */
export interface Asked {
  readonly call: Call
  /** The body as JSON; null for none. */
  readonly body: unknown
  /** The header `authorization`; null for none. A valid access token unless given. */
  readonly authorization?: string | null
  /** The header `x-correlator`; null for none. */
  readonly correlator?: string | null
}

export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly correlator: string | null
  /** The body as JSON; null without one. */
  readonly body: Readonly<Record<string, unknown>> | null
}

export interface World {
  readonly kit: Kit
  /** The address that `oauth2/token` is below. */
  readonly url: string
  readonly ask: (asked: Asked) => Promise<Answer>
  /** Has a code sent, and gives its id and the code that the phone shows. */
  readonly send: (to?: string) => Promise<{ readonly authenticationId: string; readonly code: string }>
  /** An access token for an API key, the live one unless given. */
  readonly tokenFor: (apiKey?: string) => Promise<string>
  readonly dispose: () => Promise<void>
}

export const CORRELATOR = "b4333c46-49c0-4f62-80d7-f0ef930f1c46"

export const openWorld = async (secret = "0123456789abcdef0123456789abcdef"): Promise<World> => {
  const kit = await startWatchword({ secret })
  await kit.service.operator.account.texts({ account_id: kit.account, texts: "own" })
  await kit.service.operator.guard.set({ account_id: kit.account, rules: RULES })
  const { close, port } = await serve(camaraOtp(kit.service), { basePath: "/one-time-password-sms", port: 0 })
  const url = `http://127.0.0.1:${port}/one-time-password-sms`

  const tokenFor = async (apiKey = kit.keys.live): Promise<string> => {
    const form = { grant_type: "client_credentials", client_id: kit.account, client_secret: apiKey }
    const response = await fetch(`${url}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) })
    const { access_token: token }: { readonly access_token?: string } = Object(await response.json())
    if (token === undefined) throw new Error(`the token endpoint answered ${response.status}`)
    return token
  }

  const ask = async ({ authorization, body, call, correlator = CORRELATOR }: Asked): Promise<Answer> => {
    const sent = authorization === undefined ? `Bearer ${await tokenFor()}` : authorization
    const response = await fetch(`${url}/v1/${call}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(sent === null ? {} : { authorization: sent }),
        ...(correlator === null ? {} : { "x-correlator": correlator })
      },
      ...(body === null ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      correlator: response.headers.get("x-correlator"),
      body: text === "" ? null : Object(JSON.parse(text))
    }
  }

  const send: World["send"] = async (to = PHONE) => {
    const { body, status } = await ask({ call: "send-code", body: { phoneNumber: to, message: MESSAGE } })
    if (status !== 200) throw new Error(`send-code answered ${status} ${JSON.stringify(body)}`)
    const { code } = await kit.inbox.next(to)
    return { authenticationId: String(body?.["authenticationId"]), code }
  }

  const dispose = async (): Promise<void> => {
    await close()
    await kit.dispose()
  }
  return { kit, url, ask, send, tokenFor, dispose }
}

/** A code of the same length that is another one. */
export const otherThan = (code: string): string => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
