/**
 * Events as rows that open, and can be chosen to be sent again together.
 */
import { useSignal } from "@preact/signals"
import { channelName } from "../../../kit/channels.ts"
import { Ago, When } from "../../../kit/When.tsx"
import type { Output } from "../../api.ts"
import { Columns } from "../../Columns.tsx"
import { Do } from "../../Do.tsx"
import { openOf } from "../../params.ts"
import { can } from "../../session.ts"
import { wordsOf } from "../../words.ts"
import { OpenedEvent } from "./OpenedEvent.tsx"

type Event = Output<"webhook events">["events"][number]

interface Given {
  readonly webhook: string
  readonly events: ReadonlyArray<Event>
  readonly done: () => void
}

const AGAIN = "It is posted within seconds, with the same id, even if the endpoint has already accepted it."

const AGAIN_ALL = "They are posted within seconds, with the same ids, even if the endpoint has already accepted them."

export const Events = ({ done, events, webhook }: Given) => {
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const ids = events.flatMap(({ id }) => (chosen.value.has(id) ? [id] : []))
  const choose = (all: ReadonlyArray<string>, isChosen: boolean): void => {
    const next = new Set(chosen.value)
    for (const id of all) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    chosen.value = next
  }
  return (
    <>
      {can("webhook send-again") && (
        <div class="between">
          <label class="check">
            <input
              type="checkbox"
              checked={ids.length === events.length}
              onChange={({ currentTarget }) =>
                choose(
                  events.map(({ id }) => id),
                  currentTarget.checked
                )
              }
            />
            <span>All {events.length}</span>
          </label>
          {ids.length > 0 && (
            <Do
              command="webhook send-again"
              label={`Send ${ids.length} again`}
              class="button small"
              given={{ webhook_id: webhook }}
              fields={[]}
              each={ids.map((id) => ({ event_id: id }))}
              says={AGAIN_ALL}
              done={() => {
                chosen.value = new Set()
                done()
              }}
            />
          )}
        </div>
      )}
      <table class="list">
        <Columns all={["At", "Event", "Attempts", "Last answer"]} acts />
        <tbody>
          {events.map((event) => (
            <Row
              key={event.id}
              webhook={webhook}
              event={event}
              isChosen={chosen.value.has(event.id)}
              choose={(isChosen) => choose([event.id], isChosen)}
              done={done}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

const Row = (given: {
  readonly webhook: string
  readonly event: Event
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
  readonly done: () => void
}) => {
  const { event, webhook } = given
  const { isOpen, toggle } = openOf("event", event.id)
  const title = titleOf(event)
  return (
    <>
      <tr class="opens">
        <td>
          <When at={event.at} />
        </td>
        <td>
          <button type="button" class="whole" aria-expanded={isOpen} onClick={() => toggle(!isOpen)}>
            {title}
          </button>
          {event.mode === "sandbox" && <span class="tag">sandbox</span>}
        </td>
        <td data-label="Attempts">
          {event.attempts}
          {event.next_at !== null && event.attempts > 0 && (
            <span class="soft">
              , next <When at={event.next_at} />
            </span>
          )}
        </td>
        <td>
          {event.last_answer === null ? (
            <span class="soft">none yet</span>
          ) : (
            <>
              {event.last_answer.answer}, <Ago at={event.last_answer.at} />
            </>
          )}
        </td>
        <td>
          <div class="acts">
            <Do
              command="webhook send-again"
              label="Send again"
              name={`Send again ${title} of ${event.at}`}
              class="button plain small"
              given={{ webhook_id: webhook, event_id: event.id }}
              says={AGAIN}
              done={given.done}
            >
              Send again
            </Do>
            {can("webhook send-again") && (
              <input
                type="checkbox"
                aria-label={`Choose ${title} of ${event.at}`}
                checked={given.isChosen}
                onChange={({ currentTarget }) => given.choose(currentTarget.checked)}
              />
            )}
          </div>
        </td>
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={5}>
            <OpenedEvent webhook={webhook} id={event.id} />
          </td>
        </tr>
      )}
    </>
  )
}

const titleOf = ({ channel, kind, status }: Event): string => {
  if (kind !== "delivery") return kind === "test" ? "A test" : "Low balance"
  return `${channelName(channel ?? "")} ${wordsOf(status ?? "")}`
}
