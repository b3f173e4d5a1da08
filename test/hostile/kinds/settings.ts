/**
 * Settings: environment variables, price tables, rules and URLs. What cannot be used is refused in one sentence.
 */
import * as Sip from "@watchword/call/options"
import * as Rules from "../../../packages/guards/src/Rules.ts"
import * as PriceTable from "../../../packages/ledger/src/PriceTable.ts"
import { poolOfCallers } from "@watchword/schemas/Originators"
import * as Money from "@watchword/schemas/Money"
import * as Smpp from "@watchword/sms/options"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Settings from "../../../packages/standalone/src/settings/Settings.ts"
import { spoilt, text } from "../inputs.ts"
import { kindOf, subject } from "../properties.ts"

const SECRET = "s3cret-of-this-test"

const URLS = [
  `smpp://id:${SECRET}@127.0.0.1:2775?window=10&timeout=5`,
  `ssmpp://id:${SECRET}@a.example,smpp://b.example?tlv_1400=x`,
  `sip:client:${SECRET}@127.0.0.1:5060;transport=tcp;keepalive=5;cps=10`,
  `sips:client:${SECRET}@trunk.example`,
  `postgres://user:${SECRET}@127.0.0.1/db`
]

const url = fc.oneof(
  fc.tuple(fc.constantFrom(...URLS), fc.nat(), text(15)).map(([valid, at, other]) => {
    const place = at % (valid.length + 1)
    return valid.slice(0, place) + other + valid.slice(place + (at % 4))
  }),
  text()
)

const NAMES = [
  "HOST",
  "PORT",
  "BASE_PATH",
  "PUBLIC_URL",
  "DATABASE_URL",
  "DATABASE_SCHEMA",
  "DATABASE_CONNECTIONS",
  "OPERATIONS_HOST",
  "OPERATIONS_PORT",
  "MAX_CONNECTIONS",
  "DRAIN_SECONDS",
  "DOCS",
  "TRUSTED_PROXIES",
  "PRICES",
  "GUARDS",
  "VERIFY_SECRET",
  "SMPP_URL",
  "SIP_URL",
  "SIP_LISTEN",
  "SMS_HTTP_PROVIDER",
  "SMS_HTTP_URL",
  "SMS_HTTP_RATE",
  "TWILIO_ACCOUNT_SID",
  "TWILIO_AUTH_TOKEN",
  "VONAGE_API_KEY",
  "VONAGE_API_SECRET",
  "CHATGW_TOKEN",
  "CHATGW_URL",
  "BIZCHAT_TOKEN",
  "BIZCHAT_PHONE_NUMBER_ID",
  "BIZCHAT_APP_SECRET",
  "HOOKS_ACCOUNT",
  "SUPABASE_HOOK_SECRET",
  "LOGTO_HOOK_AUTHORIZATION",
  "LOG_LEVEL",
  "WEBHOOK_ALLOW_PRIVATE",
  "OTEL_EXPORTER_OTLP_ENDPOINT"
]

/** Settings that may have a password have one here. */
const environment = fc
  .dictionary(fc.constantFrom(...NAMES), fc.tuple(url, text()))
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).map(([name, [address, other]]) => [name, SECRET_NAMES.has(name) ? address : other])
    )
  )

const SECRET_NAMES = new Set(["DATABASE_URL", "SMPP_URL", "SIP_URL", "CHATGW_TOKEN", "VERIFY_SECRET"])

/** A refusal is one sentence without the password. */
const isDiscreet = (error: unknown): string | undefined => {
  const said = error instanceof Error ? error.message : JSON.stringify(error)
  return said.includes(SECRET) ? `the password is in the message: ${said}` : undefined
}

const RULES = {
  action: "deny",
  countries: { allow: ["DE", "AT"] },
  numbers: { deny_types: ["premium_rate"] },
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1/30s", "5/1h"] },
    { name: "spend", by: ["account"], money: "200/1d" }
  ],
  pumping: { country: { floor: 20, share: 0.2, window: "1d" }, block: "12h" }
}

const PRICES = { sms: { "*": 0.05, "49": "0.07" }, call: { "*": 0.02 }, chatgw: { "1": 0.000001 } }

export const settings = kindOf("settings", 12, [
  subject("environments", environment, (given) => {
    const read = Settings.read(given)
    return Result.isFailure(read) ? isDiscreet(read.failure) : undefined
  }),
  subject("SMPP URLs", url, (given) => {
    const read = Smpp.fromUrls(given)
    return Result.isFailure(read) ? isDiscreet(read.failure) : undefined
  }),
  subject("SIP URLs", url, (given) => {
    const read = Sip.fromUrls(given)
    return Result.isFailure(read) ? isDiscreet(read.failure) : undefined
  }),
  subject("addresses to listen at", text(), Sip.listenAt),
  subject("price tables", spoilt(PRICES), (given) => void PriceTable.parse(given)),
  subject("rules of guards", spoilt(RULES), (given) => void Effect.runSync(Effect.result(Rules.parse(given)))),
  subject("amounts", fc.oneof(text(), fc.double(), fc.integer()), (given) => void Money.fromEuros(given)),
  subject(
    "pools of callers",
    fc.array(fc.oneof(text(), fc.constantFrom("+493023125000-+493023125999", "+1-+2"))),
    (given) => {
      try {
        poolOfCallers(given)
      } catch (error) {
        return error instanceof RangeError || error instanceof TypeError ? String(error) : undefined
      }
      return undefined
    }
  )
])
