/**
 * A call that rings: who calls, and what can be done about it.
 */
import type { CallEvent, PhoneCall } from "@watchword/client"
import { Icon } from "../../kit/Icon.tsx"
import { callEvent } from "../api.ts"
import { act } from "../acts.ts"
import { Caller } from "./App.tsx"

export const Ringing = ({ call, ignore }: { readonly call: PhoneCall; readonly ignore: () => void }) => {
  const post = (event: CallEvent) => () => void act((session) => callEvent(session, call.id, event))
  const can = (event: CallEvent): boolean => call.accepts.includes(event)
  return (
    <div class="ringing">
      <div class="who" role="alert">
        <span class="pulse">
          <Icon name="call" />
        </span>
        <p>Incoming call</p>
        <Caller call={call} />
        {call.code !== null && <p>The last {call.code.length} digits are the code</p>}
      </div>
      <div class="acts">
        <button type="button" class="decline" disabled={!can("decline")} onClick={post("decline")}>
          <Icon name="call" />
          <span>Decline</span>
        </button>
        <button type="button" onClick={ignore}>
          <Icon name="quiet" />
          <span>Ignore</span>
        </button>
        <button type="button" class="answer" disabled={!can("answer")} onClick={post("answer")}>
          <Icon name="call" />
          <span>Answer</span>
        </button>
      </div>
    </div>
  )
}
