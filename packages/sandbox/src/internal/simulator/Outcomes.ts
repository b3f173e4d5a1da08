/**
 * The outcomes of sends, in one vocabulary: for the last four digits of a number, which choose a scenario, for the
 * settings of a phone, and for `fail` of the test kit.
 *
 * | digits | scenario |
 * |---|---|
 * | 0001 | sent, without any later event |
 * | 0002 | undelivered, or failed |
 * | 0003 | the number has no account on the chat app |
 * | 0004 | expired |
 * | 0402 | the account's balance is too small |
 * | 0403 | the number is blocked |
 * | 0404 | no price is set for the number |
 * | 0429 | a guard's limit |
 * | 0480 | the gateway is unreachable for the moment |
 * | 0486 | busy (calls only) |
 * | 0503 | the gateway is disconnected |
 * | 0603 | declined (calls only) |
 * | any other | delivered |
 *
 * `insufficient-balance`, `blocked`, `unsold` and `limited` are played before a gateway is asked; each channel's
 * sandbox gateway plays the others, and treats outcomes that its channel does not have as `delivered`.
 */
import {
  BusyHere,
  Decline,
  type DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { PhoneSettings } from "@watchword/schemas/SandboxPhone"

const scenarios = {
  "0001": "silent",
  "0002": "undelivered",
  "0003": "no-account",
  "0004": "expired",
  "0402": "insufficient-balance",
  "0403": "blocked",
  "0404": "unsold",
  "0429": "limited",
  "0480": "throttled",
  "0486": "busy",
  "0503": "unreachable",
  "0603": "declined"
} as const

export type Scenario = (typeof scenarios)[keyof typeof scenarios] | "delivered"

const isChoice = (digits: string): digits is keyof typeof scenarios => Object.hasOwn(scenarios, digits)

/** The scenario that a number chooses. */
export const scenarioOf = (to: E164): Scenario => {
  const digits = to.slice(-4)
  return isChoice(digits) ? scenarios[digits] : "delivered"
}

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

/** Outcomes of a message to a chat app: the outcomes of a text, and 404 for a number that is not on the app. */
export type ChatgwOutcome = TextOutcome | "no-account"

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
  readonly chatgw: ChatgwOutcome
  readonly bizchat: ChatgwOutcome
}

export type ChannelName = keyof Outcomes

const texts = ["refused", "throttled", "unreachable", "unknown", "undelivered", "late", "silent"] as const
const onApps = [...texts, "no-account"] as const

/** The same at run time, for programs without types. */
export const outcomes: { readonly [C in ChannelName]: ReadonlyArray<Outcomes[C]> } = {
  sms: texts,
  call: ["busy", "declined", "unavailable", "throttled", "unreachable", "dropped"],
  chatgw: onApps,
  bizchat: onApps
}

/** The outcomes that there are. A chat that is read has arrived. */
export type Outcome = Scenario | TextOutcome | ChatgwOutcome | CallOutcome | "read"

/** What calls have another word for. */
const ofCalls: { readonly [S in Scenario]?: CallOutcome } = { undelivered: "dropped", throttled: "unavailable" }

/** The outcome of a call to a number. */
export const callOutcomeOf = (to: E164): Outcome => {
  const scenario = scenarioOf(to)
  return ofCalls[scenario] ?? scenario
}

/** The outcome of `fail` that the last digits of a number choose on a channel; null if they choose no such outcome. */
export const outcomeByNumber = <C extends ChannelName>(channel: C, to: E164): Outcomes[C] | null => {
  const chosen = channel === "call" ? callOutcomeOf(to) : scenarioOf(to)
  const named: string = chosen === "expired" ? "undelivered" : chosen
  return outcomes[channel].find((outcome) => outcome === named) ?? null
}

const calls: { readonly [C in PhoneSettings["call"]]: Outcome } = {
  ring: "delivered",
  decline: "declined",
  busy: "busy",
  unreachable: "unavailable"
}

const chats: { readonly [C in PhoneSettings["bizchat"]]: Outcome } = {
  read: "read",
  deliver: "delivered",
  none: "no-account"
}

/** The outcome that a phone chooses on a channel. */
export const outcomeOnPhone: { readonly [C in ChannelName]: (phone: PhoneSettings) => Outcome } = {
  sms: ({ sms }) => (typeof sms !== "string" ? "late" : sms === "undelivered" ? sms : "delivered"),
  call: ({ call, offline }) => (offline ? "unavailable" : calls[call]),
  chatgw: ({ chatgw }) => (chatgw ? "delivered" : "no-account"),
  bizchat: ({ bizchat }) => chats[bizchat]
}

/** Words for the failures of a channel's gateway, and the scenarios that only some channels have. */
export interface Words {
  /** For example `carrier`. */
  readonly gateway: string
  /** For example `The number has no account on the chat app.`; left out where numbers need none. */
  readonly noAccount?: string
  /** Whether recipients can be busy and decline. */
  readonly rings?: boolean
}

/** The failure by which a gateway refuses a send at once; null if the outcome is not a refusal. */
export const refusalOf = (outcome: Outcome, { gateway, noAccount, rings = false }: Words): DeliveryFailure | null => {
  switch (outcome) {
    case "throttled":
    case "unavailable":
      return new TemporaryUnavailable({ message: `The sandbox's ${gateway} is unreachable for the moment.` })
    case "unreachable":
      return new ServiceUnavailable({ message: `The sandbox's ${gateway} is disconnected.` })
    case "no-account":
      return noAccount === undefined ? null : new NotFound({ message: noAccount })
    case "busy":
      return rings ? new BusyHere({ message: "The recipient is busy." }) : null
    case "declined":
      return rings ? new Decline({ message: "The recipient declined the call." }) : null
    default:
      return null
  }
}
