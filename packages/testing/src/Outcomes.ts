/**
 * The outcomes that a test can ask the network for.
 */
import { type Scenario, scenarioOf } from "@watchword/sandbox/simulator"
import type { E164 } from "@watchword/schemas/PhoneNumber"

/**
 * Outcomes of a text.
 *
 * | | the app sees | the price |
 * |---|---|---|
 * | `refused` | 400: the gateway refuses it for good | is released |
 * | `throttled` | 480: the gateway takes no more for now | is released |
 * | `unreachable` | 503: the gateway is disconnected | is released |
 * | `unknown` | 480: no answer came; nothing arrives | stays held, and is released a day later |
 * | `undelivered` | 200, and later a record that says so; nothing arrives | is charged |
 * | `late` | 200; the text arrives after `after` | is charged |
 * | `silent` | 200; the text arrives, and no receipt ever | is charged |
 */
export type TextOutcome = "refused" | "throttled" | "unreachable" | "unknown" | "undelivered" | "late" | "silent"

/** Outcomes of a message to a chat app: those of a text, and 404 for a number that is not on the app. */
export type ChatOutcome = TextOutcome | "no-account"

/**
 * Outcomes of a call.
 *
 * | | the app sees | the price |
 * |---|---|---|
 * | `busy` | 486: the callee speaks | is released |
 * | `declined` | 603: the callee declines | is released |
 * | `unavailable` | 480: the callee's phone is off | is released |
 * | `throttled` | 480: too many calls are being placed | is released |
 * | `unreachable` | 503: no trunk can take the call | is released |
 * | `dropped` | 200; the phone rings, and the network ends the call a second later | is charged |
 */
export type CallOutcome = "busy" | "declined" | "unavailable" | "throttled" | "unreachable" | "dropped"

/** The outcomes of each channel. */
export interface Outcomes {
  readonly sms: TextOutcome
  readonly call: CallOutcome
  readonly chatgw: ChatOutcome
  readonly bizchat: ChatOutcome
}

export type ChannelName = keyof Outcomes

const texts = ["refused", "throttled", "unreachable", "unknown", "undelivered", "late", "silent"] as const
const chats = [...texts, "no-account"] as const

/** The same at run time, for programs without types. */
export const outcomes: { readonly [C in ChannelName]: ReadonlyArray<Outcomes[C]> } = {
  sms: texts,
  call: ["busy", "declined", "unavailable", "throttled", "unreachable", "dropped"],
  chatgw: chats,
  bizchat: chats
}

/** The outcome that the last digits of a number choose, as in the sandbox; null where they choose none. */
export const outcomeByNumber = <C extends ChannelName>(channel: C, to: E164): Outcomes[C] | null =>
  byScenario[channel][scenarioOf(to)] ?? null

type ByScenario<O> = { readonly [S in Scenario]?: O }

const textsByScenario: ByScenario<TextOutcome> = {
  silent: "silent",
  undelivered: "undelivered",
  expired: "undelivered",
  "temporarily-unavailable": "throttled",
  unavailable: "unreachable"
}

const chatsByScenario: ByScenario<ChatOutcome> = { ...textsByScenario, "no-account": "no-account" }

const byScenario: { readonly [C in ChannelName]: ByScenario<Outcomes[C]> } = {
  sms: textsByScenario,
  call: {
    undelivered: "dropped",
    "temporarily-unavailable": "unavailable",
    unavailable: "unreachable",
    busy: "busy",
    declined: "declined"
  },
  chatgw: chatsByScenario,
  bizchat: chatsByScenario
}
