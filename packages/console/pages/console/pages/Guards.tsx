/**
 * What guards keep out: blocks with the time that is left of them, exceptions, and accounts with rules of their own.
 */
import { Ago } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Head, Nothing, Part } from "../Head.tsx"
import { linkTo } from "../route.ts"

export const Guards = () => {
  const answer = useAnswer("guard list", {})
  return (
    <>
      <Head title="Guards" says="Running servers follow a change within seconds.">
        <Do
          command="guard block"
          label="Block a prefix"
          class="button primary"
          given={{ account_id: null }}
          first={{ for: "12h" }}
          says="Nothing is sent to numbers that begin so, or to a country, for a time."
          done={answer.again}
        />
        <Do
          command="guard allow"
          label="Except a number"
          given={{ account_id: null }}
          says="Sends to this number pass all rules and blocks, until the exception is taken away."
          done={answer.again}
        />
      </Head>
      <Answered answer={answer} lines={5}>
        {({ guards }) => (
          <>
            <Blocks guards={guards} done={answer.again} />
            <Exceptions guards={guards} done={answer.again} />
            <Ruled guards={guards} />
          </>
        )}
      </Answered>
    </>
  )
}

interface Given {
  readonly guards: Output<"guard list">["guards"]
  readonly done: () => void
}

const Blocks = ({ done, guards }: Given) => {
  const blocks = guards.flatMap(({ account_id: account, blocks }) => blocks.map((block) => ({ ...block, account })))
  return (
    <Part title="Blocked now">
      {blocks.length === 0 ? (
        <Nothing title="Nothing is blocked">
          <p>Rules against pumping block a prefix by themselves; in an attack, block one above.</p>
        </Nothing>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Prefix or country</th>
              <th scope="col">For</th>
              <th scope="col">By</th>
              <th scope="col">Ends</th>
              <th scope="col">
                <span class="visually-hidden">Acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {blocks.map(({ account, by, place, until }) => (
              <tr key={`${account} ${place}`}>
                <th scope="row">{place}</th>
                <td>
                  <AccountLink id={account} />
                </td>
                <td>{by === "pumping" ? <span class="pill warn">rule against pumping</span> : "an operator"}</td>
                <td>
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
                      says={`Sends to ${place} are let through again within seconds. A rule may block it again.`}
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
}

const Exceptions = ({ done, guards }: Given) => {
  const all = guards.flatMap(({ account_id: account, allowed }) => allowed.map((number) => ({ account, number })))
  return (
    <Part title="Exceptions" says="Numbers that pass whatever rules and blocks say">
      {all.length === 0 ? (
        <Nothing title="No number is excepted" />
      ) : (
        <ul class="items">
          {all.map(({ account, number }) => (
            <li key={`${account} ${number}`}>
              <div>
                <a href={linkTo("number", number)}>{number}</a>{" "}
                <span class="soft small">
                  for <AccountLink id={account} />
                </span>
              </div>
              <Do
                command="guard remove"
                label="Take the exception away"
                name={`Take away ${number}`}
                class="button plain small"
                given={{ entry: number, account_id: account }}
                isHard
                done={done}
              >
                Take away
              </Do>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const Ruled = ({ guards }: Pick<Given, "guards">) => {
  const ruled = guards.filter(({ action }) => action !== null)
  return (
    <Part
      title="Accounts with rules of their own"
      says="The others are under the installation's rules, or the default ones"
    >
      {ruled.length === 0 ? (
        <Nothing title="No account has rules of its own">
          <p>The page of an account shows the rules that hold for it, and changes them.</p>
        </Nothing>
      ) : (
        <ul class="items">
          {ruled.map(({ account_id: account, action }) => (
            <li key={account}>
              <AccountLink id={account} />
              {action === "deny" ? <span class="pill good">deny</span> : <span class="pill warn">only record</span>}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
