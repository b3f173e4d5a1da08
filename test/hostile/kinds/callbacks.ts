/**
 * Gateways' callbacks and identity servers' hooks, correctly signed, with hostile bodies.
 */
import { createHmac } from "node:crypto"
import { logto } from "@watchword/auth-hooks/logto"
import { supabase } from "@watchword/auth-hooks/supabase"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import { whatsapp } from "@watchword/bizchat/whatsapp"
import { signCallback } from "@watchword/callback-signature"
import * as Telegram from "@watchword/chatgw/telegram"
import { bytes } from "@watchword/server/Host"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import * as dialects from "../../../packages/sms/test/http/dialects.ts"
import { providers } from "../../../packages/sms/test/http/fixture.ts"
import { body, text } from "../inputs.ts"
import type { Kind, Result } from "../Kind.ts"
import { type Subject, kindOf, subject } from "../properties.ts"
import { type World, openWorld } from "../World.ts"

const [TOKEN, APP_SECRET, URL] = ["AAEAtokenOfTheGateway", "secret-of-the-app-0123456789", "http://127.0.0.1:1"]
const CALLBACK = "http://127.0.0.1:8080/v1/sms/events"

const DELIVERY = "01KAJ3T8ZZ0000000000000000"

const TELEGRAM = {
  request_id: "1",
  phone_number: "4915123456789",
  request_cost: 0.01,
  is_refunded: false,
  remaining_balance: 1,
  delivery_status: { status: "delivered", updated_at: 1_790_000_000 },
  verification_status: { status: "code_valid", updated_at: 1_790_000_000, code_entered: "1" },
  payload: DELIVERY
}

const WHATSAPP = {
  object: "whatsapp_business_account",
  entry: [
    {
      id: "3",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "1", phone_number_id: "2" },
            statuses: [
              {
                id: "wamid.1",
                status: "failed",
                timestamp: "1790000000",
                recipient_id: "4915123456789",
                biz_opaque_callback_data: DELIVERY,
                errors: [{ code: 131026, title: "x" }],
                pricing: { billable: true, category: "authentication" }
              }
            ]
          }
        }
      ]
    }
  ]
}

const VONAGE = {
  message_uuid: "1",
  to: "4915123456789",
  timestamp: "2027-01-31T12:00:00.000Z",
  status: "delivered",
  error: { type: "https://developer.vonage.com/api-errors/messages#1260", title: 1260 },
  client_ref: DELIVERY,
  channel: "sms",
  sms: { count_total: "2" }
}

const HOOKS = {
  supabase: { user: { id: "6481a5c1", phone: "4915123456789" }, sms: { otp: "123456", phone: "4915123456789" } },
  logto: { to: "+4915123456789", type: "SignIn", payload: { code: "123456", locale: "de" }, ip: "192.0.2.7" },
  zitadel: {
    contextInfo: {
      eventType: "user.human.otp.sms.code.added",
      recipientPhoneNumber: "+4915123456789",
      provider: { id: "1" }
    },
    templateData: { text: "Your code is 123456" },
    args: { code: "123456", userID: "1" }
  }
}

const EXPECTED = new Set([200, 202, 204, 400, 401, 403, 404, 409, 413, 429, 480, 503])

type Headers = Readonly<Record<string, string>>

/** Posts a body to a path of the service, and returns the fault in the answer. */
const post = async (world: World, path: string, given: Uint8Array, headers: Headers): Promise<string | undefined> => {
  const request = { method: "POST", path, headers, body: bytes(given), remoteAddress: "192.0.2.1" }
  const { body: answer, status } = await world.service.handle(request)
  return EXPECTED.has(status) ? world.readLog() : `answered ${status} ${String(answer)}`
}

const JSON_TYPE = { "content-type": "application/json" }

const chats = (world: World): ReadonlyArray<Subject> => [
  subject("events of the chat gateway", body(TELEGRAM), async (given) => {
    const signed = Object.entries(await signCallback(given, { accessToken: TOKEN }))
    const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]))
    return post(world, "/chatgw/events", given, { ...JSON_TYPE, ...headers })
  }),
  subject("events of the business chat", body(WHATSAPP), (given) =>
    post(world, "/bizchat/events", given, {
      ...JSON_TYPE,
      "x-hub-signature-256": `sha256=${createHmac("sha256", APP_SECRET).update(given).digest("hex")}`
    })
  )
]

const form = fc.dictionary(
  fc.oneof(fc.constantFrom("MessageSid", "MessageStatus", "To", "ErrorCode", "AccountSid"), text(10)),
  fc.oneof(fc.constantFrom("delivered", "undelivered", "SM1", "30003", "+4915123456789"), text())
)

const twilio = (world: World): ReadonlyArray<Subject> => [
  subject("receipts of Twilio", form, (fields) => {
    const sent = new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])
    )
    return post(world, "/sms/events", Buffer.from(sent.toString()), {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": dialects.twilioSignature(CALLBACK, sent)
    })
  })
]

const vonage = (world: World): ReadonlyArray<Subject> => [
  subject("receipts of Vonage", body(VONAGE), (given) =>
    post(world, "/sms/events", given, { ...JSON_TYPE, authorization: `Bearer ${tokenOf(given)}` })
  )
]

/** Vonage signs a hash of the body's octets. */
const tokenOf = (given: Buffer): string => dialects.vonageToken(given.toString("utf8"))

const generic = (world: World): ReadonlyArray<Subject> => [
  subject(
    "receipts of a described provider",
    body({ id: "1", status: "delivered", reference: DELIVERY, to: "+49151" }),
    (given) =>
      post(world, "/sms/events", given, {
        ...JSON_TYPE,
        ...dialects.standardHeaders(given.toString("utf8"), dialects.ACME_SECRET)
      })
  )
]

const hooks = (world: World): ReadonlyArray<Subject> => {
  const options = {
    service: world.service,
    caller: { account: world.account, sandbox: true },
    logger: { error: () => {} }
  }
  const [SUPABASE, LOGTO, ZITADEL] = [
    dialects.ACME_SECRET,
    "Bearer 0123456789abcdef0123456789",
    "zitadel-signing-key-0123456789"
  ]
  const receivers = {
    supabase: supabase({ ...options, secret: `v1,${SUPABASE}` }),
    logto: logto({ ...options, authorization: LOGTO }),
    zitadel: zitadel({ ...options, signingKey: ZITADEL })
  }
  const headersOf: Readonly<Record<keyof typeof receivers, (given: Buffer) => Headers>> = {
    supabase: (given) => dialects.standardHeaders(given.toString("utf8"), SUPABASE),
    logto: () => ({ authorization: LOGTO }),
    zitadel: (given) => {
      const seconds = Math.floor(Date.now() / 1000)
      const signature = createHmac("sha256", ZITADEL).update(`${seconds}.`).update(given).digest("hex")
      return { "zitadel-signature": `t=${seconds},v1=${signature}` }
    }
  }
  const names = ["supabase", "logto", "zitadel"] as const
  return names.map((name) =>
    subject(`hooks of ${name}`, body(HOOKS[name]), async (given) => {
      const request = {
        method: "POST",
        headers: { ...JSON_TYPE, ...headersOf[name](given) },
        body: Uint8Array.from(given)
      }
      const response = await receivers[name].fetch(new Request("http://hooks.example/", request))
      const answer = await response.text()
      return response.status < 500 || response.status === 503
        ? world.readLog()
        : `answered ${response.status} ${answer}`
    })
  )
}

/** Subjects, each with the kind of service that it needs. */
const GROUPS: ReadonlyArray<readonly [Parameters<typeof openWorld>[0], (world: World) => ReadonlyArray<Subject>]> = [
  [
    {
      chatgw: Telegram.telegram({ token: Redacted.make(TOKEN), baseUrl: URL }),
      bizchat: whatsapp({
        token: Redacted.make("EAAG"),
        phoneNumberId: "1",
        baseUrl: URL,
        appSecret: Redacted.make(APP_SECRET)
      })
    },
    chats
  ],
  [{ sms: providers.twilio.layer({ baseUrl: URL, callbackUrl: CALLBACK }) }, twilio],
  [{ sms: providers.vonage.layer({ baseUrl: URL, callbackUrl: CALLBACK }) }, vonage],
  [{ sms: providers.generic.layer({ baseUrl: URL, callbackUrl: CALLBACK }) }, generic],
  [{}, hooks]
]

export const callbacks: Kind = {
  name: "callbacks",
  share: 7,
  run: async (count, seed) => {
    const results: Array<Result> = []
    for (const [options, subjects] of GROUPS) {
      const world = await openWorld(options)
      try {
        results.push(await kindOf("callbacks", 1, subjects(world)).run(Math.ceil(count / GROUPS.length), seed))
      } finally {
        await world.close()
      }
    }
    return {
      inputs: results.reduce((sum, { inputs }) => sum + inputs, 0),
      faults: results.flatMap(({ faults }) => faults),
      memory: results.at(-1)?.memory ?? null
    }
  }
}
