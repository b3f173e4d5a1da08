/**
 * How a phone answers, channel by channel.
 */
import type { Phone } from "@watchword/client"
import { Choice } from "../kit/Choice.tsx"

const DELAY = 20

const CALLS = [
  { value: "ring", label: "ring" },
  { value: "decline", label: "are declined" },
  { value: "busy", label: "find the phone busy" },
  { value: "unreachable", label: "do not reach the phone" }
] as const
const TEXTS = [
  { value: "deliver", label: "arrive" },
  { value: "delay", label: `arrive after ${DELAY} s` },
  { value: "undelivered", label: "never arrive" }
] as const
const CHATS = [
  { value: "yes", label: "has an account" },
  { value: "no", label: "has no account" }
] as const
const BUSINESS = [
  { value: "deliver", label: "arrives" },
  { value: "read", label: "is read at once" },
  { value: "none", label: "has no account" }
] as const

export const Answers = (given: { readonly phone: Phone; readonly change: (changes: Partial<Phone>) => void }) => {
  const { change, phone } = given
  return (
    <div class="answers">
      {phone.mode === "manual" && (
        <p class="soft">When you answer, messages arrive immediately, and a chat counts as read when you open it.</p>
      )}
      <Choice label="Calls" value={phone.call} options={CALLS} choose={(call) => change({ call })} />
      <Choice
        label="Texts"
        value={typeof phone.sms === "string" ? phone.sms : "delay"}
        options={TEXTS}
        choose={(sms) => change({ sms: sms === "delay" ? { delay: DELAY } : sms })}
      />
      <Choice
        label="Chat gateway"
        value={phone.chatgw ? "yes" : "no"}
        options={CHATS}
        choose={(account) => change({ chatgw: account === "yes" })}
      />
      <Choice
        label="Business chat"
        value={phone.bizchat}
        options={BUSINESS}
        choose={(bizchat) => change({ bizchat })}
      />
    </div>
  )
}
