/**
 * Attempts: the sends of the door's verifications, and what became of them.
 *
 * Source: https://www.twilio.com/docs/verify/api/list-verification-attempts.
 */
import * as Effect from "effect/Effect"
import type { Attempt, ListBody, Verification } from "watchword"
import { Refused, invalid, json, notFound, time } from "./Answers.ts"
import type { Asked, Program, VerifyService } from "./Asked.ts"
import type { RecordedChannel } from "./Calls.ts"
import * as Channels from "./Channels.ts"
import { accountSid, deliveryOf, isSameSid, verificationOf, verificationSid } from "./Sids.ts"
import { isSent, sidOf } from "./Written.ts"

/** One page of a list: a page of verifications, with all of their attempts. */
export const list = Effect.fnUntraced(function* (asked: Asked) {
  const { query, urlOf } = asked
  const wanted = yield* wantedBy(asked)
  const size = Math.min(MOST_ROWS, Math.max(1, (yield* query.whole("PageSize")) ?? 50))
  const page = (yield* query.whole("Page")) ?? 0
  const found = yield* asked.calls.list({ ...wanted.body, rows_per_page: size, page: page + 1 })
  const attempts = found.list.flatMap((verification) => attemptsIn(asked, wanted, verification))
  const pageUrl = (number: number) =>
    urlOf(`/v2/Attempts?${new URLSearchParams([...wanted.given, ["PageSize", `${size}`], ["Page", `${number}`]])}`)
  return json(200, {
    attempts,
    meta: {
      key: "attempts",
      page,
      page_size: size,
      first_page_url: pageUrl(0),
      previous_page_url: page === 0 ? null : pageUrl(page - 1),
      next_page_url: found.has_next_page ? pageUrl(page + 1) : null,
      url: pageUrl(page)
    }
  })
})

/** As many records as a page may have. SDKs ask for a thousand. */
const MOST_ROWS = 100

/** A query: conditions on verifications, which the service filters, and on their attempts. */
interface Wanted {
  readonly given: ReadonlyArray<[name: string, value: string]>
  readonly body: ListBody<Verification>
  readonly services: ReadonlyArray<VerifyService>
  readonly channel: string | null
  readonly status: string | null
  readonly prefix: string | null
  readonly after: number | null
  readonly before: number | null
}

const FILTERS = [
  "DateCreatedAfter",
  "DateCreatedBefore",
  "ChannelData.To",
  "Country",
  "Channel",
  "VerifyServiceSid",
  "VerificationSid",
  "Status",
  "DestinationPrefix"
]

const wantedBy = Effect.fnUntraced(function* ({ query, services }: Asked) {
  const given: Array<[name: string, value: string]> = []
  for (const name of FILTERS) {
    const value = yield* query.text(name)
    if (value !== null) given.push([name, value])
  }
  const of = new Map(given)
  const [after, before] = [yield* query.time("DateCreatedAfter"), yield* query.time("DateCreatedBefore")]
  const sid = of.get("VerifyServiceSid")
  const all = yield* services.all
  const asked = sid === undefined ? all : all.filter((service) => isSameSid(service.sid, sid))
  const status = of.get("Status")?.toLowerCase() ?? null
  if (status !== null && status !== "converted" && status !== "unconverted") {
    return yield* invalid("Status must be converted or unconverted.")
  }
  const verification = of.get("VerificationSid")
  const [to, country] = [of.get("ChannelData.To"), of.get("Country")]
  const body: ListBody<Verification> = {
    filter: {
      // No verification has the purpose of a service that does not exist.
      purpose: asked.length === 0 ? "-" : asked.map(({ purpose }) => purpose),
      ...(to !== undefined && { to }),
      ...(country !== undefined && { country: country.toUpperCase() }),
      ...(verification !== undefined && { id: verificationOf(verification) ?? NO_VERIFICATION }),
      ...(status === "converted" && { status: "approved" as const }),
      ...((after !== null || before !== null) && {
        created_at: {
          // A code may be sent again until its verification has ended.
          ...(after !== null && { gte: new Date(after - LONGEST).toISOString() }),
          ...(before !== null && { lt: new Date(before).toISOString() })
        }
      })
    }
  }
  const wanted: Wanted = {
    given,
    body,
    services: asked,
    channel: of.get("Channel")?.toLowerCase() ?? null,
    status,
    prefix: of.get("DestinationPrefix") ?? null,
    after,
    before
  }
  return wanted
})

const LONGEST = 600_000
const NO_VERIFICATION = "vrf_00000000000000000000000000"

/** The attempts of a verification that a query asks for. */
const attemptsIn = (
  asked: Asked,
  { after, before, channel, prefix, services, status }: Wanted,
  verification: Verification
) => {
  const service = services.find(({ purpose }) => purpose === verification.purpose)
  if (service === undefined || (prefix !== null && !verification.to.startsWith(prefix))) return []
  return verification.attempts.flatMap((attempt, place) => {
    const at = Date.parse(attempt.at)
    const written = writtenOf(asked, service, verification, attempt, place)
    const isWanted =
      isSent(attempt) &&
      (after === null || at >= after) &&
      (before === null || at < before) &&
      (channel === null || written.channel === channel) &&
      (status === null || written.conversion_status === status)
    return isWanted ? [written] : []
  })
}

const writtenOf = (
  { account, urlOf }: Asked,
  { sid: service }: VerifyService,
  verification: Verification,
  attempt: Attempt,
  place: number
) => {
  const sid = sidOf(verification.id, attempt, place)
  const isConverted = isConvertedAt(verification, place)
  return {
    sid,
    account_sid: accountSid(account),
    service_sid: service,
    verification_sid: verificationSid(verification.id),
    date_created: time(attempt.at),
    date_updated: time(isConverted && verification.approved_at !== null ? verification.approved_at : attempt.at),
    conversion_status: isConverted ? "converted" : "unconverted",
    channel: Channels.written(attempt.channel),
    price: { value: String(attempt.price), currency: "eur" },
    channel_data: {
      to: verification.to,
      status: isConverted ? "confirmed" : verification.status === "expired" ? "expired" : "unconfirmed",
      message_status: messageStatuses[attempt.status] ?? "sent",
      error_code: null,
      country: verification.country,
      code_length: null,
      locale: null,
      mcc: null,
      mnc: null,
      carrier: null
    },
    url: urlOf(`/v2/Attempts/${sid}`)
  }
}

/** An approval is credited to the last send. */
const isConvertedAt = ({ attempts, status }: Verification, place: number): boolean =>
  status === "approved" && place === attempts.findLastIndex(isSent)

const messageStatuses: Readonly<Record<string, string>> = {
  opening: "queued",
  accepted: "sent",
  delivered: "delivered",
  undelivered: "undelivered",
  unpaid: "failed",
  revoked: "canceled"
}

export const fetch = Effect.fnUntraced(function* (asked: Asked, sid: string, path: string) {
  const delivery = deliveryOf(sid)
  if (delivery === null) return yield* notFound(path)
  const to = yield* numberOf(asked, delivery)
  if (to === null) return yield* notFound(path)
  const services = yield* asked.services.all
  const filter = { to, purpose: services.map(({ purpose }) => purpose) }
  for (let page = 1; page <= MOST_PAGES_OF_A_NUMBER; page++) {
    const { has_next_page, list } = yield* asked.calls.list({ rows_per_page: MOST_ROWS, page, filter })
    for (const verification of list) {
      const service = services.find(({ purpose }) => purpose === verification.purpose)
      const place = verification.attempts.findIndex(({ delivery_id }) => delivery_id === delivery)
      const attempt = verification.attempts[place]
      if (service !== undefined && attempt !== undefined) {
        return json(200, writtenOf(asked, service, verification, attempt, place))
      }
    }
    if (!has_next_page) break
  }
  return yield* notFound(path)
})

const MOST_PAGES_OF_A_NUMBER = 10

const RECORDED: ReadonlyArray<RecordedChannel> = ["sms", "bizchat", "call", "chatgw"]

/** The number of a delivery. An attempt's SID does not say which channel has its record. */
const numberOf = ({ calls }: Asked, delivery: string): Program<string | null> =>
  Effect.gen(function* () {
    for (const channel of RECORDED) {
      const to = yield* Effect.catchTag(calls.numberOf(channel, delivery), "Refused", () => Effect.succeed(null))
      if (to !== null) return to
    }
    return null
  })

export const summary = Effect.fnUntraced(function* (asked: Asked) {
  const wanted = yield* wantedBy(asked)
  const counted = { attempts: 0, converted: 0 }
  for (let page = 1; ; page++) {
    const found = yield* asked.calls.list({ ...wanted.body, rows_per_page: MOST_ROWS, page })
    for (const verification of found.list) {
      const attempts = attemptsIn(asked, wanted, verification)
      counted.attempts += attempts.length
      counted.converted += attempts.filter(({ conversion_status }) => conversion_status === "converted").length
    }
    if (!found.has_next_page) break
    if (page === MOST_PAGES) return yield* tooMany
  }
  const { attempts, converted } = counted
  return json(200, {
    total_attempts: attempts,
    total_converted: converted,
    total_unconverted: attempts - converted,
    conversion_rate_percentage: attempts === 0 ? "0.0" : ((converted / attempts) * 100).toFixed(1),
    url: asked.urlOf("/v2/Attempts/Summary")
  })
})

const MOST_PAGES = 100

const tooMany = new Refused({
  code: 60200,
  message:
    "Invalid parameter: DateCreatedAfter and DateCreatedBefore must name a period of at most 10,000 verifications."
})
