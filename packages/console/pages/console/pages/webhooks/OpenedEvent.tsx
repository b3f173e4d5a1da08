/**
 * One event: the body that is posted, its attempts, the last answer, and the number that it is about.
 */
import { Copy } from "../../../kit/Copy.tsx"
import { When } from "../../../kit/When.tsx"
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import type { Output } from "../../api.ts"
import { Nothing } from "../../Head.tsx"
import { linkTo } from "../../route.ts"

export const OpenedEvent = ({ id, webhook }: { readonly webhook: string; readonly id: string }) => (
  <div class="life">
    <Answered answer={useAnswer("webhook event", { webhook_id: webhook, event_id: id })} lines={2}>
      {(event) => (
        <>
          <Tries {...event} />
          {event.posts.length === 0 ? (
            <Nothing title="Nothing is posted: the webhook wants no such event, or its record is gone" />
          ) : (
            event.posts.map((post) => <Posted key={post.id} {...post} />)
          )}
        </>
      )}
    </Answered>
  </div>
)

type Opened = Output<"webhook event">

const Tries = ({ attempts, delivery_id: delivery, last_answer: last, next_at: next, to }: Opened) => (
  <dl class="pairs">
    {to !== null && (
      <div>
        <dt>Number</dt>
        <dd>{to.startsWith("+") ? <a href={linkTo("number", to)}>{to}</a> : to}</dd>
      </div>
    )}
    {delivery !== null && (
      <div>
        <dt>Record</dt>
        <dd>
          <code>{delivery}</code>
        </dd>
      </div>
    )}
    <div>
      <dt>Attempts</dt>
      <dd>
        {attempts}
        {next !== null && (
          <>
            , next at <When at={next} />
          </>
        )}
      </dd>
    </div>
    <div>
      <dt>Last answer</dt>
      <dd>
        {last === null ? (
          "none yet"
        ) : (
          <>
            {last.answer}
            {last.took !== null && ` in ${last.took} ms`}, at <When at={last.at} />
            {last.said !== null && <q>{last.said}</q>}
            {attempts > 1 && <p class="soft small">Answers to earlier attempts are not kept.</p>}
          </>
        )}
      </dd>
    </div>
  </dl>
)

const Posted = ({ body, id, type }: Opened["posts"][number]) => {
  const text = JSON.stringify(body, null, 2)
  return (
    <figure class="posted">
      <figcaption>
        <span>
          <b>{type}</b> <code class="soft">{id}</code>
        </span>
        <Copy text={text} label="Copy body" class="button plain small" />
      </figcaption>
      <pre tabIndex={0} aria-label={`Body of ${type}`}>
        {text}
      </pre>
    </figure>
  )
}
