/**
 * What clients ask of a server that has {@link SECRET}: texts, flash calls, and verifications by SMS from start to
 * approved.
 */
import * as Code from "../../packages/verify/src/internal/Code.ts"
import type { Client } from "./http.ts"

/** The secret of the installation. A benchmark reads no texts: it makes the codes as the server does. */
export const SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

const keys = await Code.importSecret(SECRET)
const WORKFLOW = [{ channel: "sms", timeout: 900 }]
const TEXT = "Your code is 123456. It is valid for 10 minutes."

let serial = 10_000_000
const nextNumber = (): string => `+49151${++serial}`

const post = async ({ ask }: Client, path: string, body: object): Promise<unknown> =>
  JSON.parse(await ask({ method: "POST", path, body: JSON.stringify(body) }))

/** Sends a text to a number of its own. */
export const sendText = (client: Client): Promise<unknown> => post(client, "/v1/sms", { to: nextNumber(), text: TEXT })

/** Has a number of its own rung for a second. */
export const flash = (client: Client): Promise<unknown> =>
  post(client, "/v1/call/flash", { callee: nextNumber(), caller: "+4930901820123", max_ring_time: 1 })

/** Starts a verification of a number of its own, and checks its code. */
export const verify = async (client: Client): Promise<void> => {
  const started = await post(client, "/v1/verifications", { to: nextNumber(), workflow: WORKFLOW })
  const id = text(started, "id")
  const code = await Code.codeOf(keys, id.slice("vrf_".length), 6)
  const checked = await post(client, "/v1/verifications/check", { verification_id: id, code })
  if (text(checked, "status") !== "approved") throw new Error(`a verification is ${text(checked, "status")}`)
}

const text = (answer: unknown, field: string): string => String(new Map(Object.entries(answer ?? {})).get(field))
