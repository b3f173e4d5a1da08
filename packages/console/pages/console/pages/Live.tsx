/**
 * The newest records of all accounts, as they come.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { channelName, euros, iconOf } from "../../kit/channels.ts"
import { Choice } from "../../kit/Choice.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { When } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { problemOf, useWatched } from "../answers.ts"
import { run } from "../api.ts"
import { Glyph } from "../Glyph.tsx"
import { Head, Nothing, Problem, Waiting } from "../Head.tsx"
import { isTyping } from "../LookUp.tsx"
import { Pill } from "../Pill.tsx"
import { linkTo } from "../route.ts"
import { can } from "../session.ts"
import { count } from "../words.ts"
import { useHeld } from "./held.ts"
import { MOST, saved } from "./saved.ts"

type Kind = "sends" | "verifications"

export interface Filter {
  readonly account_id?: string
  readonly mode?: string
  readonly channel?: string
  readonly status?: string
}

/** A record of either kind. */
export interface Row {
  readonly id: string
  readonly account_id: string
  readonly mode: string
  readonly channel: string
  readonly to: string
  readonly status: string
  readonly reason: string | null
  /** In EUR; verifications have no price of their own. */
  readonly price?: number
  readonly created_at: string
}

const KINDS = [
  { value: "sends", label: "Sends" },
  { value: "verifications", label: "Verifications" }
] as const

const any = (label: string) => ({ value: "", label })

const MODES = [any("Live and sandbox"), { value: "live", label: "Live" }, { value: "sandbox", label: "Sandbox" }]

const CHANNELS = [
  any("All channels"),
  ...["chatgw", "sms", "call", "bizchat"].map((value) => ({ value, label: channelName(value) }))
]

export const Live = () => {
  const kind = useSignal<Kind>("sends")
  const filter = useSignal<Filter>({})
  const set = (name: keyof Filter, value: string): void => {
    const { [name]: _, ...others } = filter.value
    filter.value = value === "" ? others : { ...others, [name]: value }
  }
  return (
    <>
      <Head title="Live" says="The newest of all accounts. A row opens the story of its number." />
      <div class="filters" role="group" aria-label="Filter">
        {can("verification list") && (
          <Segmented
            label="Records"
            name="kind"
            value={kind.value}
            options={KINDS}
            choose={(value) => (kind.value = value)}
          />
        )}
        {kind.value === "sends" && (
          <Choice
            label="Channel"
            value={filter.value.channel ?? ""}
            options={CHANNELS}
            choose={(value) => set("channel", value)}
          />
        )}
        <Choice label="Mode" value={filter.value.mode ?? ""} options={MODES} choose={(value) => set("mode", value)} />
        <Typed label="Status" placeholder="failed" set={(value) => set("status", value)} />
        <Typed label="Account" placeholder="acc_…" set={(value) => set("account_id", value)} />
      </div>
      {kind.value === "sends" ? (
        <Sends filter={filter.value} />
      ) : (
        <Verifications filter={withoutChannel(filter.value)} />
      )}
    </>
  )
}

const withoutChannel = ({ channel: _, ...filter }: Filter): Filter => filter

const Typed = (given: {
  readonly label: string
  readonly placeholder: string
  readonly set: (value: string) => void
}) => (
  <label class="choice">
    <span>{given.label}</span>
    <input
      type="text"
      placeholder={given.placeholder}
      autocomplete="off"
      spellcheck={false}
      onChange={({ currentTarget }) => given.set(currentTarget.value.trim())}
    />
  </label>
)

/** How many records a look has. */
const SIZE = 50

const Sends = ({ filter }: { readonly filter: Filter }) => {
  const { data, problem } = useWatched("delivery list", { ...filter, limit: SIZE })
  return (
    <Rows
      key={JSON.stringify(filter)}
      rows={data?.deliveries}
      next={data?.next ?? null}
      problem={problem}
      more={async (after, limit) => {
        const { deliveries, next } = await run("delivery list", { ...filter, ...after, limit })
        return { rows: deliveries, next }
      }}
    />
  )
}

const Verifications = ({ filter }: { readonly filter: Filter }) => {
  const { data, problem } = useWatched("verification list", { ...filter, limit: SIZE })
  return (
    <Rows
      key={JSON.stringify(filter)}
      rows={data?.verifications}
      next={data?.next ?? null}
      problem={problem}
      more={async (after, limit) => {
        const { next, verifications } = await run("verification list", { ...filter, ...after, limit })
        return { rows: verifications, next }
      }}
    />
  )
}

export interface Page {
  readonly rows: ReadonlyArray<Row>
  readonly next: string | null
}

/** @param after where it begins; empty for the newest */
export type More = (after: { readonly after?: string }, limit: number) => Promise<Page>

const Rows = (given: {
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
          <span>{isPaused.value ? "Go on" : "Pause"}</span>
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
              {held.waiting === SIZE ? `${SIZE} or more new` : `${held.waiting} new`}
            </button>
          )}
        </p>
      </div>
      <Problem text={trouble.value ?? given.problem} />
      {held.rows === null ? (
        given.problem === null && <Waiting lines={8} />
      ) : held.rows.length === 0 ? (
        <Nothing title="No record is like that">
          <p>The newest appear here as they come. Take a filter away to see more.</p>
        </Nothing>
      ) : (
        <Table rows={held.rows} />
      )}
      {held.next !== null && (
        <button
          type="button"
          class="button wide"
          onClick={() =>
            void trying(async () => held.add(await given.more(held.next === null ? {} : { after: held.next }, SIZE)))
          }
        >
          Show older ones
        </button>
      )}
    </>
  )
}

const Table = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => (
  <table class="list live-list">
    <thead>
      <tr>
        <th scope="col">At</th>
        <th scope="col">Number</th>
        <th scope="col">Channel</th>
        <th scope="col">Status</th>
        <th scope="col">Account</th>
        <th scope="col" class="number">
          Price
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ account_id: account, channel, created_at: at, id, mode, price, reason, status, to }) => (
        <tr key={id} id={id} class="opens">
          <td class="at">
            <When at={at} />
          </td>
          <td class="main">
            <a class="whole" href={linkTo("number", to)}>
              {to}
            </a>
          </td>
          <td class="by">
            <Icon name={iconOf(channel)} />
            {channelName(channel)}
            {mode === "sandbox" && <span class="tag">sandbox</span>}
          </td>
          <td class="state">
            <Pill status={status} reason={reason} />
          </td>
          <td class="of">
            <AccountLink id={account} />
          </td>
          <td class="number price">{price === undefined || price === 0 ? "–" : euros(price)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
