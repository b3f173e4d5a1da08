/**
 * Mistakes in the options of programs without types.
 */
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Logger from "./Logger.ts"
import type * as Services from "../Services.ts"

/** The options that `createWatchword` adds to a service's own options. */
type Own = "clock" | "logger" | "observability"

const known: Readonly<Record<keyof Services.Options | Own, true>> = {
  alarms: true,
  background: true,
  beforeSend: true,
  bizchat: true,
  call: true,
  channels: true,
  chatgw: true,
  clock: true,
  guards: true,
  logger: true,
  maxBodyBytes: true,
  observability: true,
  pages: true,
  prices: true,
  publicUrl: true,
  reconcile: true,
  secret: true,
  sms: true,
  store: true,
  telegramLogin: true,
  trustTraceparent: true,
  trustedProxies: true,
  verify: true,
  webhooks: true
}

/** How to make the value of an option that is not plain data. */
const made = {
  sms: 'a gateway, for example smpp({ url: "smpp://id:password@host:2775" }) of @watchword/sms/smpp',
  call: 'a gateway, for example sip({ url: "sip:user:password@host" }) of @watchword/call/sip',
  chatgw: 'a gateway, for example telegram({ token: "AAEAAA…" }) of @watchword/chatgw/telegram',
  bizchat: "a gateway, for example whatsapp({ … }) of @watchword/bizchat/whatsapp",
  alarms: 'alarms, for example alarms({ slack: "https://hooks.slack.com/services/…" }) of watchword',
  pages: 'pages, for example Docs.layer({ baseUrl: "/v1" }) of @watchword/server/Docs',
  observability: "an Effect layer",
  telegramLogin:
    'a login, for example telegramLogin({ clientId: "123456789", clientSecret: "…" }) of watchword/telegramLogin',
  publicUrl: "an http or https address without a user and a query"
} as const satisfies Partial<Record<keyof typeof known, string>>

/**
 * Throws a `TypeError` if there is no store, for an unknown option, which would be ignored, and for an option that
 * holds the input of its constructor instead of the result. The message repeats no value, because gateway addresses
 * contain passwords.
 */
export const check = (options: unknown): void => {
  if (!Predicate.hasProperty(options, "store") || !Layer.isLayer(options.store)) {
    throw new TypeError(
      'createWatchword needs the option store, for example sqlite("watchword.db") of @watchword/store-sqlite'
    )
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    throw new TypeError(`createWatchword has no option ${unknown}; it has ${Object.keys(known).join(", ")}`)
  }
  for (const [name, what] of Object.entries(made)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined || isMade(name, value)) continue
    throw new TypeError(`createWatchword needs in ${name} ${what}, and has been given ${kindOf(value)}`)
  }
  const logger: unknown = Reflect.get(options, "logger")
  if (logger === undefined || Logger.isLogger(logger)) return
  throw new TypeError(
    `createWatchword needs in logger an object with debug, info, warn or error, such as console, and has been given ${kindOf(logger)}`
  )
}

const isMade = (name: string, value: unknown): boolean => {
  if (name === "publicUrl") return isAddress(value)
  return name === "telegramLogin" ? Predicate.hasProperty(value, "start") : Layer.isLayer(value)
}

const isAddress = (value: unknown): boolean => typeof value === "string" && /^https?:\/\/[^\s?#@]+$/.test(value)

const kindOf = (value: unknown): string => {
  if (typeof value === "string") return "a text"
  if (value === null) return "null"
  return `a${/^[aeiou]/.test(typeof value) ? "n" : ""} ${typeof value}`
}
