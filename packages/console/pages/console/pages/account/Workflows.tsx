/**
 * The workflows of an account: the channels that a verification takes one after the other.
 */
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import { Do } from "../../Do.tsx"
import { Nothing, Part } from "../../Head.tsx"
import { inWords, written } from "../../steps.ts"

export const Workflows = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("account workflow list", { account_id: id })
  return (
    <Part
      title="Workflows"
      acts={
        <Do
          command="account workflow set"
          label="Add a workflow"
          class="button small"
          given={{ account_id: id }}
          done={answer.again}
        />
      }
    >
      <Answered answer={answer} lines={1}>
        {({ workflows }) =>
          workflows.length === 0 ? (
            <Nothing title="No workflows of its own">
              <p>Its verifications use the installation's steps.</p>
            </Nothing>
          ) : (
            <ul class="items">
              {workflows.map(({ name, steps }) => (
                <li key={name}>
                  <div>
                    <b>{name}</b>
                    <p class="soft small">{inWords(steps)}</p>
                  </div>
                  <div class="acts">
                    <Do
                      command="account workflow set"
                      label="Change the steps"
                      name={`Change ${name}`}
                      class="button plain small"
                      given={{ account_id: id, name }}
                      first={{ steps: written(steps) }}
                      done={answer.again}
                    >
                      Change
                    </Do>
                    <Do
                      command="account workflow remove"
                      label="Remove the workflow"
                      name={`Remove ${name}`}
                      class="button plain small"
                      given={{ account_id: id, name }}
                      isHard
                      done={answer.again}
                    >
                      Remove
                    </Do>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Part>
  )
}
