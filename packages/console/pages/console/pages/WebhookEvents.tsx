/**
 * The events of a webhook with its answers, and a button to send each event again.
 */
import { Columns } from "../Columns.tsx"
import { useSignal } from "@preact/signals"
import { channelName } from "../../kit/channels.ts"
import { Segmented } from "../../kit/Segmented.tsx"
import { Ago, When } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Nothing } from "../Head.tsx"
import { wordsOf } from "../words.ts"

const STATES = [
  { value: "pending", label: "Waiting" },
  { value: "failed", label: "Given up" },
  { value: "sent", label: "Taken" }
] as const

type State = (typeof STATES)[number]["value"]

export const WebhookEvents = ({ id, isFailing }: { readonly id: string; readonly isFailing: boolean }) => {
  const state = useSignal<State>(isFailing ? "failed" : "pending")
  return (
    <div class="events">
      <Segmented
        label="Which events"
        name={`events-${id}`}
        value={state.value}
        options={STATES}
        choose={(value) => (state.value = value)}
      />
      <Events key={state.value} id={id} state={state.value} />
    </div>
  )
}

const Events = ({ id, state }: { readonly id: string; readonly state: State }) => {
  const answer = useAnswer("webhook events", { webhook_id: id, state })
  return (
    <Answered answer={answer}>
      {({ events }) =>
        events.length === 0 ? (
          <Nothing title={NOTHING[state]} />
        ) : (
          <Table webhook={id} events={events} done={answer.again} />
        )
      }
    </Answered>
  )
}

const NOTHING = {
  pending: "No events waiting",
  failed: "No event was given up in the last week",
  sent: "No event was accepted in the last week"
} as const

type Event = Output<"webhook events">["events"][number]

const Table = (given: {
  readonly webhook: string
  readonly events: ReadonlyArray<Event>
  readonly done: () => void
}) => (
  <table class="list">
    <Columns all={["At", "Event", "Attempts", "Last answer"]} acts />
    <tbody>
      {given.events.map((event) => (
        <tr key={event.id}>
          <td>
            <When at={event.at} />
          </td>
          <td title={event.delivery_id ?? event.id}>
            {titleOf(event)}
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
                name={`Send again ${titleOf(event)} of ${event.at}`}
                class="button plain small"
                given={{ webhook_id: given.webhook, event_id: event.id }}
                says="It is posted within seconds, with the same id, even if the endpoint has already accepted it."
                done={given.done}
              >
                Send again
              </Do>
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const titleOf = ({ channel, kind, status }: Event): string => {
  if (kind !== "delivery") return kind === "test" ? "A test" : "Low balance"
  return `${channelName(channel ?? "")} ${wordsOf(status ?? "")}`
}
