/**
 * The script of the network: which sends fail, and how.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { type ChannelName, type Outcomes, outcomeByNumber, outcomes } from "@watchword/sandbox/simulator"
import { millisOf } from "./millisOf.ts"
import { numberOf } from "./numberOf.ts"

/** Which sends a failure is for. */
export interface Failing {
  /** The number that fails, in E.164; every number unless given. */
  readonly to?: string
  /** Whether only the next such send fails; false unless given: sends then fail until `heal`. */
  readonly once?: boolean
  /** Seconds by the kit's clock until a `late` message arrives; 300 unless given. */
  readonly after?: number
}

interface Rule<C extends ChannelName> {
  readonly outcome: Outcomes[C]
  readonly to: E164 | null
  readonly once: boolean
  readonly after: number
}

type Rules = { readonly [C in ChannelName]: Array<Rule<C>> }

export interface Chosen<C extends ChannelName> {
  readonly outcome: Outcomes[C] | "delivered"
  /** Milliseconds until a late message arrives. */
  readonly after: number
}

const LATE = 300

export class Script {
  readonly #rules: Rules = { sms: [], call: [], chatgw: [], bizchat: [] }

  fail<C extends ChannelName>(channel: C, outcome: Outcomes[C], { after = LATE, once = false, to }: Failing): void {
    mustBe("channel", channel, Object.keys(outcomes))
    mustBe("outcome", outcome, outcomes[channel])
    const rules: Array<Rule<C>> = this.#rules[channel]
    const millis = millisOf(after)
    rules.unshift({ outcome, once, to: to === undefined ? null : numberOf(to), after: millis })
  }

  /** Ends the scripted failures of one channel or of all. */
  heal(channel?: ChannelName): void {
    if (channel !== undefined) mustBe("channel", channel, Object.keys(outcomes))
    for (const rules of channel === undefined ? Object.values(this.#rules) : [this.#rules[channel]]) rules.length = 0
  }

  /** The outcome of a send: by the newest rule that is for it, else by its number. */
  choose<C extends ChannelName>(channel: C, to: E164): Chosen<C> {
    const rules: Array<Rule<C>> = this.#rules[channel]
    const rule = rules.find((each) => each.to === null || each.to === to)
    if (rule === undefined) return { outcome: outcomeByNumber(channel, to) ?? "delivered", after: 0 }
    if (rule.once) rules.splice(rules.indexOf(rule), 1)
    return rule
  }

  /**
   * The outcome of a question whether a number can be reached. A rule for messages that are taken waits for the
   * message.
   */
  chooseForProbe(to: E164): Chosen<"chatgw"> {
    const rule = this.#rules.chatgw.find((each) => each.to === null || each.to === to)
    return rule === undefined || OF_PROBES.has(rule.outcome)
      ? this.choose("chatgw", to)
      : { outcome: "delivered", after: 0 }
  }
}

/** Outcomes with which a probe gets no answer, or the answer that there is no account. */
const OF_PROBES: ReadonlySet<string> = new Set(["refused", "throttled", "unreachable", "unknown", "no-account"])

const mustBe = (name: string, given: string, allowed: ReadonlyArray<string>): void => {
  if (!allowed.includes(given))
    throw new TypeError(`${name} must be one of ${allowed.join(", ")}, but is ${String(given)}`)
}
