/**
 * One account: its money, keys, senders, texts and tests.
 */
import { euros } from "../../kit/channels.ts"
import { Copy } from "../../kit/Copy.tsx"
import { When } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Head, Part } from "../Head.tsx"
import { can } from "../session.ts"
import { Entries } from "./account/Entries.tsx"
import { Keys } from "./account/Keys.tsx"
import { Rules } from "./account/Rules.tsx"
import { Templates } from "./account/Templates.tsx"
import { TestNumbers } from "./account/TestNumbers.tsx"
import { Workflows } from "./account/Workflows.tsx"

export const Account = ({ id }: { readonly id: string }) => {
  const answer = useAnswer("account show", { account_id: id })
  return (
    <Answered answer={answer} lines={8}>
      {(account) => (
        <>
          <Top account={account} done={answer.again} />
          <Keys id={id} />
          <div class="pair">
            <Senders account={account} done={answer.again} />
            <Defaults account={account} done={answer.again} />
          </div>
          <Workflows id={id} />
          <Templates id={id} />
          <Rules id={id} />
          {can("account test-number list") && <TestNumbers id={id} />}
          <Entries id={id} />
        </>
      )}
    </Answered>
  )
}

interface Given {
  readonly account: Output<"account show">
  readonly done: () => void
}

const Top = ({ account, done }: Given) => {
  const { account_id: id, available, balance, created_at: opened, held, name, suspended_at: suspended } = account
  return (
    <>
      <Head
        title={name === "" ? "Without a name" : name}
        says={
          <>
            <code>{id}</code>, opened <When at={opened} />
          </>
        }
      >
        <Copy text={id} label="Copy the id" />
        {suspended === null ? (
          <Do
            command="account suspend"
            label="Suspend"
            given={{ account_id: id }}
            says="Nothing of it is sent any more, and its keys are refused within seconds, until it is resumed."
            isHard
            done={done}
          />
        ) : (
          <Do command="account resume" label="Resume" given={{ account_id: id }} class="button primary" done={done} />
        )}
      </Head>
      {suspended !== null && (
        <p class="refused">
          Suspended since <When at={suspended} />: nothing of it is sent, and its keys are refused.
        </p>
      )}
      <dl class="facts">
        <Fact name="Available" value={euros(available)} isOdd={available <= 0} />
        <Fact name="Held by sends under way" value={euros(held)} />
        <Fact name="Balance" value={euros(balance)} />
      </dl>
    </>
  )
}

const Fact = ({
  isOdd = false,
  name,
  value
}: {
  readonly name: string
  readonly value: string
  readonly isOdd?: boolean
}) => (
  <div class={isOdd ? "odd" : ""}>
    <dt>{name}</dt>
    <dd>
      <b>{value}</b>
    </dd>
  </div>
)

const any = (list: ReadonlyArray<string> | null): string => list?.join(", ") ?? "any"

const Senders = ({ account, done }: Given) => {
  const { account_id: id, callers, senders, usernames } = account
  return (
    <Part
      title="Senders and callers"
      acts={
        <>
          <Do
            command="account callers"
            label="Set the callers"
            class="button small"
            given={{ account_id: id }}
            fields={["numbers", "allow_small", "clear"]}
            first={account.caller_pool === null ? {} : { numbers: account.caller_pool }}
            done={done}
          />
          <Do
            command="account allow"
            label="Bound them"
            class="button small"
            given={{ account_id: id }}
            first={{ senders, callers, usernames }}
            says="The only ones that its live sends may name. Empty a field to let it name any."
            done={done}
          />
        </>
      }
    >
      <dl class="pairs">
        <Pair name="Sender of SMS" value={account.sms_sender ?? "Watchword"} />
        <Pair name="Sender of chat codes" value={account.sender_username ?? "the gateway's"} />
        <Pair name="Caller" value={account.caller ?? "none"} />
        <Pair name="Calls come from" value={account.caller_pool?.join(", ") ?? "the caller"} />
        <Pair name="Ring" value={`${account.min_ring} to ${account.max_ring} s`} />
        <Pair name="Texts are kept" value={account.store_text ? "yes" : "no"} />
        <Pair name="Senders that it may name" value={any(senders)} />
        <Pair name="Callers that it may name" value={any(callers)} />
        <Pair name="Usernames that it may name" value={any(usernames)} />
      </dl>
    </Part>
  )
}

const Defaults = ({ account: { account_id: id, brand, locale, name, workflow }, done }: Given) => (
  <Part
    title="Verifications"
    acts={
      <Do
        command="account verify"
        label="Set the defaults"
        class="button small"
        given={{ account_id: id }}
        first={{ brand, locale, workflow }}
        says="For verifications that name none of their own. Empty a field to take it away."
        done={done}
      />
    }
  >
    <dl class="pairs">
      <Pair name="Brand in texts" value={brand ?? `${name}, its name`} />
      <Pair name="Language" value={locale ?? "by the number's country"} />
      <Pair name="Workflow" value={workflow ?? "the installation's"} />
    </dl>
  </Part>
)

const Pair = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
