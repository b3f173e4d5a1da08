/**
 * The story of one number: why its user got no code, and what happened, step by step.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import type { Output } from "../api.ts"
import { useAnswer } from "../answers.ts"
import { Glyph } from "../Glyph.tsx"
import { Head, Nothing, Problem, Waiting } from "../Head.tsx"
import { LookUp } from "../LookUp.tsx"
import { choiceOf } from "../params.ts"
import { route } from "../route.ts"
import { ServerText } from "../ServerText.tsx"
import { Acts } from "./number/Acts.tsx"
import { Readings } from "./number/Readings.tsx"
import { Remedy } from "./number/Remedy.tsx"
import { Story } from "./Story.tsx"

export const NumberPage = () => {
  const number = route.value[1] ?? ""
  return number === "" ? <Ask /> : <Found key={number} number={number} />
}

const Ask = () => (
  <div class="ask">
    <h1>Why did no code come?</h1>
    <p class="soft">
      Enter the user's number, with its country code or as the user wrote it. You see each verification and send of the
      last days, what the network said, and the likely reason on top.
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

/** A text that looks like a number in E.164 form. */
const LIKE = /^\+\d+$/

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
      <Head title={data?.number ?? number}>{data !== undefined && <Acts number={data.number} done={renew} />}</Head>
      {data === undefined && problem !== null && <Readings text={number} refusal={problem} />}
      {data !== undefined && (
        <>
          <Problem text={problem} />
          <Reason {...data} done={renew} />
        </>
      )}
      {(data !== undefined || LIKE.test(number)) && (
        <div class="between">
          <h2>What happened</h2>
          <Choice label="In" {...days} />
          <button type="button" class="button" onClick={renew} disabled={isLoading}>
            <Glyph name="again" />
            <span>Refresh</span>
          </button>
        </div>
      )}
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

const Reason = ({ console: { reason, remedy }, done, number }: Output<"why"> & { readonly done: () => void }) => (
  <section class="reason" aria-label="Likely reason">
    <div>
      <h2>Likely reason</h2>
      <p class="big">
        <ServerText text={reason} />.
      </p>
    </div>
    <div>
      <h2>What to do</h2>
      <Remedy text={remedy} number={number} done={done} />
    </div>
  </section>
)
