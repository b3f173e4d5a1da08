/** A page that calls a service of its own origin, and tells what the answers came to. */
import { createClient, isWatchwordError } from "@watchword/client"

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (isWatchwordError(error) ? [error.code, error.status] : String(error)))

const create = (apiKey: string): string => {
  try {
    createClient({ baseUrl: "/v1", apiKey, accountId: "acc_1" })
    return "made"
  } catch (error) {
    return String(error)
  }
}

const client = createClient({ baseUrl: "/v1", apiKey: "sk_test_1", accountId: "acc_1" })
const told = {
  browser: navigator.userAgent,
  live: create("sk_live_1"),
  sent: await outcomeOf(client.sms.send({ to: "+4915123456789", text: "Your code is 123456" })),
  declined: await outcomeOf(client.call.flash({ callee: "+4915123456789" })),
  redirected: await outcomeOf(client.sms.get("elsewhere")),
  late: await outcomeOf(client.sms.get("silent", { timeout: 0.05, retries: 0 })),
  elsewhere: await outcomeOf(
    createClient({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "sk_test_1", accountId: "acc_1", retries: 0 }).sms.list()
  )
}

await fetch("/told", { method: "POST", body: JSON.stringify(told) })
