/**
 * Webhooks: the events that wait for each, its last answer, and acts for a webhook that fails.
 */
import { Ago, When } from "../../kit/When.tsx"
import { AccountLink } from "../AccountLink.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Nothing, Part } from "../Head.tsx"
import { openOf } from "../params.ts"
import { can } from "../session.ts"
import { count } from "../words.ts"
import { WebhookEvents } from "./WebhookEvents.tsx"

export const Webhooks = () => {
  const answer = useAnswer("webhook list", {})
  return (
    <Part
      title="Webhooks"
      acts={
        <Do
          command="webhook add"
          label="Add a webhook"
          class="button primary"
          given={{}}
          fields={["url", "events", "account_id"]}
          secret="secret"
          done={answer.again}
        />
      }
    >
      <Answered answer={answer}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Nothing title="No webhook">
              <p>A webhook tells an app about receipts and approvals, so it need not poll.</p>
            </Nothing>
          ) : (
            <ul class="cards">
              {webhooks.map((webhook) => (
                <Webhook key={webhook.webhook_id} webhook={webhook} done={answer.again} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Part>
  )
}

type Listed = Output<"webhook list">["webhooks"][number]

const Webhook = ({ done, webhook }: { readonly webhook: Listed; readonly done: () => void }) => {
  const { account_id: account, events, last_answer: last, url, webhook_id: id } = webhook
  const { isOpen, toggle } = openOf("webhook", id)
  return (
    <li>
      <header>
        <div>
          <h3>{url}</h3>
          <p class="soft small">
            {events.join(", ")} of <AccountLink id={account} /> · <code>{id}</code>
          </p>
        </div>
        <State {...webhook} />
      </header>
      <dl class="pairs row">
        <div>
          <dt>Waiting</dt>
          <dd>
            {count(webhook.pending)}
            {webhook.oldest_pending !== null && (
              <>
                , the oldest <Ago at={webhook.oldest_pending} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>At once</dt>
          <dd>
            {webhook.concurrency}
            {webhook.batch !== null && `, lists of ${webhook.batch}`}
          </dd>
        </div>
        <div>
          <dt>Failed for good in a week</dt>
          <dd>{count(webhook.failed)}</dd>
        </div>
        <div>
          <dt>Last answer</dt>
          <dd>
            {last === null ? (
              "none yet"
            ) : (
              <>
                {last.answer}, <Ago at={last.at} />
              </>
            )}
          </dd>
        </div>
      </dl>
      <Acts webhook={webhook} done={done} />
      {can("webhook events") && (
        <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
          <summary>Events</summary>
          {isOpen && <WebhookEvents id={id} usual={usualOf(webhook)} />}
        </details>
      )}
    </li>
  )
}

/** The state of events that is looked at first. */
const usualOf = ({ failed, pending }: Listed) => (failed > 0 ? "failed" : pending > 0 ? "pending" : "sent")

const State = ({ disabled, failing_since: failing }: Listed) => {
  if (disabled !== null) {
    return (
      <span class="pill bad">
        {disabled === "gone" ? "disabled: it answered 410" : "disabled: five days of failure"}
      </span>
    )
  }
  if (failing === null) return <span class="pill good">takes events</span>
  return (
    <span class="pill warn">
      fails since <When at={failing} />
    </span>
  )
}

const HOUR = 3_600_000

const Acts = ({
  done,
  webhook: { batch, concurrency, disabled, url, webhook_id: id }
}: {
  readonly webhook: Listed
  readonly done: () => void
}) => (
  <div class="acts">
    {disabled !== null && (
      <Do command="webhook enable" label="Enable" class="button primary small" given={{ webhook_id: id }} done={done} />
    )}
    <Do
      command="webhook test"
      label="Test"
      name={`Test ${url}`}
      class="button small"
      given={{ webhook_id: id }}
      says="A running server posts the event webhook.test now, and you see the answer."
      done={done}
    />
    <Do
      command="webhook throughput"
      label="Throughput"
      name={`Throughput of ${url}`}
      class="button small"
      given={{ webhook_id: id }}
      fields={["concurrency", "batch"]}
      first={{ concurrency, batch }}
      done={done}
    />
    <Do
      command="webhook replay"
      label="Send again"
      name={`Send again to ${url}`}
      class="button small"
      given={{ webhook_id: id }}
      first={{ since: new Date(Date.now() - HOUR).toISOString() }}
      says="Sends all events since a time at most a week ago. An endpoint that has already accepted an event gets it again, with the same id."
      done={done}
    />
    <Do
      command="webhook rotate"
      label="New secret"
      name={`New secret of ${url}`}
      class="button plain small"
      given={{ webhook_id: id }}
      secret="secret"
      done={done}
    />
    <Do
      command="webhook remove"
      label="Remove"
      name={`Remove ${url}`}
      class="button plain small"
      given={{ webhook_id: id }}
      says={`${url} gets no more events, and events waiting for it are dropped.`}
      isHard
      done={done}
    />
  </div>
)
