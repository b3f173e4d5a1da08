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
import { Spending } from "./account/Spending.tsx"
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
          {can("traffic") && <Spending id={id} />}
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
        title={name === "" ? "Unnamed" : name}
        says={
          <>
            <code>{id}</code>, opened <When at={opened} />
          </>
        }
      >
        <Copy text={id} label="Copy id" />
        {suspended === null ? (
          <Do
            command="account suspend"
            label="Suspend"
            given={{ account_id: id }}
            says="The account stops sending and its keys are refused within seconds, until you resume it."
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
        <Fact name="Held for sends in progress" value={euros(held)} />
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
            label="Set callers"
            class="button small"
            given={{ account_id: id }}
            fields={["numbers", "allow_small", "clear"]}
            first={account.caller_pool === null ? {} : { numbers: account.caller_pool }}
            done={done}
          />
          <Do
            command="account allow"
            label="Restrict"
            class="button small"
            given={{ account_id: id }}
            first={{ senders, callers, usernames }}
            says="Live sends may name only these. Leave a field empty to allow any."
            done={done}
          />
        </>
      }
    >
      <dl class="pairs">
        <Pair name="SMS sender" value={account.sms_sender ?? "Watchword"} />
        <Pair name="Chat code sender" value={account.sender_username ?? "the gateway's"} />
        <Pair name="Caller" value={account.caller ?? "none"} />
        <Pair name="Calls are placed from" value={account.caller_pool?.join(", ") ?? "the caller"} />
        <Pair name="Ring" value={`${account.min_ring} to ${account.max_ring} s`} />
        <Pair name="Message texts are kept" value={account.store_text ? "yes" : "no"} />
        <Pair name="Allowed senders" value={any(senders)} />
        <Pair name="Allowed callers" value={any(callers)} />
        <Pair name="Allowed usernames" value={any(usernames)} />
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
        label="Set defaults"
        class="button small"
        given={{ account_id: id }}
        first={{ brand, locale, workflow }}
        says="Used by verifications that do not set their own. Leave a field empty to remove it."
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
