/**
 * The newest records of all accounts, as they come.
 */
import { useSignal } from "@preact/signals"
import { channelName } from "../../kit/channels.ts"
import { Choice } from "../../kit/Choice.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { useWatched } from "../answers.ts"
import { type Input, run } from "../api.ts"
import { Head } from "../Head.tsx"
import { can } from "../session.ts"
import { Rows, SIZE } from "./Rows.tsx"

const KINDS = [
  { value: "sends", label: "Sends" },
  { value: "verifications", label: "Verifications" }
] as const

export const Live = () => {
  const kind = useSignal<(typeof KINDS)[number]["value"]>("sends")
  return (
    <>
      <Head title="Live" says="The newest records of all accounts. Open a row to see the history of its number." />
      {can("verification list") && (
        <div class="filters">
          <Segmented
            label="Records"
            name="kind"
            value={kind.value}
            options={KINDS}
            choose={(value) => (kind.value = value)}
          />
        </div>
      )}
      {kind.value === "sends" ? <Sends /> : <Verifications />}
    </>
  )
}

const any = (label: string) => ({ value: "", label }) as const

const MODES = [
  any("Live and sandbox"),
  { value: "live", label: "Live" },
  { value: "sandbox", label: "Sandbox" }
] as const

const CHANNELS = [
  any("All channels"),
  ...["chatgw", "sms", "call", "bizchat"].map((value) => ({ value, label: channelName(value) }))
]

const STATUSES = [
  any("All"),
  ...(["pending", "approved", "failed", "expired", "canceled", "blocked"] as const).map((value) => ({
    value,
    label: value
  }))
] as const

type SendsFilter = Omit<Input<"delivery list">, "after" | "limit">

const Sends = () => {
  const filter = useSignal<SendsFilter>({})
  const set = <K extends keyof SendsFilter>(name: K, value: SendsFilter[K] | ""): void => {
    filter.value = withField(filter.value, name, value)
  }
  const { data, problem } = useWatched("delivery list", { ...filter.value, limit: SIZE })
  return (
    <>
      <div class="filters" role="group" aria-label="Filter">
        <Choice
          label="Channel"
          value={filter.value.channel ?? ""}
          options={CHANNELS}
          choose={(value) => set("channel", value)}
        />
        <Choice label="Mode" value={filter.value.mode ?? ""} options={MODES} choose={(value) => set("mode", value)} />
        <Typed label="Status" placeholder="failed" set={(value) => set("status", value)} />
        <Typed label="Country" placeholder="DE" set={(value) => set("country", value.toUpperCase())} />
        <Typed label="Carrier" placeholder="acme" set={(value) => set("carrier", value)} />
        <Typed label="Account" placeholder="acc_…" set={(value) => set("account_id", value)} />
      </div>
      <Rows
        key={JSON.stringify(filter.value)}
        rows={data?.deliveries}
        next={data?.next ?? null}
        problem={problem}
        more={async (page) => {
          const { deliveries, next } = await run("delivery list", { ...filter.value, ...page })
          return { rows: deliveries, next }
        }}
      />
    </>
  )
}

type VerificationsFilter = Omit<Input<"verification list">, "after" | "limit">

const Verifications = () => {
  const filter = useSignal<VerificationsFilter>({})
  const set = <K extends keyof VerificationsFilter>(name: K, value: VerificationsFilter[K] | ""): void => {
    filter.value = withField(filter.value, name, value)
  }
  const { data, problem } = useWatched("verification list", { ...filter.value, limit: SIZE })
  return (
    <>
      <div class="filters" role="group" aria-label="Filter">
        <Choice
          label="Status"
          value={filter.value.status ?? ""}
          options={STATUSES}
          choose={(value) => set("status", value)}
        />
        <Choice label="Mode" value={filter.value.mode ?? ""} options={MODES} choose={(value) => set("mode", value)} />
        <Typed label="Country" placeholder="DE" set={(value) => set("country", value.toUpperCase())} />
        <Typed label="Account" placeholder="acc_…" set={(value) => set("account_id", value)} />
      </div>
      <Rows
        key={JSON.stringify(filter.value)}
        rows={data?.verifications}
        next={data?.next ?? null}
        problem={problem}
        more={async (page) => {
          const { next, verifications } = await run("verification list", { ...filter.value, ...page })
          return { rows: verifications, next }
        }}
      />
    </>
  )
}

/** A filter with a field of this value; without the field where that is empty. */
const withField = <F extends object, K extends keyof F>(filter: F, name: K, value: F[K] | ""): F => {
  const next = { ...filter }
  if (value === "") delete next[name]
  else next[name] = value
  return next
}

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
