/**
 * Problems that an operator should know of, as sentences with a place of the console where more is to be seen.
 */
import { type EndingFacts, endingProblems } from "./EndingProblems.ts"
import type { HourCounts } from "./HourCounts.ts"
import { type NumberFacts, numberProblems } from "./NumberProblems.ts"
import type { OwnerFacts } from "./OwnerFacts.ts"
import type { Problem } from "./Problem.ts"
import { LIMITS } from "./ProblemRules.ts"
import { type TrafficFacts, trafficProblems } from "./TrafficProblems.ts"

export interface Facts extends Pick<HourCounts, "channels">, EndingFacts, NumberFacts, OwnerFacts, TrafficFacts {
  readonly unknown: { readonly count: number; readonly oldest: number | null }
  readonly events: { readonly pending: number; readonly oldestPending: number | null }
  readonly notices: ReadonlyArray<{ readonly text: string; readonly severity: Problem["severity"] }>
  /** Prices below cost, in sentences. */
  readonly belowCost: ReadonlyArray<string>
  readonly migrations: { readonly database: number; readonly program: number } | null
}

/** @returns the bad ones first */
export const problemsOf = (facts: Facts, now: number): ReadonlyArray<Problem> => {
  const channels = facts.channels.flatMap(ofChannel)
  const failing = channels.find(({ kind }) => kind === "channel_failing")?.about ?? null
  return [
    ...trafficProblems(facts, now).map((problem) => doubted(problem, failing)),
    ...numberProblems(facts),
    ...channels,
    ...ofMigrations(facts),
    ...facts.notices.map(ofNotice),
    ...ofUnknown(facts),
    ...ofEvents(facts, now),
    ...facts.webhooks.map(ofWebhook),
    ...ofPrices(facts),
    ...facts.lowBalances.map(ofBalance),
    ...endingProblems(facts, now),
    ...facts.blocks.map(ofBlock)
  ].toSorted((a, b) => a.severity.localeCompare(b.severity))
}

/** Codes that a carrier loses are not entered either. */
const doubted = (problem: Problem, failing: string | null): Problem =>
  problem.kind === "attack" && failing !== null
    ? { ...problem, text: `${problem.text} Sends by ${failing} fail too: look at the carrier before you block.` }
    : problem

const ofChannel = ({ channel, hour, weekAgo }: Facts["channels"][number]): ReadonlyArray<Problem> => {
  const { failed, sends, times } = LIMITS.channel
  const usual = weekAgo.failed / Math.max(1, weekAgo.sent)
  const share = hour.failed / Math.max(1, hour.sent)
  if (hour.sent === 0 && weekAgo.sent >= sends) {
    const text = `Nothing was sent by ${channel} in the last hour; a week ago it was ${weekAgo.sent} in the same hour.`
    return [{ kind: "channel_silent", about: channel, severity: "bad", text, link: "#/connections", act: null }]
  }
  if (hour.sent < sends || share < failed || share < times * usual) return []
  const text = `${percent(share)} of the last hour's sends by ${channel} failed; a week ago it was ${percent(usual)}.`
  return [{ kind: "channel_failing", about: channel, severity: "bad", text, link: "#/traffic", act: null }]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const ofMigrations = ({ migrations }: Facts): ReadonlyArray<Problem> => {
  if (migrations === null || migrations.database >= migrations.program) return []
  const text = `The database has version ${migrations.database}, the program ${migrations.program}: run watchword migrate.`
  return [{ kind: "migrations_pending", about: "", severity: "bad", text, link: "#/connections", act: null }]
}

const ofNotice = ({ severity, text }: Facts["notices"][number]): Problem => ({
  kind: "platform",
  about: text,
  severity,
  text,
  link: "#/connections",
  act: null
})

const ofUnknown = ({ unknown: { count, oldest } }: Facts): ReadonlyArray<Problem> => {
  if (oldest === null) return []
  const text = `The outcome of ${count} ${count === 1 ? "send" : "sends"} is unknown; the oldest is from ${iso(oldest)}.`
  return [{ kind: "sends_unknown", about: "", severity: "warn", text, link: "#/live", act: null }]
}

const ofEvents = ({ events: { oldestPending, pending } }: Facts, now: number): ReadonlyArray<Problem> => {
  if (oldestPending === null || now - oldestPending < LIMITS.events.late) return []
  const severity = now - oldestPending < LIMITS.events.bad ? "warn" : "bad"
  const text = `${pending} ${pending === 1 ? "event is" : "events are"} waiting for webhooks; the oldest is from ${iso(oldestPending)}.`
  return [{ kind: "events_late", about: "", severity, text, link: "#/connections", act: null }]
}

const ofWebhook = ({ disabled, failingSince, id }: Facts["webhooks"][number]): Problem =>
  disabled === null
    ? {
        kind: "webhook_failing",
        about: id,
        severity: "warn",
        text: `Webhook ${id} has accepted no event since ${iso(failingSince)}.`,
        link: `#/connections?webhook=${id}`,
        act: null
      }
    : {
        kind: "webhook_disabled",
        about: id,
        severity: "bad",
        text: `Webhook ${id} is disabled: ${disabled === "gone" ? "it answered 410" : "it failed for five days"}.`,
        link: `#/connections?webhook=${id}`,
        act: { command: "webhook enable", label: "Enable it", input: { webhook_id: id } }
      }

const ofPrices = ({ belowCost }: Facts): ReadonlyArray<Problem> =>
  belowCost.slice(0, LIMITS.prices.shown).map((text) => ({
    kind: "price_below_cost",
    about: text,
    severity: "warn",
    text,
    link: "#/traffic",
    act: null
  }))

const ofBalance = ({ account, available, name }: Facts["lowBalances"][number]): Problem => ({
  kind: "balance_low",
  about: account,
  severity: available > 0 ? "warn" : "bad",
  text: `The account ${name || account} has ${available / 1_000_000} EUR left.`,
  link: `#/accounts/${account}`,
  act: { command: "account credit", label: "Add money", input: { account_id: account } }
})

const ofBlock = ({ place, until }: Facts["blocks"][number]): Problem => ({
  kind: "pumping",
  about: place,
  severity: "warn",
  text: `Guards block ${place} for pumping until ${iso(until)}.`,
  link: "#/guards",
  act: null
})

const iso = (at: number): string => new Date(at).toISOString()
