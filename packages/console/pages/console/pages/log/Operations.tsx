/**
 * What operators have changed, newest first.
 */
import { Columns } from "../../Columns.tsx"
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Choice } from "../../../kit/Choice.tsx"
import { When } from "../../../kit/When.tsx"
import { Answered } from "../../Answered.tsx"
import { problemOf, useAnswer } from "../../answers.ts"
import { type Output, run } from "../../api.ts"
import { boundsOf } from "../../filters/span.ts"
import { Nothing, Part, Problem } from "../../Head.tsx"
import { choiceOf } from "../../params.ts"
import { wordsOf } from "../../words.ts"

const SPANS = [
  { value: "", label: "Any time" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" }
] as const

/** How many entries a page has. */
const SIZE = 50

export const Operations = () => {
  const { value: span, ...choice } = choiceOf("span", SPANS)
  const since = useMemo(() => boundsOf(span, "", "", Date.now()), [span])
  const answer = useAnswer("operator log", { ...since, limit: SIZE })
  return (
    <Part
      title="Changes"
      says="Every change made in the console, through the API and on the command line (secrets hidden)"
      acts={
        <>
          <Choice label="Time" value={span} {...choice} />
          <button type="button" class="button small" onClick={answer.again}>
            Refresh
          </button>
        </>
      }
    >
      <Answered answer={answer} lines={5}>
        {(log) =>
          log.entries.length === 0 ? (
            <Nothing title={span === "" ? "No changes yet" : "No changes in this time"} />
          ) : (
            <Entries key={`${span}${log.entries[0]?.id}`} first={log} since={since} />
          )
        }
      </Answered>
    </Part>
  )
}

type Log = Output<"operator log">

const Entries = ({ first, since }: { readonly first: Log; readonly since: { readonly since?: string } }) => {
  const older = useSignal<Log>({ entries: [], next: first.next })
  const trouble = useSignal<string | null>(null)
  const more = async (before: string): Promise<void> => {
    trouble.value = null
    try {
      const { entries, next } = await run("operator log", { ...since, before, limit: SIZE })
      older.value = { entries: [...older.value.entries, ...entries], next }
    } catch (error) {
      trouble.value = problemOf(error)
    }
  }
  const { entries, next } = older.value
  return (
    <>
      <table class="list">
        <Columns all={["At", "Who", "What", "Outcome"]} />
        <tbody>
          {[...first.entries, ...entries].map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </tbody>
      </table>
      <Problem text={trouble.value} />
      {next !== null && (
        <button type="button" class="button wide" onClick={() => void more(next)}>
          Show older
        </button>
      )}
    </>
  )
}

const BY: Readonly<Record<string, string>> = { console: "the console", api: "the API", command: "the command line" }

const Entry = ({ at, before, by, command, identity, input, outcome, who }: Log["entries"][number]) => (
  <tr>
    <td>
      <When at={at} />
    </td>
    <td class="actor">
      <b>{who}</b>
      <p class="soft small">by {BY[by] ?? by}</p>
      {identity !== null && <code class="small">{identity}</code>}
    </td>
    <td class="what">
      <b>{command}</b>
      <span class="soft"> {fieldsOf(input)}</span>
      {before !== null && <p class="soft small">before: {fieldsOf(before)}</p>}
    </td>
    <td>
      <Outcome outcome={outcome} />
    </td>
  </tr>
)

const Outcome = ({ outcome }: { readonly outcome: string | null }) => {
  if (outcome === null) return <span class="pill warn">outcome unknown</span>
  return outcome === "done" ? <span class="pill good">done</span> : <span class="pill bad">{wordsOf(outcome)}</span>
}

const fieldsOf = (fields: unknown): string => {
  if (typeof fields !== "object" || fields === null) return ""
  if (Array.isArray(fields)) return JSON.stringify(fields)
  return Object.entries(fields)
    .map(([name, value]) => `${wordsOf(name)} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")
}
