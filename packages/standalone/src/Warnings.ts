/**
 * Warnings about settings that work, and that an operator is unlikely to want.
 */
import * as Networks from "@watchword/auth/Networks"
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import { doubts } from "@watchword/guards/operator"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { hindrances } from "./CallsToUs.ts"
import { losses } from "./Losses.ts"
import { priceWarnings } from "./PriceWarnings.ts"
import { staleRate } from "./settings/RateSettings.ts"
import { baseUrlOf, hasBasePath } from "./settings/ServerSettings.ts"
import type { Settings } from "./settings/Settings.ts"
import type { Carrier } from "./settings/CarrierEntry.ts"

/** One sentence for each thing that an operator is unlikely to want. */
export const warnings = (settings: Settings): ReadonlyArray<string> => [
  ...publicUrl(settings),
  ...settings.trimmed.map((name) => `${name} has spaces or line breaks around its value; they are ignored.`),
  ...unpriced(settings),
  ...overpriced(settings),
  ...stale(settings),
  ...losses(settings).map((loss) => `PRICES: ${loss}`),
  ...doubtful(settings),
  ...hindrances(settings, isLocal),
  ...gatewaysAndSecrets(settings)
]

/** One sentence for a missing secret, and for each gateway whose messages and secrets cross other networks in clear. */
const gatewaysAndSecrets = ({
  bizchat,
  carriers,
  chatgw,
  database,
  secret,
  sip,
  smpp,
  smsHttp
}: Settings): ReadonlyArray<string> => [
  ...platform(Option.getOrNull(bizchat)),
  ...(Option.exists(chatgw, ({ callbackUrl }) => callbackUrl === undefined)
    ? [
        "PUBLIC_URL is not an https address: the chat gateway cannot report outcomes, and records learn of them when a " +
          "customer asks for a status."
      ]
    : []),
  ...(Option.exists(smsHttp, ({ options }) => options.callbackUrl === undefined)
    ? ["PUBLIC_URL is not an https address: the SMS provider cannot report outcomes."]
    : []),
  ...Option.toArray(smsHttp).flatMap((http) =>
    http.isUnsigned()
      ? [`${http.variableOf("signatureSecret")} is not set: receipts are rejected, and texts stay in the status sent.`]
      : []
  ),
  ...(database._tag === "Postgres" && Option.isNone(secret)
    ? [
        "VERIFY_SECRET is not set, and all servers on one database need the same: verifications are answered 503, and " +
          "codes can be guessed from a copy of the database for a day."
      ]
    : []),
  ...inClear("SMS_HTTP_URL", webHost(Option.getOrNull(smsHttp)?.options.baseUrl), "https"),
  ...inClear("CHATGW_URL", webHost(Option.getOrNull(chatgw)?.baseUrl), "https"),
  ...inClear("BIZCHAT_URL", webHost(Option.getOrNull(bizchat)?.baseUrl), "https"),
  ...(Option.getOrNull(smpp)?.links ?? []).flatMap(({ host, tls }) =>
    tls === null ? inClear("SMPP_URL", host, "ssmpp") : []
  ),
  ...(Option.getOrNull(carriers)?.carriers ?? []).flatMap(ofCarrier),
  ...(Option.getOrNull(sip)?.trunks ?? []).flatMap(({ host, protocol }) =>
    protocol === "tls" ? [] : inClear("SIP_URL", host, "transport=tls")
  )
]

const ofCarrier = ({ by, name }: Carrier): ReadonlyArray<string> => {
  const setting = `CARRIERS, ${name}`
  if (by._tag === "Smpp") {
    return by.options.links.flatMap(({ host, tls }) => (tls === null ? inClear(setting, host, "ssmpp") : []))
  }
  if (by._tag === "Sip") {
    return by.options.trunks.flatMap(({ host, protocol }) =>
      protocol === "tls" ? [] : inClear(setting, host, "transport=tls")
    )
  }
  const { baseUrl, callbackUrl } = by.http.options
  return [
    ...(callbackUrl === undefined
      ? [`PUBLIC_URL is not an https address: the carrier ${name} is not asked to report outcomes.`]
      : []),
    ...(by.http.isUnsigned()
      ? [`${setting}: without signatureSecret receipts are rejected, and texts stay in the status sent.`]
      : []),
    ...inClear(setting, webHost(baseUrl), "https")
  ]
}

const publicUrl = (settings: Settings): ReadonlyArray<string> =>
  hasBasePath(settings)
    ? [
        `PUBLIC_URL ends with ${settings.basePath}, which BASE_PATH puts behind it: leave it out. The interface is taken ` +
          `to be at ${baseUrlOf(settings, "")}.`
      ]
    : []

const named = (carriers: Settings["carriers"], channel: Carrier["channel"]): Settings["carriers"] =>
  Option.filter(carriers, (each) => each.carriers.some((carrier) => carrier.channel === channel))

/** Prices whose prefix sells more than it seems to. */
const overpriced = (settings: Settings): ReadonlyArray<string> =>
  Option.toArray(settings.prices).flatMap((prices) =>
    priceWarnings(prices, liveProducts(settings), Option.getOrNull(settings.guards))
  )

/** Currencies whose rate of today is missing. */
const stale = ({ carriers }: Settings): ReadonlyArray<string> =>
  Option.toArray(carriers).flatMap(({ carriers, rates }) => {
    const used = carriers.flatMap(({ costs, currency }) => (costs === null || currency === "EUR" ? [] : [currency]))
    return [...new Set(used)].flatMap((currency) => staleRate(rates, currency))
  })

/** Doubtful rules of the installation. */
const doubtful = ({ guards }: Settings): ReadonlyArray<string> =>
  Option.toArray(guards)
    .flatMap(doubts)
    .map((doubt) => `GUARDS: ${doubt}`)

/** The products that live gateways sell. */
const liveProducts = ({ bizchat, carriers, chatgw, sip, smpp, smsHttp }: Settings): ReadonlyArray<string> => {
  const gateways: Readonly<Record<string, ReadonlyArray<Option.Option<unknown>>>> = {
    call: [named(carriers, "call"), sip],
    sms: [named(carriers, "sms"), smpp, smsHttp],
    chatgw: [chatgw],
    bizchat: [bizchat]
  }
  return ChannelRegistry.builtIn
    .filter(({ name }) => gateways[name]?.some(Option.isSome))
    .flatMap(({ products }) => products.map(({ name }) => name))
}

/** The products of live channels that a price table leaves out. */
const unpriced = (settings: Settings): ReadonlyArray<string> => {
  const missing = Option.match(settings.prices, {
    onNone: () => [],
    onSome: ({ byProduct }) => liveProducts(settings).filter((product) => !byProduct.get(product)?.byPrefix.size)
  })
  return missing.length === 0
    ? []
    : [`live without a price: ${missing.join(", ")}. Live keys are answered 400 there until PRICES has one.`]
}

/** Names at the WhatsApp Cloud API that it would not take. Source: its reference of message templates. */
const platform = (options: WhatsApp.Options | null): ReadonlyArray<string> => [
  ...(/^[0-9]*$/.test(options?.phoneNumberId ?? "")
    ? []
    : ["BIZCHAT_PHONE_NUMBER_ID must be the numeric id that the WhatsApp Cloud API shows."]),
  ...(/^[a-z0-9_]*$/.test(options?.template?.name ?? "")
    ? []
    : ["BIZCHAT_TEMPLATE may contain only lowercase letters, digits and underscores."])
]

const inClear = (setting: string, host: string | null, remedy: string): ReadonlyArray<string> =>
  host === null || isLocal(host)
    ? []
    : [`${setting}: messages and secrets go to ${host} unencrypted; use ${remedy}, or a private network.`]

/** The host of an http address; null if the address is https, or none is set. */
const webHost = (address: string | undefined): string | null => {
  const url = address === undefined ? null : new URL(address)
  return url?.protocol === "http:" ? url.hostname : null
}

/** Addresses of this machine and of private networks. Source: RFC 1918, RFC 6598, RFC 4193, RFC 3927, RFC 4291. */
const local = Result.getOrThrow(
  Networks.parse([
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "::1",
    "fc00::/7",
    "fe80::/10"
  ])
)

const isLocal = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || Networks.contains(local, host)
