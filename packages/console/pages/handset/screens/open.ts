/**
 * Opening a message: it is looked at, and a chat is reported read.
 */
import type { PhoneMessage } from "@watchword/client"
import { messageEvent } from "../api.ts"
import { act } from "../acts.ts"
import { look, phoneOf } from "../phones.ts"

const reported = new Set<string>()

/**
 * Has the messages that a screen shows be seen. Only a phone that waits for a person reports what that person reads.
 */
export const read = (messages: ReadonlyArray<PhoneMessage>): void => {
  look(messages)
  for (const { accepts, id, to } of messages) {
    if (!accepts.includes("read") || reported.has(id) || phoneOf(to).mode !== "manual") continue
    reported.add(id)
    void act((session) => messageEvent(session, id, "read"))
  }
}
