/**
 * All accounts, or one of them.
 */
import { Columns } from "../Columns.tsx"
import { euros } from "../../kit/channels.ts"
import { When } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Head, Nothing } from "../Head.tsx"
import { linkTo, param, route, setParams } from "../route.ts"
import { Account } from "./Account.tsx"
import { isMonth } from "./account/months.ts"
import { Statement } from "./account/Statement.tsx"

export const Accounts = () => {
  const [, id = "", part, month = ""] = route.value
  if (part === "statement" && isMonth(month)) return <Statement key={id} id={id} month={month} />
  return id === "" ? <All /> : <Account key={id} id={id} />
}

const All = () => {
  const answer = useAnswer("account list", {})
  const wanted = param("find")
  return (
    <>
      <Head title="Accounts" says="Only the command line can credit or debit an account.">
        <Do
          command="account create"
          label="Open an account"
          class="button primary"
          given={{}}
          fields={["name", "sms_sender", "sender_username", "caller"]}
          done={answer.again}
        />
      </Head>
      <label class="choice find">
        <span class="visually-hidden">Find by name or id</span>
        <input
          type="search"
          placeholder="Find by name or id"
          value={wanted}
          onInput={({ currentTarget }) => setParams({ find: currentTarget.value })}
        />
      </label>
      <Answered answer={answer} lines={6}>
        {({ accounts }) => <Table accounts={accounts.filter((account) => isLike(account, wanted))} />}
      </Answered>
    </>
  )
}

type Statements = Output<"account list">["accounts"]

const isLike = ({ account_id: id, name }: Statements[number], wanted: string): boolean =>
  `${name} ${id}`.toLowerCase().includes(wanted.trim().toLowerCase())

/** The most that are shown at once. */
const MOST = 200

const Table = ({ accounts }: { readonly accounts: Statements }) =>
  accounts.length === 0 ? (
    <Nothing title="No such account">
      <p>An admin opens one above, or with the command account create.</p>
    </Nothing>
  ) : (
    <table class="list">
      <Columns all={["Name", "Id", "Opened", "State", { figures: "Available" }]} />
      <tbody>
        {accounts
          .slice(0, MOST)
          .map(({ account_id: id, available, created_at: opened, name, suspended_at: suspended }) => (
            <tr key={id} class="opens">
              <td class="main">
                <a class="whole" href={linkTo("accounts", id)}>
                  {name === "" ? "Unnamed" : name}
                </a>
              </td>
              <td>
                <code>{id}</code>
              </td>
              <td data-label="Opened">
                <When at={opened} />
              </td>
              <td>
                {suspended === null ? <span class="pill good">open</span> : <span class="pill bad">suspended</span>}
              </td>
              <td class={available <= 0 ? "number odd" : "number"} data-label="Available">
                {euros(available)}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
