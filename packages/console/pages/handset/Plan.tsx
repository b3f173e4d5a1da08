/**
 * The plan of a number's newest verification: its sends, its next step and when that runs, and the live price.
 */
import type { PhoneCall, PhoneMessage, Presented, Verification } from "@watchword/client"
import type { VNode } from "preact"
import { Icon } from "../kit/Icon.tsx"
import { countdown, secondsTo } from "../kit/clock.ts"
import { next, verify } from "./api.ts"
import { act } from "./acts.ts"
import { calls, messages, verificationOf } from "./phones.ts"
import { channelName, euros, iconOf } from "../kit/channels.ts"
import { attemptOf } from "./attempts.ts"
import { resultOf, wordsOfForm } from "./received.ts"
import { standingOf } from "./words.ts"

export const Plan = ({ number }: { readonly number: string }) => {
  const newest = verificationOf(number)
  return (
    <div class="plan">
      {newest === undefined ? (
        <p class="soft">No verifications yet. Start one in your app, or here:</p>
      ) : (
        <Steps verification={newest} />
      )}
      <Send number={number} newest={newest} />
    </div>
  )
}

const Send = ({ newest, number }: { readonly newest: Verification | undefined; readonly number: string }) => {
  if (newest?.status === "pending" && newest.channel === "receive") {
    return (
      <button type="button" class="button" onClick={() => void act((session) => next(session, newest))}>
        Send a code instead
      </button>
    )
  }
  return (
    <button type="button" class="button" onClick={() => void act((session) => verify(session, number))}>
      {newest?.status === "pending" ? "Send it again" : "Send it a code"}
    </button>
  )
}

const Steps = ({ verification }: { readonly verification: Verification }) => {
  const { attempts, next, present = [], received = [], status } = verification
  const prices = attempts.map((attempt) => sentBy(attempt)?.live_price ?? null)
  const sends = attempts.map((attempt, index): Dated => ({
    at: attempt.at,
    row: (
      <li key={`${attempt.at} ${attempt.channel}`} class={attempt.status}>
        <Icon name={iconOf(attempt.channel)} />
        <span>
          <b>{channelName(attempt.channel)}</b> {attemptOf(attempt, sentBy(attempt))}
        </span>
        <span class="price">{shown(prices[index] ?? null)}</span>
      </li>
    )
  }))
  const actions = received.map(({ at, by, result }, index): Dated => ({
    at,
    row: (
      <li
        key={`${at} ${by} ${index}`}
        class={result === "approved" || result === "replied" ? "delivered" : "undelivered"}
      >
        <Icon name={wordsOfForm[by].icon} />
        <span>
          <b>{wordsOfForm[by].name}</b> {resultOf({ result })}
        </span>
      </li>
    )
  }))
  const total = prices.reduce<number>((sum, price) => sum + (price ?? 0), 0)
  return (
    <>
      <h3 class={`standing ${status}`}>
        <Icon name={status === "approved" ? "check" : status === "pending" ? "clock" : "cross"} />
        {standingOf(verification)}
      </h3>
      <ol>
        {byTime(sends, actions)}
        {present.length > 0 && status === "pending" && (
          <li class="next">
            <Icon name="clock" />
            <span>
              <b>Waits for the user</b> to {listOf(present.map(({ by }) => ACTIONS[by]))}
            </span>
          </li>
        )}
        {next !== null && status === "pending" && (
          <li class="next">
            <Icon name={iconOf(next.channel)} />
            <span>
              <b>{channelName(next.channel)}</b> comes next
              <Wait since={attempts.at(-1)?.at ?? verification.created_at} until={next.at} />
            </span>
            <span class="price">{countdown(secondsTo(next.at))}</span>
          </li>
        )}
      </ol>
      {attempts.length > 1 && total > 0 && (
        <p class="total">
          <span>Together</span>
          <span>{shown(total)}</span>
        </p>
      )}
    </>
  )
}

const ACTIONS: Readonly<Record<Presented["by"], string>> = {
  sms: "send a text",
  call: "call",
  bizchat: "write in WhatsApp",
  telegram_login: "sign in"
}

const listOf = (items: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(items)

interface Dated {
  readonly at: string
  readonly row: VNode
}

/** An action of the user goes before the send that answers it. */
const byTime = (sends: ReadonlyArray<Dated>, actions: ReadonlyArray<Dated>): ReadonlyArray<VNode> =>
  [...actions, ...sends].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).map(({ row }) => row)

/** How much of the time before the next step has passed. */
const Wait = ({ since, until }: { readonly since: string; readonly until: string }) => {
  const whole = Math.max(1, (Date.parse(until) - Date.parse(since)) / 1000)
  return <progress aria-label="Time until the next step" max={whole} value={Math.max(0, whole - secondsTo(until))} />
}

/** The message or the call of a send. */
const sentBy = ({ delivery_id: id }: Verification["attempts"][number]): PhoneMessage | PhoneCall | undefined =>
  id === null ? undefined : (messages.value.get(id) ?? calls.value.get(id))

/** Without a price table everything is free, and there is nothing to say. */
const shown = (price: number | null): string => (price === null || price === 0 ? "" : `${euros(price)} live`)
