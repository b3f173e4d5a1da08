/**
 * The events that the network can still cause for the newest message, or for a call that rings.
 */
import type { PhoneCall, PhoneMessage } from "@watchword/client"
import { callEvent, messageEvent } from "./api.ts"
import { act } from "./acts.ts"
import { callsTo, messages } from "./phones.ts"
import { channelName } from "../kit/channels.ts"

export const Now = ({ number }: { readonly number: string }) => {
  const call = callsTo(number).find(({ accepts }) => accepts.includes("hangup"))
  const message = newestOf(number)
  if (call === undefined && message === undefined) return null
  return (
    <div class="now">
      {call !== undefined && <Drop call={call} />}
      {message !== undefined && <Fail message={message} />}
    </div>
  )
}

/** The newest message that may still fail, including messages that the carrier keeps. */
const newestOf = (number: string): PhoneMessage | undefined =>
  [...messages.value.values()]
    .filter(({ accepts, to }) => to === number && accepts.includes("failed"))
    .sort((one, other) => (one.at < other.at ? 1 : -1))[0]

const Drop = ({ call }: { readonly call: PhoneCall }) => (
  <button type="button" class="button" onClick={() => void act((session) => callEvent(session, call.id, "hangup"))}>
    Drop the call
  </button>
)

const Fail = ({ message }: { readonly message: PhoneMessage }) => (
  <button
    type="button"
    class="button"
    onClick={() => void act((session) => messageEvent(session, message.id, "failed"))}
  >
    Fail the {message.channel === "sms" ? "text" : channelName(message.channel).toLowerCase()}
  </button>
)
