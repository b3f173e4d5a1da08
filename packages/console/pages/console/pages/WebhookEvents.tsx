/**
 * The events of a webhook: each one opens, and is sent again by itself, in a selection, or with all since a time.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import { Do } from "../Do.tsx"
import { Nothing } from "../Head.tsx"
import { choiceOf } from "../params.ts"
import { param, setParams } from "../route.ts"
import { can } from "../session.ts"
import { Events } from "./webhooks/Events.tsx"

const STATES = [
  { value: "pending", label: "Waiting" },
  { value: "failed", label: "Given up" },
  { value: "sent", label: "Taken" }
] as const

type State = (typeof STATES)[number]["value"]

export const WebhookEvents = ({ id, usual }: { readonly id: string; readonly usual: State }) => {
  const { choose, ...state } = choiceOf("events", STATES, usual)
  return (
    <div class="events">
      <div class="between">
        <Segmented
          label="Which events"
          name={`events-${id}`}
          {...state}
          choose={(value) => {
            choose(value)
            if (param("event") !== "") setParams({ event: "" })
          }}
        />
        {can("webhook replay") && <Since id={id} />}
      </div>
      <Listed key={state.value} id={id} state={state.value} />
    </div>
  )
}

const Listed = ({ id, state }: { readonly id: string; readonly state: State }) => {
  const answer = useAnswer("webhook events", { webhook_id: id, state })
  return (
    <Answered answer={answer}>
      {({ events }) =>
        events.length === 0 ? (
          <Nothing title={NOTHING[state]} />
        ) : (
          <Events webhook={id} events={events} done={answer.again} />
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

/** In hours. */
const SINCE = [
  { value: "1", label: "the last hour" },
  { value: "6", label: "the last 6 hours" },
  { value: "24", label: "the last day" },
  { value: "72", label: "the last 3 days" },
  { value: "168", label: "the last week" }
] as const

const HOUR = 3_600_000

/** Sends all events of the last hours or days again. */
const Since = ({ id }: { readonly id: string }) => {
  const hours = useSignal<(typeof SINCE)[number]["value"]>("1")
  const words = SINCE.find(({ value }) => value === hours.value)?.label ?? ""
  return (
    <div class="acts">
      <Choice label="All of" value={hours.value} options={SINCE} choose={(value) => (hours.value = value)} />
      <Do
        command="webhook replay"
        label="Send again"
        name={`Send again all of ${words}`}
        class="button small"
        given={{ webhook_id: id, since: new Date(Date.now() - Number(hours.value) * HOUR).toISOString() }}
        says={`Sends all events of ${words}. An endpoint that has already accepted an event gets it again, with the same id.`}
      />
    </div>
  )
}
