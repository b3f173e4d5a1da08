/**
 * What stands under a phone: how it answers, and the plan of its verification.
 */
import type { Phone as Settings, Verification } from "@watchword/client"
import { now } from "../kit/clock.ts"
import { removePhone } from "./api.ts"
import { act, calls, change as changeOf, hide, messages, newest, settings, usual } from "./phones.ts"
import { session } from "./session.ts"

export const Under = ({ number }: { readonly number: string }) => {
  const phone = settings.value.get(number) ?? usual(number)
  const verification = newest.value.get(number)
  const change = (changes: Partial<Settings>) => changeOf(number, changes)
  return (
    <section class="under" aria-label={`About ${number}`}>
      <h2>
        {number}
        <button type="button" class="button" onClick={() => takeAway(number)}>
          Remove
        </button>
      </h2>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={phone.mode === "manual"}
          onChange={({ currentTarget }) => change({ mode: currentTarget.checked ? "manual" : "auto" })}
        />
        You answer calls and messages
      </label>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={phone.offline}
          onChange={({ currentTarget }) => change({ offline: currentTarget.checked })}
        />
        Aeroplane mode
      </label>
      {verification === undefined ? (
        <p>No verification yet. Start one in your app with this number.</p>
      ) : (
        <Plan verification={verification} />
      )}
      <details>
        <summary>How it answers</summary>
        <Answers phone={phone} change={change} />
      </details>
    </section>
  )
}

const takeAway = (number: string): void => {
  const current = session.value
  hide(number)
  if (current) act(() => removePhone(current, number))
}

const DOTS: Readonly<Record<string, string>> = {
  delivered: "good",
  undelivered: "bad",
  unpaid: "bad",
  revoked: "later",
  opening: "now",
  accepted: "now",
  unknown: "now"
}

const Plan = ({ verification }: { readonly verification: Verification }) => {
  const { attempts, checks_left: checks, next, reason, status } = verification
  return (
    <div>
      <h3>
        Verification: {status}
        {reason === null ? "" : ` (${reason})`}
      </h3>
      <ol class="plan">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <span class={`dot ${DOTS[attempt.status] ?? ""}`} />
            <span>
              {attempt.channel}: {attempt.status}
              {attempt.reason === null ? "" : ` (${attempt.reason})`}
            </span>
            <span class="aside">{priceOf(attempt.delivery_id)}</span>
          </li>
        ))}
        {next !== null && (
          <li>
            <span class="dot later" />
            <span>then {next.channel}</span>
            <span class="aside">in {secondsTo(next.at)} s</span>
          </li>
        )}
      </ol>
      {status === "pending" && (
        <p>
          {checks} guesses left; it ends in {secondsTo(verification.expires_at)} s.
        </p>
      )}
    </div>
  )
}

const secondsTo = (at: string): number => Math.max(0, Math.round((Date.parse(at) - now.value) / 1000))

/** What a send would have cost live. */
const priceOf = (delivery: string | null): string => {
  if (delivery === null) return ""
  const price = messages.value.get(delivery)?.live_price ?? calls.value.get(delivery)?.live_price ?? null
  return price === null || price === 0 ? "" : `${price.toFixed(3)} EUR live`
}

const Answers = (given: { readonly phone: Settings; readonly change: (changes: Partial<Settings>) => void }) => {
  const { change, phone } = given
  const sms = typeof phone.sms === "string" ? phone.sms : "delay"
  return (
    <div class="settings">
      <Choice
        label="Calls"
        value={phone.call}
        options={["ring", "decline", "busy", "unreachable"] as const}
        choose={(call) => change({ call })}
      />
      <Choice
        label="Texts"
        value={sms}
        options={["deliver", "delay", "undelivered"] as const}
        choose={(sms) => change({ sms: sms === "delay" ? { delay: 20 } : sms })}
      />
      <Choice
        label="Chat account"
        value={phone.chatgw ? "yes" : "none"}
        options={["yes", "none"] as const}
        choose={(account) => change({ chatgw: account === "yes" })}
      />
      <Choice
        label="Business chat"
        value={phone.bizchat}
        options={["deliver", "read", "none"] as const}
        choose={(bizchat) => change({ bizchat })}
      />
    </div>
  )
}

const WORDS: Readonly<Record<string, string>> = { delay: "arrive after 20 s", deliver: "arrive", yes: "has one" }

const Choice = <A extends string>(given: {
  readonly label: string
  readonly value: A
  readonly options: ReadonlyArray<A>
  readonly choose: (option: A) => void
}) => (
  <label class="field">
    <span class="label">{given.label}</span>
    <select
      value={given.value}
      onChange={({ currentTarget }) => {
        const chosen = given.options.find((option) => option === currentTarget.value)
        if (chosen !== undefined) given.choose(chosen)
      }}
    >
      {given.options.map((option) => (
        <option key={option} value={option}>
          {WORDS[option] ?? option}
        </option>
      ))}
    </select>
  </label>
)
