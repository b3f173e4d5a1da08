/**
 * The guard's rules that hold for an account.
 */
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Do } from "../../Do.tsx"
import { Part } from "../../Head.tsx"

export const Rules = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("guard show", { account_id: id })
  return (
    <Part title="Guard">
      <Answered answer={answer} lines={2}>
        {(shown) => <InForce shown={shown} done={answer.again} />}
      </Answered>
    </Part>
  )
}

const FROM = {
  account: "rules of its own",
  installation: "the installation's rules",
  default: "the default rules, because no others are set"
} as const

const InForce = ({ done, shown }: { readonly shown: Output<"guard show">; readonly done: () => void }) => {
  const { account_id: id, in_force: inForce, rules: own } = shown
  const { action = "record" } = inForce.rules
  const other = action === "deny" ? "record" : "deny"
  return (
    <>
      <p>
        It is under {FROM[inForce.from]}, which{" "}
        {action === "deny" ? <span class="pill good">deny</span> : <span class="pill warn">only record</span>}
      </p>
      <div class="acts">
        <Do
          command="guard set"
          label={other === "deny" ? "Deny from now on" : "Only record from now on"}
          given={{ account_id: id, rules: { ...inForce.rules, action: other } }}
          says={
            other === "deny"
              ? "Within seconds, sends that break these rules are refused. The rules become this account's own."
              : "Sends that break these rules are allowed and recorded. The rules become this account's own."
          }
          isHard={other === "record"}
          done={done}
        />
        <Do
          command="guard set"
          label="Change the rules"
          given={{ account_id: id }}
          first={{ rules: inForce.rules }}
          says="Running servers apply them within seconds. The rules become this account's own."
          done={done}
        />
        {own !== null && (
          <Do
            command="guard remove"
            label="Remove its own rules"
            given={{ entry: id }}
            says="The installation's rules then apply to the account."
            isHard
            done={done}
          />
        )}
      </div>
      <details>
        <summary>The rules as JSON</summary>
        <pre tabIndex={0}>{JSON.stringify(inForce.rules, null, 2)}</pre>
      </details>
    </>
  )
}
