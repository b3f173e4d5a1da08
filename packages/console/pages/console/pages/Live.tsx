/**
 * The newest records of all accounts, as they come.
 */
import { useMemo } from "preact/hooks"
import { Segmented } from "../../kit/Segmented.tsx"
import { useWatched } from "../answers.ts"
import { type Input, run } from "../api.ts"
import { By, ByAccount, ByPrefix, BySpan } from "../filters/Filters.tsx"
import { boundsOf } from "../filters/span.ts"
import { optionsOf, useValues } from "../filters/values.ts"
import { Head } from "../Head.tsx"
import { choiceOf } from "../params.ts"
import { param, setParams } from "../route.ts"
import { can } from "../session.ts"
import { wordsOf } from "../words.ts"
import { Rows, SIZE } from "./Rows.tsx"

const KINDS = [
  { value: "sends", label: "Sends" },
  { value: "verifications", label: "Verifications" }
] as const

export const Live = () => {
  const tab = choiceOf("tab", KINDS)
  return (
    <>
      <Head title="Live" says="The newest records of all accounts. Open a row to see what happened to it." />
      {can("verification list") && (
        <div class="filters">
          <Segmented
            label="Records"
            name="kind"
            value={tab.value}
            options={KINDS}
            // Sends and verifications have different statuses.
            choose={(value) => setParams({ tab: value === "sends" ? "" : value, status: "" })}
          />
        </div>
      )}
      {tab.value === "sends" ? <Sends /> : <Verifications />}
    </>
  )
}

const MODES = [
  { value: "", label: "Live and sandbox" },
  { value: "live", label: "Live" },
  { value: "sandbox", label: "Sandbox" }
] as const

const STATUSES = [
  { value: "", label: "All" },
  { value: "pending", label: "pending" },
  { value: "approved", label: "approved" },
  { value: "failed", label: "failed" },
  { value: "expired", label: "expired" },
  { value: "canceled", label: "canceled" },
  { value: "blocked", label: "blocked" }
] as const

/** The statuses of the channels that come with Watchword. */
const OF_SENDS = ["sent", "delivered", "read", "undelivered", "failed", "expired", "revoked", "blocked"]
const OF_CALLS = ["pending", "ringing", "ended", "failed", "blocked"]
const OF_LOOK_UPS = ["asking", "reachable", "unreachable", "spent", "failed"]

const statusesOf = (channel: string): ReadonlyArray<string> => {
  if (channel === "call") return OF_CALLS
  if (channel === "chatgw_probe") return OF_LOOK_UPS
  return channel === "" ? [...new Set([...OF_SENDS, ...OF_CALLS, ...OF_LOOK_UPS])] : OF_SENDS
}

/** The filters that both lists have. */
const useShared = () => {
  const [span, from, until] = [param("span"), param("from"), param("until")]
  const bounds = useMemo(() => boundsOf(span, from, until, Date.now()), [span, from, until])
  const given = {
    channel: param("channel"),
    country: param("country"),
    carrier: param("carrier"),
    account: param("account")
  }
  const { value: mode } = choiceOf("mode", MODES)
  const prefix = param("prefix")
  return {
    given,
    options: useValues(given),
    filter: {
      ...(mode !== "" && { mode }),
      ...(given.country !== "" && { country: given.country }),
      ...(given.account !== "" && { account_id: given.account }),
      ...(prefix !== "" && { prefix }),
      ...bounds
    }
  }
}

type SendsFilter = Omit<Input<"delivery list">, "after" | "limit">

const Sends = () => {
  const { filter: shared, given, options } = useShared()
  const status = param("status")
  const filter: SendsFilter = {
    ...shared,
    ...(given.channel !== "" && { channel: given.channel }),
    ...(given.carrier !== "" && { carrier: given.carrier }),
    ...(status !== "" && { status })
  }
  const { data, problem } = useWatched("delivery list", { ...filter, limit: SIZE })
  const seen = data?.deliveries.map((each) => each.status) ?? []
  const statuses = [...new Set([...statusesOf(given.channel), ...seen])]
  return (
    <>
      <div class="filters" role="group" aria-label="Filter">
        <By label="Channel" name="channel" options={options.channel} />
        <By label="Status" name="status" options={optionsOf(statuses, status, wordsOf)} />
        <By label="Country" name="country" options={options.country} />
        <By label="Carrier" name="carrier" options={options.carrier} />
        <ByAccount options={options.account} />
        <By label="Mode" name="mode" options={MODES} />
        <BySpan />
        <ByPrefix />
      </div>
      <Rows
        key={JSON.stringify(filter)}
        rows={data?.deliveries}
        next={data?.next ?? null}
        problem={problem}
        more={async (page) => {
          const { deliveries, next } = await run("delivery list", { ...filter, ...page })
          return { rows: deliveries, next }
        }}
      />
    </>
  )
}

type VerificationsFilter = Omit<Input<"verification list">, "after" | "limit">

const Verifications = () => {
  const { filter: shared, options } = useShared()
  const { value: status } = choiceOf("status", STATUSES)
  const filter: VerificationsFilter = { ...shared, ...(status !== "" && { status }) }
  const { data, problem } = useWatched("verification list", { ...filter, limit: SIZE })
  return (
    <>
      <div class="filters" role="group" aria-label="Filter">
        <By label="Status" name="status" options={STATUSES} />
        <By label="Country" name="country" options={options.country} />
        <ByAccount options={options.account} />
        <By label="Mode" name="mode" options={MODES} />
        <BySpan />
        <ByPrefix />
      </div>
      <Rows
        key={JSON.stringify(filter)}
        rows={data?.verifications}
        next={data?.next ?? null}
        problem={problem}
        more={async (page) => {
          const { next, verifications } = await run("verification list", { ...filter, ...page })
          return { rows: verifications, next }
        }}
      />
    </>
  )
}
