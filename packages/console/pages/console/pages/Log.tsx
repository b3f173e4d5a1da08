/**
 * For admins: the users of the console, and the log of their acts.
 */
import { Columns } from "../Columns.tsx"
import { Ago } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import { Do } from "../Do.tsx"
import { Head, Nothing, Part } from "../Head.tsx"
import { can } from "../session.ts"
import { roleName } from "../words.ts"
import { Operations } from "./log/Operations.tsx"

export const Log = () => (
  <>
    <Head title="Log" says="Who may use the console, and what operators did." />
    <Operators />
    {can("operator log") && <Operations />}
  </>
)

const Operators = () => {
  const answer = useAnswer("operator list", {})
  return (
    <Part
      title="Operators"
      acts={
        <Do
          command="operator grant"
          label="Grant a token"
          class="button primary"
          given={{}}
          first={{ role: "support", for: "90d" }}
          secret="token"
          done={answer.again}
        />
      }
    >
      <Answered answer={answer}>
        {({ operators }) =>
          operators.length === 0 ? (
            <Nothing title="No token">
              <p>Operators sign in through the proxy, or through your own sign-in.</p>
            </Nothing>
          ) : (
            <table class="list">
              <Columns all={["Name", "Role", "By", "Ends"]} acts />
              <tbody>
                {operators.map(({ expires_at: ends, id, kind, name, role }) => (
                  <tr key={id}>
                    <th scope="row">{name}</th>
                    <td data-label="Role">{roleName(role)}</td>
                    <td data-label="By">{kind}</td>
                    <td data-label="Ends">
                      <Ago at={ends} />
                    </td>
                    <td>
                      <div class="acts">
                        <Do
                          command="operator revoke"
                          label="Revoke"
                          name={`Revoke the token of ${name}`}
                          class="button plain small"
                          given={{ id }}
                          says={`${name} is signed out within a second, and the token stops working.`}
                          isHard
                          done={answer.again}
                        />
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </Part>
  )
}
