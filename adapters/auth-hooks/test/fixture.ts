/** A service in the sandbox, the messages on its phones, and the requests of identity servers. */
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { type Caller, type Options, type Watchword, createWatchword, memory } from "watchword"

export const PHONE = "+4915123456789"

export interface World {
  readonly service: Watchword
  readonly caller: Caller
  /** Log messages from hooks. */
  readonly log: Array<string>
  /** Texts and codes that phones show, newest first. */
  readonly shown: (
    to?: string
  ) => Promise<ReadonlyArray<{ readonly code: string | null; readonly text: string | null }>>
  readonly options: {
    readonly service: Watchword
    readonly caller: Caller
    readonly logger: { error: (said: string) => void }
  }
}

export const openWorld = async (more: Partial<Options> = {}, sandbox = true): Promise<World> => {
  const observability = Layer.succeed(References.MinimumLogLevel, "None")
  const service = await createWatchword({ store: memory(), observability, ...more })
  const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
  const caller = { account, sandbox }
  const log: Array<string> = []
  const logger = { error: (said: string) => void log.push(said) }
  const shown: World["shown"] = async (to = PHONE) => (await service.sandbox.inbox(caller, { to })).messages
  return { service, caller, log, shown, options: { service, caller, logger } }
}

export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const request = ({ body, headers }: Posted): Request =>
  new Request("http://hooks.example/", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body
  })

export const SUPABASE_SECRET = "v1,whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

/** A sign-in hook as a 2026 server posts it: the number without its plus sign, and a new id for each retry. */
export const supabasePost = (
  code: string,
  { at = new Date(), phone = PHONE.slice(1), secret = SUPABASE_SECRET, sms = {} as object } = {}
): Posted => {
  const body = JSON.stringify({
    metadata: { uuid: crypto.randomUUID(), time: at.toISOString(), name: "send-sms", ip_address: "192.0.2.7" },
    user: {
      id: "6481a5c1-3d37-4a56-9f6a-bee08c554965",
      aud: "authenticated",
      role: "authenticated",
      email: "",
      phone,
      app_metadata: { provider: "phone", providers: ["phone"] },
      user_metadata: {},
      identities: [],
      is_anonymous: false
    },
    sms: { otp: code, phone, ...sms }
  })
  return { body, headers: supabaseHeaders(body, at, [secret]) }
}

export const supabaseHeaders = (body: string, at: Date, secrets: ReadonlyArray<string>): Posted["headers"] => {
  const id = crypto.randomUUID()
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    // The server also joins several signatures with commas, which the specification does not mention.
    "webhook-signature": secrets.map((secret) => new Webhook(secret.replace("v1,", "")).sign(id, at, body)).join(", ")
  }
}

export const LOGTO_AUTHORIZATION = "Bearer 7a1f0b52c3d94e6f8a7b6c5d4e3f2a1b"

export const logtoBody = (code: string, more: object = {}) => ({
  to: PHONE,
  type: "SignIn",
  payload: { code, locale: "de-AT" },
  ip: "2001:db8::7",
  ...more
})

export const logtoPost = (code: string, more: object = {}): Posted => ({
  headers: { authorization: LOGTO_AUTHORIZATION },
  body: JSON.stringify(logtoBody(code, more))
})

export const ZITADEL_KEY = "zYxWvUtSrQpOnMlKjIhGfEdCbA0123456789"

export const zitadelPost = (
  code: string,
  { at = new Date(), key = ZITADEL_KEY, eventType = "session.otp.sms.challenged", expiry = 300_000_000_000 } = {}
): Posted => {
  const body = JSON.stringify({
    contextInfo: {
      eventType,
      provider: { id: "285181292935381355", description: "Watchword" },
      recipientPhoneNumber: PHONE
    },
    templateData: {
      title: "Zitadel - Verify OTP",
      subject: "Verify OTP",
      text: `${code} is your one-time password for id.example. Use it within the next 5m0s.`
    },
    args: {
      code,
      oTP: code,
      domain: "id.example",
      expiry,
      origin: "https://id.example",
      preferredLoginName: "ann@id.example"
    }
  })
  return { body, headers: { "ZITADEL-Signature": zitadelSignature(body, at, [key]) } }
}

export const zitadelSignature = (body: string, at: Date, keys: ReadonlyArray<string>): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  const signatures = keys.map((key) => createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex"))
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",")
}
