/**
 * An account's statement of a month, which can be printed and saved.
 */
import { useSignal } from "@preact/signals"
import { channelName, decimalsOf, euros } from "../../../kit/channels.ts"
import { Choice } from "../../../kit/Choice.tsx"
import { Answered } from "../../Answered.tsx"
import { problemOf, useAnswer } from "../../answers.ts"
import { type Output, runInWords } from "../../api.ts"
import { Columns } from "../../Columns.tsx"
import { countryName } from "../../countries.ts"
import { Glyph } from "../../Glyph.tsx"
import { Head, Problem } from "../../Head.tsx"
import { go, linkTo } from "../../route.ts"
import { count } from "../../words.ts"
import { savedAs } from "../saved.ts"
import { monthName, monthOf, monthsUntil } from "./months.ts"

/** How many months can be chosen. */
const MONTHS = 24

export const Statement = ({ id, month }: { readonly id: string; readonly month: string }) => {
  const opened = useSignal(Date.now())
  const trouble = useSignal<string | null>(null)
  const answer = useAnswer("statement", { account_id: id, month })
  const months = [...new Set([...monthsUntil(monthOf(opened.value), MONTHS), month])].toSorted().toReversed()
  const save = async (): Promise<void> => {
    trouble.value = null
    try {
      savedAs(await runInWords("statement", { account_id: id, month, csv: true }, null), `statement-${id}-${month}`)
    } catch (error) {
      trouble.value = problemOf(error)
    }
  }
  return (
    <div class="statement">
      <Head
        title={`Statement, ${monthName(month)}`}
        says={
          <>
            <a href={linkTo("accounts", id)}>{answer.data?.name || id}</a>, <code>{id}</code>, months in UTC
          </>
        }
      >
        <Choice
          label="Month"
          value={month}
          options={months.map((value) => ({ value, label: monthName(value) }))}
          choose={(value) => go("accounts", id, "statement", value)}
        />
        <button type="button" class="button" onClick={() => void save()}>
          <Glyph name="save" />
          <span>Save as CSV</span>
        </button>
        <button type="button" class="button" onClick={() => print()}>
          Print
        </button>
      </Head>
      <Problem text={trouble.value} />
      <Answered answer={answer} lines={8}>
        {(statement) => <Table {...statement} />}
      </Answered>
    </div>
  )
}

const Table = ({ closing, is_over: isOver, month, opening, rows }: Output<"statement">) => {
  const decimals = decimalsOf([opening, closing, ...rows.map(({ amount }) => amount)])
  return (
    <>
      {!isOver && <p class="soft">The month is not over: its last balance is the balance so far.</p>}
      <table class="list">
        <Columns all={["Item", "Channel", "Country", { figures: "Count" }, { figures: "Amount" }, "Note"]} />
        <tbody>
          <Balance name={`Balance before ${monthName(month)}`} amount={euros(opening, decimals)} />
          {rows.map(({ amount, channel, count: many, country, date, item, note }, place) => (
            <tr key={place}>
              <th scope="row">{date === "" ? item : `${item}, ${date}`}</th>
              <td>{channel === "" ? "" : channelName(channel)}</td>
              <td>{channel === "" ? "" : countryName(country)}</td>
              <td class="number" data-label="Count">
                {count(many)}
              </td>
              <td class="number" data-label="Amount">
                {euros(amount, decimals)}
              </td>
              <td class="said">{note}</td>
            </tr>
          ))}
          <Balance
            name={isOver ? `Balance after ${monthName(month)}` : "Balance so far"}
            amount={euros(closing, decimals)}
          />
        </tbody>
      </table>
    </>
  )
}

const Balance = ({ amount, name }: { readonly name: string; readonly amount: string }) => (
  <tr class="total">
    <th scope="row" colSpan={4}>
      {name}
    </th>
    <td class="number">{amount}</td>
    <td />
  </tr>
)
