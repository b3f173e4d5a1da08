/**
 * The startup line that lists the live parts: each channel with the hosts of its gateway, the store, and the guard
 * rules.
 */
import { ISSUER } from "@watchword/chatgw/telegramLogin"
import { isNone } from "@watchword/guards/Rules"
import type { OwnRules } from "@watchword/guards/operator"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { By, Carrier } from "./settings/CarrierEntry.ts"
import type { Database } from "./settings/DatabaseSettings.ts"
import type { Settings } from "./settings/Settings.ts"
import type { SmsHttp } from "./settings/providers/Provider.ts"

/**
 * Hosts, ports and names of databases, and nothing that is secret.
 *
 * @example
 * ```ts
 * // live: call none · sms smsc.example.com:2775 · chatgw none · bizchat none · store sqlite watchword.db ·
 * // sandbox on · guards default
 * ```
 */
export const live = (
  { beforeSend, bizchat, carriers, chatgw, database, guards, sip, smpp, smsHttp, telegramLogin }: Settings,
  own: Omit<OwnRules, "accounts"> = { own: 0, none: 0 }
): string =>
  "live: " +
  [
    `call ${named(carriers, "call") ?? hosts(Option.getOrNull(sip)?.trunks)}`,
    `sms ${named(carriers, "sms") ?? textsBy({ smpp, smsHttp })}`,
    `chatgw ${gateway(chatgw, "gatewayapi.telegram.org")}`,
    `bizchat ${gateway(bizchat, "graph.facebook.com")}`,
    ...Option.toArray(telegramLogin).map(({ issuer = ISSUER }) => `telegram login ${new URL(issuer).host}`),
    `store ${store(database)}`,
    "sandbox on",
    `guards ${rules({ guards }, own)}`,
    ...Option.match(beforeSend, {
      onNone: () => [],
      onSome: ({ fail, url }) => [`before send ${new URL(url).host}, fails ${fail}`]
    })
  ].join(" · ")

/** The guard rules in force: the rules of accounts without their own, and how many have others. */
export const rules = ({ guards }: Pick<Settings, "guards">, { none, own }: Omit<OwnRules, "accounts">): string => {
  const usual = Option.match(guards, {
    onNone: () => "default",
    onSome: (rules) => (isNone(rules) ? "none" : "by GUARDS")
  })
  if (own === 0) return usual
  return `${usual} (accounts with rules of their own: ${own}${none === 0 ? "" : `, of which guard nothing: ${none}`})`
}

const textsBy = ({ smpp, smsHttp }: Pick<Settings, "smpp" | "smsHttp">): string =>
  Option.isSome(smsHttp) ? provider(smsHttp.value) : hosts(Option.getOrNull(smpp)?.links)

/** The carriers of a channel by their names; null without any. */
const named = (carriers: Settings["carriers"], channel: Carrier["channel"]): string | null => {
  const all = (Option.getOrNull(carriers)?.carriers ?? []).filter((each) => each.channel === channel)
  return all.length === 0 ? null : all.map(({ by, name }) => `${name} (${place(by)})`).join(", ")
}

const place = (by: By): string => {
  switch (by._tag) {
    case "Smpp":
      return hosts(by.options.links)
    case "Sip":
      return hosts(by.options.trunks)
    case "Http":
      return provider(by.http)
  }
}

const hosts = (each: ReadonlyArray<{ readonly host: string; readonly port: number | null }> = []): string =>
  each.map(({ host, port }) => (port === null ? host : `${host}:${port}`)).join(", ") || "none"

const gateway = (options: Option.Option<{ readonly baseUrl?: string | undefined }>, usual: string): string =>
  Option.match(options, {
    onNone: () => "none",
    onSome: ({ baseUrl }) => (baseUrl === undefined ? usual : new URL(baseUrl).host)
  })

const provider = ({ options, provider }: SmsHttp): string =>
  options.baseUrl === undefined ? provider : `${provider} at ${new URL(options.baseUrl).host}`

const store = (database: Database): string =>
  database._tag === "Sqlite" ? `sqlite ${database.file}` : `postgres ${withoutSecrets(Redacted.value(database.url))}`

/** Host, port and database. An address that is not a URL, such as an address with a list of hosts, is not repeated. */
const withoutSecrets = (address: string): string => {
  if (!URL.canParse(address)) return "by DATABASE_URL"
  const { host, pathname } = new URL(address)
  return host + pathname
}
