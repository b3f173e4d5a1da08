/**
 * Price, cost and margin of an account's sends of the last 30 days.
 */
import { useSignal } from "@preact/signals"
import { channelName, decimalsOf, euros, iconOf } from "../../../kit/channels.ts"
import { Icon } from "../../../kit/Icon.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Columns } from "../../Columns.tsx"
import { Nothing, Part } from "../../Head.tsx"
import { linkTo } from "../../route.ts"
import { can } from "../../session.ts"
import { count } from "../../words.ts"
import { monthOf } from "./months.ts"

const DAYS = 30
const DAY = 86_400_000

export const Spending = ({ id }: { readonly id: string }) => {
  const opened = useSignal(Date.now())
  const since = new Date(opened.value - DAYS * DAY).toISOString()
  const answer = useAnswer("traffic", { account_id: id, since, by: ["channel"] })
  return (
    <Part
      title="Money of live sends"
      says={`The last ${DAYS} days`}
      acts={
        can("statement") && (
          <a class="button small" href={linkTo("accounts", id, "statement", monthOf(opened.value))}>
            Statements
          </a>
        )
      }
    >
      <Answered answer={answer}>
        {({ rows, total }) =>
          rows.length === 0 ? <Nothing title="No live sends" /> : <Table rows={rows} total={total} />
        }
      </Answered>
    </Part>
  )
}

type Figures = Pick<Output<"traffic">, "rows" | "total">

const Table = ({ rows, total }: Figures) => {
  const decimals = decimalsOf([...rows, total].flatMap(({ cost, margin, price }) => [cost, margin, price]))
  const figures = ({ cost, margin, price, sent }: Figures["total"]) => (
    <>
      <Cell label="Sent" value={count(sent)} />
      <Cell label="Price" value={euros(price, decimals)} />
      <Cell label="Cost" value={euros(cost, decimals)} />
      <Cell label="Margin" value={euros(margin, decimals)} isOdd={margin < 0} />
    </>
  )
  return (
    <table class="list">
      <Columns
        all={["Channel", { figures: "Sent" }, { figures: "Price" }, { figures: "Cost" }, { figures: "Margin" }]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.channel}>
            <th scope="row">
              <Icon name={iconOf(row.channel ?? "")} />
              {channelName(row.channel ?? "")}
            </th>
            {figures(row)}
          </tr>
        ))}
        {rows.length > 1 && (
          <tr class="total">
            <th scope="row">All</th>
            {figures(total)}
          </tr>
        )}
      </tbody>
    </table>
  )
}

const Cell = ({
  isOdd = false,
  label,
  value
}: {
  readonly label: string
  readonly value: string
  readonly isOdd?: boolean
}) => (
  <td class={isOdd ? "number odd" : "number"} data-label={label}>
    {value}
  </td>
)
