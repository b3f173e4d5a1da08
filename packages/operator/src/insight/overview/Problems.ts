/**
 * Problems that an operator should know of, as sentences with a place of the console where more is to be seen.
 */
import type { HourCounts } from "./HourCounts.ts"
import type { OwnerFacts } from "./OwnerFacts.ts"

export interface Problem {
  readonly kind: string
  readonly severity: "bad" | "warn"
  readonly text: string
  /** A page of the console by its hash. */
  readonly link: string
}

export interface Facts extends Pick<HourCounts, "channels">, OwnerFacts {
  readonly unknown: { readonly count: number; readonly oldest: number | null }
  readonly events: { readonly pending: number; readonly oldestPending: number | null }
  readonly notices: ReadonlyArray<{ readonly text: string; readonly severity: Problem["severity"] }>
  readonly migrations: { readonly database: number; readonly program: number } | null
}

const MINUTE = 60_000

/** Fewer sends in an hour say nothing of a channel. */
const MANY = 20

/** @returns the bad ones first */
export const problemsOf = (facts: Facts, now: number): ReadonlyArray<Problem> =>
  [
    ...facts.channels.flatMap(ofChannel),
    ...ofMigrations(facts),
    ...facts.notices.map(ofNotice),
    ...ofUnknown(facts),
    ...ofEvents(facts, now),
    ...facts.webhooks.map(ofWebhook),
    ...facts.lowBalances.map(ofBalance),
    ...facts.blocks.map(ofBlock)
  ].toSorted((a, b) => a.severity.localeCompare(b.severity))

const ofChannel = ({ channel, hour, weekAgo }: Facts["channels"][number]): ReadonlyArray<Problem> => {
  const usual = weekAgo.failed / Math.max(1, weekAgo.sent)
  const share = hour.failed / Math.max(1, hour.sent)
  if (hour.sent === 0 && weekAgo.sent >= MANY) {
    const text = `Nothing was sent by ${channel} in the last hour; a week ago it was ${weekAgo.sent} in the same hour.`
    return [{ kind: "channel_silent", severity: "bad", text, link: "#/connections" }]
  }
  if (hour.sent < MANY || share < 0.2 || share < 2 * usual) return []
  const text = `${percent(share)} of the last hour's sends by ${channel} failed; a week ago it was ${percent(usual)}.`
  return [{ kind: "channel_failing", severity: "bad", text, link: "#/traffic" }]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const ofMigrations = ({ migrations }: Facts): ReadonlyArray<Problem> => {
  if (migrations === null || migrations.database >= migrations.program) return []
  const text = `The database has version ${migrations.database}, the program ${migrations.program}: run watchword migrate.`
  return [{ kind: "migrations_pending", severity: "bad", text, link: "#/connections" }]
}

const ofNotice = ({ severity, text }: Facts["notices"][number]): Problem => ({
  kind: "platform",
  severity,
  text,
  link: "#/connections"
})

const ofUnknown = ({ unknown: { count, oldest } }: Facts): ReadonlyArray<Problem> => {
  if (oldest === null) return []
  const text = `The outcome of ${count} ${count === 1 ? "send" : "sends"} is unknown; the oldest is from ${iso(oldest)}.`
  return [{ kind: "sends_unknown", severity: "warn", text, link: "#/live" }]
}

const ofEvents = ({ events: { oldestPending, pending } }: Facts, now: number): ReadonlyArray<Problem> => {
  if (oldestPending === null || now - oldestPending < 5 * MINUTE) return []
  const severity = now - oldestPending < 60 * MINUTE ? "warn" : "bad"
  const text = `${pending} ${pending === 1 ? "event is" : "events are"} waiting for webhooks; the oldest is from ${iso(oldestPending)}.`
  return [{ kind: "events_late", severity, text, link: "#/connections" }]
}

const ofWebhook = ({ disabled, failingSince, id }: Facts["webhooks"][number]): Problem =>
  disabled === null
    ? {
        kind: "webhook_failing",
        severity: "warn",
        text: `Webhook ${id} has accepted no event since ${iso(failingSince)}.`,
        link: "#/connections"
      }
    : {
        kind: "webhook_disabled",
        severity: "bad",
        text: `Webhook ${id} is disabled: ${disabled === "gone" ? "it answered 410" : "it failed for five days"}.`,
        link: "#/connections"
      }

const ofBalance = ({ account, available, name }: Facts["lowBalances"][number]): Problem => ({
  kind: "balance_low",
  severity: available > 0 ? "warn" : "bad",
  text: `The account ${name || account} has ${available / 1_000_000} EUR left.`,
  link: `#/accounts/${account}`
})

const ofBlock = ({ place, until }: Facts["blocks"][number]): Problem => ({
  kind: "pumping",
  severity: "warn",
  text: `Guards block ${place} for pumping until ${iso(until)}.`,
  link: "#/guards"
})

const iso = (at: number): string => new Date(at).toISOString()
