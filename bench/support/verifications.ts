/**
 * What clients ask of a server that has {@link SECRET}: texts, flash calls, and verifications by SMS from start to
 * approved.
 */
import * as Sids from "../../adapters/twilio-verify/src/internal/Sids.ts"
import * as Code from "../../packages/verify/src/internal/Code.ts"
import type { Client } from "./http.ts"

/** The secret of the installation. A benchmark reads no texts: it makes the codes as the server does. */
export const SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

const keys = await Code.importSecret(SECRET)
const WORKFLOW = [{ channel: "sms", timeout: 900 }]
const TEXT = "Your code is 123456. It is valid for 10 minutes."

let serial = 0
/** Begins the numbers at another place: two processes ask one server, which takes few starts of a number. */
export const numbersFrom = (first: number): void => void (serial = first)

/** Numbers of other blocks one after the other: rules take many of one block for pumping. */
const nextNumber = (): string => `+49151${10_000_000 + ((++serial * 61_803_397) % 90_000_000)}`

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

/** Starts a verification of a number of its own by a text, which a second text follows in a quarter of an hour. */
export const startTwoTexts = (client: Client): Promise<unknown> =>
  post(client, "/v1/verifications", { to: nextNumber(), ttl: 3600, workflow: [...WORKFLOW, ...WORKFLOW] })

/** The headers of an app that speaks to Twilio's door with the credentials of our own interface. */
export const twilioHeaders = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const user = Sids.accountSid(own["x-account-id"] ?? "")
  return {
    authorization: `Basic ${Buffer.from(`${user}:${own["x-api-key"] ?? ""}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded"
  }
}

/** The service of each client, which an app has in its settings. */
const services = new WeakMap<Client, Promise<string>>()

const serviceOf = async ({ ask }: Client): Promise<string> => {
  const answer = JSON.parse(await ask({ method: "GET", path: "/twilio/v2/Services" }))
  return text(answer.services[0], "sid")
}

/** The same through Twilio's door, with {@link twilioHeaders}, in the service of an account's default workflow. */
export const verifyByTwilio = async (client: Client): Promise<void> => {
  const { ask } = client
  const service = services.get(client) ?? serviceOf(client)
  services.set(client, service)
  const path = `/twilio/v2/Services/${await service}`
  const form = (given: Readonly<Record<string, string>>) => new URLSearchParams(given).toString()
  const To = nextNumber()
  const body = form({ To, Channel: "sms" })
  const started: unknown = JSON.parse(await ask({ method: "POST", path: `${path}/Verifications`, body }))
  const id = Sids.verificationOf(text(started, "sid")) ?? ""
  const check = form({ To, Code: await Code.codeOf(keys, id.slice("vrf_".length), 6) })
  const checked: unknown = JSON.parse(await ask({ method: "POST", path: `${path}/VerificationCheck`, body: check }))
  if (text(checked, "status") !== "approved") throw new Error(`a verification is ${text(checked, "status")}`)
}

const text = (answer: unknown, field: string): string => String(new Map(Object.entries(answer ?? {})).get(field))
