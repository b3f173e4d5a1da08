/**
 * Prints the messages on the sandbox's phones: only a demonstration may print codes.
 */
import type { Caller, Watchword } from "watchword"

/** Ends with the service. */
export const showPhones = (service: Watchword, caller: Caller): void => {
  const next = async (after: { readonly after?: string }): Promise<void> => {
    const { messages } = await service.sandbox.inbox(caller, { wait: 30, ...after })
    for (const { code, to } of messages.toReversed()) console.log(`The phone ${to} shows: ${code}`)
    const [newest] = messages
    return next(newest === undefined ? after : { after: newest.id })
  }
  next({}).catch(() => {})
}
