/**
 * The rows of a live list: new ones come in on top, older ones below, and a key pauses it.
 */
import { Columns } from "../Columns.tsx"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { channelName, decimalsOf, euros, iconOf } from "../../kit/channels.ts"
import { Icon } from "../../kit/Icon.tsx"
import { When } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { problemOf } from "../answers.ts"
import { Glyph } from "../Glyph.tsx"
import { Nothing, Problem, Waiting } from "../Head.tsx"
import { isTyping } from "../LookUp.tsx"
import { openOf } from "../params.ts"
import { Pill } from "../Pill.tsx"
import { linkTo } from "../route.ts"
import { count } from "../words.ts"
import { useHeld } from "./held.ts"
import { Life } from "./live/Life.tsx"
import type { More, Row } from "./Row.ts"
import { MOST, saved } from "./saved.ts"

/** How many records a look has. */
export const SIZE = 50

export const Rows = (given: {
  readonly rows: ReadonlyArray<Row> | undefined
  readonly next: string | null
  readonly problem: string | null
  readonly more: More
}) => {
  const isPaused = useSignal(false)
  const trouble = useSignal<string | null>(null)
  const held = useHeld(given.rows, given.next, isPaused.value)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "p" || isTyping(event.target) || event.ctrlKey || event.metaKey) return
      isPaused.value = !isPaused.value
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
  const trying = async (does: () => Promise<void>): Promise<void> => {
    trouble.value = null
    try {
      await does()
    } catch (error) {
      trouble.value = problemOf(error)
    }
  }
  const older = async (): Promise<void> => {
    if (held.next !== null) held.add(await given.more({ after: held.next, limit: SIZE }))
  }
  return (
    <>
      <div class="between">
        <button
          type="button"
          class="button"
          aria-pressed={isPaused.value}
          aria-keyshortcuts="p"
          onClick={() => (isPaused.value = !isPaused.value)}
        >
          <Glyph name={isPaused.value ? "play" : "pause"} />
          <span>{isPaused.value ? "Resume" : "Pause"}</span>
          <kbd aria-hidden="true">p</kbd>
        </button>
        <button type="button" class="button" onClick={() => void trying(() => saved(given.more))}>
          <Glyph name="save" />
          <span>Save as CSV</span>
          <span class="visually-hidden">, at most {count(MOST)} records</span>
        </button>
        <p class="fresh" role="status">
          {held.waiting > 0 && (
            <button type="button" class="button primary" onClick={held.show}>
              {held.waiting === SIZE ? `${SIZE} or more new records` : `${held.waiting} new`}
            </button>
          )}
        </p>
      </div>
      <Problem text={trouble.value ?? given.problem} />
      {held.rows === null ? (
        given.problem === null && <Waiting lines={8} />
      ) : held.rows.length === 0 ? (
        <Nothing title="No matching records">
          <p>New records appear here as they arrive. Remove a filter to see more.</p>
        </Nothing>
      ) : (
        <Table rows={held.rows} />
      )}
      {held.next !== null && (
        <button type="button" class="button wide" onClick={() => void trying(older)}>
          Show older
        </button>
      )}
    </>
  )
}

const Table = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => {
  const decimals = decimalsOf(rows.flatMap(({ cost, margin, price }) => [cost ?? 0, margin ?? 0, price ?? 0]))
  return (
    <table class="list live-list">
      <Columns
        all={[
          "At",
          "Number",
          "Channel",
          "Status",
          "Account",
          { figures: "Price" },
          { figures: "Cost" },
          { figures: "Margin" }
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <Record key={row.id} row={row} decimals={decimals} />
        ))}
      </tbody>
    </table>
  )
}

const Record = ({ decimals, row }: { readonly decimals: number; readonly row: Row }) => {
  const { account_id: account, carrier, channel, created_at: at, id, mode, reason, status, to } = row
  const { isOpen, toggle } = openOf("open", id)
  return (
    <>
      <tr id={id} class="opens">
        <td class="at">
          <When at={at} />
        </td>
        <td class="main">
          {to === ERASED ? (
            <span class="soft">erased</span>
          ) : (
            <>
              <button type="button" class="whole" aria-expanded={isOpen} onClick={() => toggle(!isOpen)}>
                <span class="visually-hidden">What happened to {to}</span>
              </button>
              <a href={linkTo("number", to)}>{to}</a>
            </>
          )}
        </td>
        <td class="by">
          <Icon name={iconOf(channel)} />
          {channelName(channel)}
          {carrier !== undefined && carrier !== null && <span class="soft"> by {carrier}</span>}
          {mode === "sandbox" && <span class="tag">sandbox</span>}
        </td>
        <td class="state">
          <Pill status={status} reason={reason} />
        </td>
        <td class="of">
          <AccountLink id={account} />
        </td>
        <Money {...row} decimals={decimals} />
      </tr>
      {isOpen && to !== ERASED && (
        <tr class="opened">
          <td colSpan={8}>
            <Life key={status} id={id} at={at} number={to} />
          </td>
        </tr>
      )}
    </>
  )
}

interface Amounts extends Pick<Row, "cost" | "margin" | "price"> {
  readonly decimals: number
}

const Money = ({ cost = null, decimals, margin = null, price = 0 }: Amounts) => (
  <>
    <td class="number price">{price === 0 ? "–" : euros(price, decimals)}</td>
    <td class="number price">{cost === null ? "–" : euros(cost, decimals)}</td>
    <td class={margin !== null && margin < 0 ? "number price odd" : "number price"}>
      {margin === null ? "–" : euros(margin, decimals)}
    </td>
  </>
)

/** What stands for the number of a person who was erased. */
const ERASED = "erased"
