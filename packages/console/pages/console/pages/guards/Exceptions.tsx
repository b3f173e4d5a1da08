/**
 * Numbers that pass all rules and blocks: asked for once they are wanted, since they are persons.
 */
import { AccountLink } from "../../AccountLink.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import { Do } from "../../Do.tsx"
import { Nothing, Part } from "../../Head.tsx"
import { openOf } from "../../params.ts"
import { linkTo } from "../../route.ts"
import { When } from "../../../kit/When.tsx"
import { count } from "../../words.ts"

interface Given {
  /** How many there are. */
  readonly exceptions: number
  readonly done: () => void
}

export const Exceptions = (given: Given) => {
  const { isOpen, toggle } = openOf("open", "exemptions")
  return (
    <Part title="Exemptions" says="Numbers that pass all rules and blocks">
      {given.exceptions === 0 ? (
        <Nothing title="No exempt numbers" />
      ) : (
        <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
          <summary>{given.exceptions === 1 ? "The number" : `The ${count(given.exceptions)} numbers`}</summary>
          {isOpen && <Numbers key={given.exceptions} done={given.done} />}
        </details>
      )}
    </Part>
  )
}

const Numbers = ({ done }: Pick<Given, "done">) => {
  const answer = useAnswer("guard list", {})
  return (
    <Answered answer={answer}>
      {({ guards }) => (
        <ul class="items">
          {guards
            .flatMap(({ account_id: account, allowed }) => allowed.map((each) => ({ account, ...each })))
            .map(({ account, number, until }) => (
              <li key={`${account} ${number}`}>
                <div>
                  <a href={linkTo("number", number)}>{number}</a>{" "}
                  <span class="soft small">
                    for <AccountLink id={account} />
                    {until !== null && (
                      <>
                        {" "}
                        until <When at={until} />
                      </>
                    )}
                  </span>
                </div>
                <Do
                  command="guard remove"
                  label="Remove the exemption"
                  name={`Remove ${number}`}
                  class="button plain small"
                  given={{ entry: number, account_id: account }}
                  isHard
                  done={done}
                >
                  Remove
                </Do>
              </li>
            ))}
        </ul>
      )}
    </Answered>
  )
}
