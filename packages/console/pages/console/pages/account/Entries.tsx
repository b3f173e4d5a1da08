/**
 * The ledger of an account, newest first: asked for once it is opened.
 */
import { Columns } from "../../Columns.tsx"
import { useSignal } from "@preact/signals"
import { euros } from "../../../kit/channels.ts"
import { When } from "../../../kit/When.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Nothing, Part } from "../../Head.tsx"

export const Entries = ({ id }: { readonly id: string }) => {
  const isOpen = useSignal(false)
  return (
    <Part title="Ledger">
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>Entries</summary>
        {isOpen.value && <Opened id={id} />}
      </details>
    </Part>
  )
}

/** The most that are shown. */
const MOST = 100

const Opened = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("account entries", { account_id: id, newest: MOST })
  return (
    <Answered answer={answer}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Nothing title="No entries yet">
            <p>Add credit with the command account credit.</p>
          </Nothing>
        ) : (
          <>
            <Table entries={entries.toReversed()} />
            {entries.length === MOST && (
              <p class="soft small">The newest {MOST}; the command account entries has all.</p>
            )}
          </>
        )
      }
    </Answered>
  )
}

const Table = ({ entries }: Output<"account entries">) => (
  <table class="list">
    <Columns all={["At", "Entry", "Way", "Why", { figures: "Amount" }]} />
    <tbody>
      {entries.map(({ amount, at, delivery, from, id, kind, reason, to }) => (
        <tr key={id}>
          <td>
            <When at={at} />
          </td>
          <td>{kind}</td>
          <td data-label="Way">
            {from} → {to}
          </td>
          <td data-label="Why">{reason ?? (delivery === null ? "" : <code>{delivery}</code>)}</td>
          <td class="number">{euros(amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
