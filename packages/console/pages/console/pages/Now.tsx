/**
 * The current state of the service: its problems, and the last hour compared with the same hour a week ago.
 */
import { Columns } from "../Columns.tsx"
import { channelName, euros, iconOf } from "../../kit/channels.ts"
import { Icon } from "../../kit/Icon.tsx"
import { Ago, When } from "../../kit/When.tsx"
import { useWatched } from "../answers.ts"
import type { Output } from "../api.ts"
import { Head, Nothing, Part, Problem, Waiting } from "../Head.tsx"
import { linkTo } from "../route.ts"
import { count, share } from "../words.ts"
import { LastDay, useLastDay } from "./now/LastDay.tsx"
import { Problems } from "./now/Problems.tsx"

type Overview = Output<"overview">

export const Now = () => {
  const { again, data, problem } = useWatched("overview", {})
  return (
    <>
      <Head
        title="Now"
        says={
          data === undefined ? undefined : (
            <>
              As of <When at={data.at} />
              {data.version !== null && <>, version {data.version}</>}
              {data.migrations !== null && <>, database {data.migrations.database}</>}
            </>
          )
        }
      />
      <Problem text={problem} />
      {data === undefined ? problem === null && <Waiting lines={6} /> : <Overview {...data} done={again} />}
    </>
  )
}

const Overview = (data: Overview & { readonly done: () => void }) => (
  <>
    <Problems problems={data.problems} done={data.done} />
    <Verifications {...data.verifications} />
    <Channels channels={data.channels} />
    <dl class="facts">
      <Fact name="Outcome unknown" value={count(data.unknown.count)} isOdd={data.unknown.count > 0}>
        {data.unknown.oldest !== null && <Ago at={data.unknown.oldest} />}
      </Fact>
      <Fact name="Events waiting" value={count(data.events.pending)} isOdd={isLate(data.events.oldest)}>
        {data.events.oldest === null ? "none late" : <Ago at={data.events.oldest} />}
      </Fact>
      <Fact name="Low balances" value={count(data.low_balances.length)} isOdd={data.low_balances.length > 0}>
        {data.low_balances.slice(0, 3).map(({ account_id, available, name }) => (
          <a key={account_id} href={linkTo("accounts", account_id)}>
            {name} {euros(available)}
          </a>
        ))}
      </Fact>
    </dl>
  </>
)

const Verifications = ({ hour, week_ago: before }: Overview["verifications"]) => (
  <Part title="Verifications" says={COMPARED}>
    <dl class="figures">
      <Figure name="Started" value={count(hour.started)} before={count(before.started)} />
      <Figure
        name="Refused"
        value={count(hour.blocked)}
        before={count(before.blocked)}
        isOdd={hour.blocked >= ENOUGH && hour.blocked > 2 * before.blocked}
      />
      <Figure name="Approved" value={count(hour.approved)} before={count(before.approved)} />
      <Figure
        name="Conversion"
        value={share(hour.approved, hour.started)}
        before={share(before.approved, before.started)}
        isOdd={isWorse(hour.approved, hour.started, before.approved, before.started)}
      />
      <Figure name="Expired" value={count(hour.expired)} before={count(before.expired)} />
      <Figure name="Failed" value={count(hour.failed)} before={count(before.failed)} />
    </dl>
  </Part>
)

const Channels = ({ channels }: Pick<Overview, "channels">) => {
  const lastDay = useLastDay()
  return (
    <Part title="Channels" says={COMPARED}>
      {channels.length === 0 ? (
        <Nothing title="Nothing was sent in this hour" />
      ) : (
        <table class="list">
          <Columns
            all={[
              "Channel",
              "24 hours",
              { figures: "Sent" },
              { figures: "Delivered" },
              { figures: "Failed" },
              { figures: "Blocked" },
              { figures: "Under way" }
            ]}
          />
          <tbody>
            {channels.map(({ channel, hour, week_ago: before }) => (
              <tr key={channel}>
                <th scope="row">
                  <Icon name={iconOf(channel)} />
                  {channelName(channel)}
                </th>
                <td data-label="24 hours">
                  <LastDay channel={channel} rows={lastDay} />
                </td>
                <Cell label="Sent" value={count(hour.sent)} before={count(before.sent)} />
                <Cell
                  label="Delivered"
                  value={share(hour.delivered, hour.sent)}
                  before={share(before.delivered, before.sent)}
                  isOdd={isWorse(hour.delivered, hour.sent, before.delivered, before.sent)}
                />
                <Cell label="Failed" value={count(hour.failed)} before={count(before.failed)} />
                <Cell label="Blocked" value={count(hour.blocked)} before={count(before.blocked)} />
                <Cell label="Under way" value={count(hour.pending)} before={null} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  )
}

const COMPARED = "Live, in the last hour; the same hour a week ago is in brackets"

interface Compared {
  readonly value: string
  readonly before: string | null
  readonly isOdd?: boolean
}

const Cell = ({ before, isOdd = false, label, value }: Compared & { readonly label: string }) => (
  <td class={isOdd ? "number odd" : "number"} data-label={label}>
    {value} {before !== null && <span class="soft">({before})</span>}
  </td>
)

const Figure = ({ before, isOdd = false, name, value }: Compared & { readonly name: string }) => (
  <div class={isOdd ? "odd" : ""}>
    <dt>{name}</dt>
    <dd>
      <b>{value}</b> <span class="soft">({before})</span>
    </dd>
  </div>
)

const Fact = (given: {
  readonly name: string
  readonly value: string
  readonly isOdd: boolean
  readonly children?: preact.ComponentChildren
}) => (
  <div class={given.isOdd ? "odd" : ""}>
    <dt>{given.name}</dt>
    <dd>
      <b>{given.value}</b> <span class="soft small">{given.children}</span>
    </dd>
  </div>
)

/** Whether a share has dropped by more than a fifth, and both wholes are large enough to tell. */
const isWorse = (part: number, whole: number, partBefore: number, wholeBefore: number): boolean =>
  whole >= ENOUGH && wholeBefore >= ENOUGH && part / whole < 0.8 * (partBefore / wholeBefore)

const ENOUGH = 20

/** In milliseconds. When all is well, events wait only for seconds. */
const LATE = 5 * 60_000

const isLate = (oldest: string | null): boolean => oldest !== null && Date.now() - Date.parse(oldest) > LATE
