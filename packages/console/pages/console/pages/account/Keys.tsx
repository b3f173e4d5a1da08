/**
 * The keys of an account: a new one is shown once.
 */
import { Columns } from "../../Columns.tsx"
import { Ago, When } from "../../../kit/When.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Do } from "../../Do.tsx"
import { Nothing, Part } from "../../Head.tsx"

export const Keys = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("key list", { account_id: id })
  return (
    <Part
      title="Keys"
      acts={
        <Do
          command="key create"
          label="Create a key"
          class="button primary"
          given={{ account_id: id }}
          says="With nothing ticked and all fields empty, it is a live key with every permission."
          secret="key"
          done={answer.again}
        />
      }
    >
      <Answered answer={answer}>{({ keys }) => <Table keys={keys} done={answer.again} />}</Answered>
    </Part>
  )
}

type Key = Output<"key list">["keys"][number]

const Table = ({ done, keys }: { readonly keys: ReadonlyArray<Key>; readonly done: () => void }) =>
  keys.length === 0 ? (
    <Nothing title="No keys yet">
      <p>An app needs one to send: create a sandbox key to try, and a live one to send.</p>
    </Nothing>
  ) : (
    <table class="list">
      <Columns all={["Key", "Permissions", "Used", "Ends"]} acts />
      <tbody>
        {keys.map((key) => (
          <Row key={key.key_id} of={key} done={done} />
        ))}
      </tbody>
    </table>
  )

const Row = ({ done, of }: { readonly of: Key; readonly done: () => void }) => {
  const { allow, expires_at: expires, key, key_id: id, last_used_at: used, revoked_at: revoked, sandbox, scopes } = of
  const isOver = revoked !== null || (expires !== null && Date.parse(expires) < Date.now())
  return (
    <tr class={isOver ? "gone" : ""}>
      <td title={id}>
        <code>{key}</code>
        {sandbox && <span class="tag">sandbox</span>}
      </td>
      <td data-label="Permissions">
        {scopes === null ? "everything" : scopes.join(", ")}
        {allow.length > 0 && <span class="soft"> from {allow.join(", ")}</span>}
      </td>
      <td data-label="Used">{used === null ? "never" : <Ago at={used} />}</td>
      <td data-label="Ends">
        {revoked !== null ? <span class="pill bad">revoked</span> : expires === null ? "never" : <When at={expires} />}
      </td>
      <td>
        {!isOver && (
          <div class="acts">
            <Do
              command="key rotate"
              label="Rotate"
              name={`Rotate ${key}`}
              class="button plain small"
              given={{ key_id: id }}
              says="Creates a key with the same permissions; the old key keeps working for a day unless you set another time."
              secret="key"
              done={done}
            />
            <Do
              command="key revoke"
              label="Revoke"
              name={`Revoke ${key}`}
              class="button plain small"
              given={{ key_id: id }}
              says={`Running servers refuse ${key} within seconds. This cannot be undone.`}
              isHard
              done={done}
            />
          </div>
        )}
      </td>
    </tr>
  )
}
