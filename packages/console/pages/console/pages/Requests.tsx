/**
 * Requests of customers that were refused or failed, as they come. A row opens to its details.
 */
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { When } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { type Answer, problemOf, useWatched } from "../answers.ts"
import { type Input, type Output, run } from "../api.ts"
import { Columns } from "../Columns.tsx"
import { By, ByAccount, BySpan } from "../filters/Filters.tsx"
import { boundsOf } from "../filters/span.ts"
import { optionsOf, useValues } from "../filters/values.ts"
import { Head, Nothing, Problem, Waiting } from "../Head.tsx"
import { choiceOf, openOf } from "../params.ts"
import { param } from "../route.ts"
import { count, wordsOf } from "../words.ts"

/** How many requests a page has. */
const SIZE = 50

type Filter = Omit<Input<"requests">, "after" | "limit">

const STATUSES = ["400", "401", "402", "403", "404", "409", "429", "480", "486", "500", "503"]

const CODES = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "PAYMENT_REQUIRED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "TOO_MANY_REQUESTS",
  "TEMPORARY_UNAVAILABLE",
  "BUSY_HERE",
  "DECLINE",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE"
]

const OPERATIONS = ["POST /verifications", "POST /verifications/check", "POST /sms", "POST /call/flash"]

const MODES = [
  { value: "", label: "Live and sandbox" },
  { value: "live", label: "Live" },
  { value: "sandbox", label: "Sandbox" }
] as const

export const Requests = () => {
  const [status, code, operation, account] = [param("status"), param("code"), param("operation"), param("account")]
  const [span, from, until] = [param("span"), param("from"), param("until")]
  const bounds = useMemo(() => boundsOf(span, from, until, Date.now()), [span, from, until])
  const { value: mode } = choiceOf("mode", MODES)
  const options = useValues({ channel: "", country: "", carrier: "", account })
  const filter: Filter = {
    ...(status !== "" && { status: Number(status) }),
    ...(code !== "" && { code }),
    ...(operation !== "" && { operation }),
    ...(account !== "" && { account_id: account }),
    ...(mode !== "" && { mode }),
    ...bounds
  }
  const answer = useWatched("requests", { ...filter, limit: SIZE })
  const seen = answer.data?.requests.map((each) => each.operation) ?? []
  return (
    <>
      <Head
        title="Requests"
        says="Requests of customers that were refused or failed in the last seven days. Open a row to see its details."
      />
      <div class="filters" role="group" aria-label="Filter">
        <By label="Status" name="status" options={optionsOf(STATUSES, status, (value) => value)} />
        <By label="Error" name="code" options={optionsOf(CODES, code, wordsOf)} />
        <By
          label="Operation"
          name="operation"
          options={optionsOf([...new Set([...OPERATIONS, ...seen])], operation, (value) => value)}
        />
        <ByAccount options={options.account} />
        <By label="Mode" name="mode" options={MODES} />
        <BySpan />
      </div>
      <Refused key={JSON.stringify(filter)} filter={filter} answer={answer} />
    </>
  )
}

type Page = Output<"requests">

const Refused = ({ answer, filter }: { readonly filter: Filter; readonly answer: Answer<"requests"> }) => {
  const { data, problem } = answer
  const older = useSignal<Page | null>(null)
  const trouble = useSignal<string | null>(null)
  if (data === undefined) return problem === null ? <Waiting lines={8} /> : <Problem text={problem} />
  const known = new Set(data.requests.map(({ id }) => id))
  const rows = [...data.requests, ...(older.value?.requests ?? []).filter(({ id }) => !known.has(id))]
  const next = older.value === null ? data.next : older.value.next
  const more = async (after: string): Promise<void> => {
    trouble.value = null
    try {
      const page = await run("requests", { ...filter, after, limit: SIZE })
      // A request that leaves the newest page stays on the screen.
      older.value = { requests: [...rows, ...page.requests], next: page.next }
    } catch (error) {
      trouble.value = problemOf(error)
    }
  }
  return (
    <>
      <Problem text={trouble.value ?? problem} />
      {rows.length === 0 ? (
        <Nothing title="No matching requests">
          <p>Refused requests appear here as they come. Remove a filter to see more.</p>
        </Nothing>
      ) : (
        <table class="list live-list">
          <Columns all={["At", "Operation", "Answer", "Account"]} />
          <tbody>
            {rows.map((request) => (
              <Row key={request.id} {...request} />
            ))}
          </tbody>
        </table>
      )}
      {next !== null && (
        <button type="button" class="button wide" onClick={() => void more(next)}>
          Show older
        </button>
      )}
    </>
  )
}

type Request = Page["requests"][number]

const Row = (request: Request) => {
  const { account_id: account, at, code, count: requests, id, mode, operation, reason, status } = request
  const { isOpen, toggle } = openOf("open", id)
  return (
    <>
      <tr class="opens">
        <td class="at">
          <When at={at} />
        </td>
        <td class="main">
          <button type="button" class="whole" aria-expanded={isOpen} onClick={() => toggle(!isOpen)}>
            {operation}
          </button>
          {mode === "sandbox" && <span class="tag">sandbox</span>}
          {requests > 1 && <span class="tag">{count(requests)} requests</span>}
        </td>
        <td class="state">
          <span class={`pill ${status >= 500 ? "bad" : "warn"}`}>
            {status} {wordsOf(code)}
            {isWord(reason) && <span class="because"> {wordsOf(reason)}</span>}
          </span>
        </td>
        <td class="of">{account === null ? <span class="soft">unknown</span> : <AccountLink id={account} />}</td>
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={4}>
            <Details {...request} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Whether a reason is one of the interface; the reasons of refused keys are sentences. */
const isWord = (reason: string | null): reason is string => reason !== null && !reason.includes(" ")

const Details = ({
  account_id: account,
  at,
  client,
  count: requests,
  key_id: key,
  reason,
  request_id,
  to
}: Request) => (
  <dl class="pairs row">
    <Pair name="Reason" value={reason} />
    {requests > 1 && <Pair name="Requests alike" value={`${count(requests)}, which have no rows of their own`} />}
    <Pair name="Request id" value={request_id} />
    <Pair name="Account" value={account} />
    <Pair name="Key" value={key} />
    <Pair name="Client" value={client} />
    <Pair name="Number" value={to} />
    <Pair name="Time" value={at} />
  </dl>
)

const Pair = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
