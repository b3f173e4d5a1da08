/**
 * The test numbers of an account, whose codes are fixed.
 */
import { Ago } from "../../../kit/When.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import { Do } from "../../Do.tsx"
import { Nothing, Part } from "../../Head.tsx"

export const TestNumbers = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("account test-number list", { account_id: id })
  return (
    <Part
      title="Test numbers"
      says="For app-store reviewers: nothing is sent to these numbers, and their code is fixed"
      acts={
        <Do
          command="account test-number add"
          label="Add a test number"
          class="button small"
          given={{ account_id: id }}
          done={answer.again}
        />
      }
    >
      <Answered answer={answer} lines={1}>
        {({ test_numbers: numbers }) =>
          numbers.length === 0 ? (
            <Nothing title="No test numbers" />
          ) : (
            <ul class="items">
              {numbers.map(({ code, ended, number, until }) => (
                <li key={number}>
                  <div>
                    <b>{number}</b> <code>{code}</code>
                    <p class="soft small">
                      {ended ? "ended" : "ends"} <Ago at={until} />
                    </p>
                  </div>
                  <Do
                    command="account test-number remove"
                    label="Remove the test number"
                    name={`End ${number}`}
                    class="button plain small"
                    given={{ account_id: id, number }}
                    isHard
                    done={answer.again}
                  >
                    End
                  </Do>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Part>
  )
}
