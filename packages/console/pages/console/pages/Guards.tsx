/**
 * What guards keep out now: blocks, the rules that refuse, prefixes that look like an attack, exceptions.
 */
import { Columns } from "../Columns.tsx"
import { Ago } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { Answered } from "../Answered.tsx"
import { useWatched } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Head, Nothing, Part } from "../Head.tsx"
import { count, ruleName } from "../words.ts"
import { Exceptions } from "./guards/Exceptions.tsx"
import { Unentered } from "./guards/Unentered.tsx"

export const Guards = () => {
  const answer = useWatched("guard look", {})
  return (
    <>
      <Head title="Guards" says="Running servers apply a change within seconds.">
        <Do
          command="guard block"
          label="Block a prefix"
          class="button primary"
          given={{ account_id: null }}
          first={{ for: "12h" }}
          says={BLOCK}
          done={answer.again}
        />
        <Do
          command="guard allow"
          label="Exempt a number"
          given={{ account_id: null }}
          says="Sends to this number pass all rules and blocks until you remove the exemption."
          done={answer.again}
        />
      </Head>
      <Answered answer={answer} lines={5}>
        {(look) => (
          <>
            <Blocks blocks={look.blocks} done={answer.again} />
            <Unentered countries={look.countries} done={answer.again} says={BLOCK} />
            <Trips trips={look.trips} />
            <Rules rules={look.rules} />
            <Exceptions exceptions={look.exceptions} done={answer.again} />
          </>
        )}
      </Answered>
    </>
  )
}

const BLOCK = "Sends to numbers with this prefix, or in this country, are refused for the time you set."

type Look = Output<"guard look">

interface Changing {
  readonly done: () => void
}

const Blocks = ({ blocks, done }: Pick<Look, "blocks"> & Changing) => (
  <Part title="Blocked now">
    {blocks.length === 0 ? (
      <Nothing title="Nothing is blocked">
        <p>Rules against pumping block a prefix by themselves; in an attack, block one above.</p>
      </Nothing>
    ) : (
      <table class="list">
        <Columns all={["Prefix or country", "For", "By", "Ends"]} acts />
        <tbody>
          {blocks.map(({ account_id: account, by, place, until }) => (
            <tr key={`${account} ${place}`}>
              <th scope="row">{place}</th>
              <td data-label="For">
                <AccountLink id={account} />
              </td>
              <td data-label="By">{by === "pumping" ? <span class="pill warn">pumping rule</span> : "an operator"}</td>
              <td data-label="Ends">
                <Ago at={until} />
              </td>
              <td>
                <div class="acts">
                  <Do
                    command="guard remove"
                    label="Unblock"
                    name={`Unblock ${place}`}
                    class="button small"
                    given={{ entry: place, account_id: account }}
                    says={`Sends to ${place} are allowed again within seconds. A rule may block it again.`}
                    done={done}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Part>
)

const Trips = ({ trips }: Pick<Look, "trips">) => (
  <Part title="Broken rules" says="Denied (in brackets: matched by record-only rules)">
    {trips.length === 0 ? (
      <Nothing title="No rule was broken in the last day" />
    ) : (
      <table class="list">
        <Columns all={["Rule", "Account", { figures: "Last hour" }, { figures: "Last day" }]} />
        <tbody>
          {trips.map(({ account_id: account, day, hour, rule }) => (
            <tr key={`${account} ${rule}`}>
              <th scope="row">{ruleName(rule)}</th>
              <td data-label="Account">
                <AccountLink id={account} />
              </td>
              <td class="number" data-label="Last hour">
                {count(hour.refused)} <span class="soft">({count(hour.noted)})</span>
              </td>
              <td class="number" data-label="Last day">
                {count(day.refused)} <span class="soft">({count(day.noted)})</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Part>
)

const FROM = { account: "its own", installation: "of GUARDS", default: "default ones" } as const

const Rules = ({ rules }: Pick<Look, "rules">) => (
  <Part title="Rules in force" says="Change an account's rules on its page">
    <ul class="items">
      {rules.map(({ account_id: account, from, rules: { action = "record" } }) => (
        <li key={account}>
          <div>
            <AccountLink id={account} /> <span class="soft small">{FROM[from]}</span>
          </div>
          {action === "deny" ? <span class="pill good">deny</span> : <span class="pill warn">only record</span>}
        </li>
      ))}
    </ul>
  </Part>
)
