/**
 * The story of one number: why its user got no code, and what happened, step by step.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import type { Output } from "../api.ts"
import { useAnswer } from "../answers.ts"
import { Do } from "../Do.tsx"
import { Glyph } from "../Glyph.tsx"
import { Head, Nothing, Problem, Waiting } from "../Head.tsx"
import { LookUp } from "../LookUp.tsx"
import { choiceOf } from "../params.ts"
import { route } from "../route.ts"
import { ServerText } from "../ServerText.tsx"
import { Story } from "./Story.tsx"

export const NumberPage = () => {
  const number = route.value[1] ?? ""
  return number === "" ? <Ask /> : <Found key={number} number={number} />
}

const Ask = () => (
  <div class="ask">
    <h1>Why did no code come?</h1>
    <p class="soft">
      Enter the user's number with its country code. You see each verification and send of the last days, what the
      network said, and the likely reason on top.
    </p>
    <LookUp isLarge />
  </div>
)

const WINDOWS = [
  { value: "1", label: "the last day" },
  { value: "7", label: "the last week" },
  { value: "30", label: "the last 30 days" },
  { value: "365", label: "the last year" }
] as const

const DAY = 86_400_000

const Found = ({ number }: { readonly number: string }) => {
  const days = choiceOf("days", WINDOWS, "7")
  const opened = useSignal(Date.now())
  const since = new Date(opened.value - Number(days.value) * DAY + 60_000).toISOString()
  const { again, data, isLoading, problem } = useAnswer("why", { number, since })
  const renew = (): void => {
    opened.value = Date.now()
    again()
  }
  return (
    <>
      <Head title={number}>
        <Do
          command="guard pass"
          label="Exempt from guards"
          given={{ number, account_id: null }}
          says={EXCEPT}
          done={renew}
        />
        <Do
          command="guard block"
          label="Block the prefix"
          given={{ account_id: null }}
          first={{ place: number.slice(0, 7), for: "12h" }}
          says="Sends to numbers with this prefix are refused for the time you set. Running servers apply it within seconds."
          done={renew}
        />
        <Do command="erase" label="Erase" given={{ number }} says={ERASE} isHard done={renew} />
      </Head>
      <Problem text={problem} />
      {data !== undefined && <Reason {...data} />}
      <div class="between">
        <h2>What happened</h2>
        <Choice label="In" {...days} />
        <button type="button" class="button" onClick={renew} disabled={isLoading}>
          <Glyph name="again" />
          <span>Refresh</span>
        </button>
      </div>
      {data === undefined ? (
        problem === null && <Waiting lines={4} />
      ) : data.items.length === 0 ? (
        <Nothing title="No records of this number in this period">
          <p>Look further back, or ask the app's owner how its request was answered.</p>
        </Nothing>
      ) : (
        <Story answer={data} done={renew} />
      )}
    </>
  )
}

const Reason = ({ reason, remedy }: Output<"why">) => (
  <section class="reason" aria-label="Likely reason">
    <div>
      <h2>Likely reason</h2>
      <p class="big">
        <ServerText text={reason} />.
      </p>
    </div>
    <div>
      <h2>What to do</h2>
      <p>
        <ServerText text={remedy} />.
      </p>
    </div>
  </section>
)

const EXCEPT =
  "Sends to this number pass blocks, country rules and pumping rules for a day, or until you remove the exemption on the page of " +
  "guards."

const ERASE =
  "Permanently removes this number's owner from all records. Amounts stay, and so do blocks of the number, so that " +
  "nothing is sent to it."
