/**
 * A service in a process of its own that counts its work, with a carrier and a trunk; and the operations that are
 * counted.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import Sqlite from "better-sqlite3"
import * as Schema from "effect/Schema"
import { trunk as startTrunk } from "@watchword/sandbox/trunk"
import { type Submit, smsc, receipt } from "@watchword/sandbox/smsc"
import { listen } from "../../../../test/provider.ts"
import { until } from "../../../../test/until.ts"
import { openLog } from "./log.ts"
import { type Caller, request } from "../client.ts"
import type { Counts } from "./counting.ts"

export type World = Awaited<ReturnType<typeof open>>

/**
 * @param file the database
 * @param hasEndpoint whether the account has an endpoint that takes every event
 */
export const open = async (file: string, hasEndpoint: boolean) => {
  const carrier = await smsc()
  const trunk = await startTrunk()
  const receiver = await listen(async (_, response) => response.writeHead(204).end())
  const urls = [carrier.url(`receives=${encodeURIComponent(OURS)}`), trunk.url(), hasEndpoint ? receiver.url : ""]
  const child = fork(fileURLToPath(new URL("service.ts", import.meta.url)), [file, ...urls])
  const ended = once(child, "exit")
  const answer = async () => (await once(child, "message"))[0]
  const caller: Caller = await answer()
  const records = new Sqlite(file, { readonly: true })
  const log = openLog(file)
  /** The service's counts since the last call, whose clock is then ahead by some more milliseconds. */
  const take = async (milliseconds = 0): Promise<Counts> => {
    const answered = answer()
    child.send(milliseconds)
    const pages = log.take()
    return { ...(await answered), pages: { "of the log": pages } }
  }
  const close = async () => {
    records.close()
    log.close()
    child.disconnect()
    await ended
    await Promise.all([carrier.stop(), trunk.stop(), receiver.close()])
  }
  return { caller, carrier, records, take, close }
}

/** The number that users write to. */
const OURS = "+491713920000"

/** A text, until its receipt is acknowledged. */
export const text = async (world: World): Promise<void> => {
  await ask(world, "/sms", { to: nextNumber(), text: "Your code is 123456." })
  await delivered(world)
}

/** The same for an account with an endpoint, until the endpoint has taken both events. */
export const watchedText = async (world: World): Promise<void> => {
  await ask(world, "/sms", { to: nextNumber(), text: "Your code is 123456." })
  await eventsTaken(world)
  await delivered(world)
  await eventsTaken(world)
}

const eventsTaken = async ({ records }: World): Promise<void> => {
  const open = records.prepare("SELECT count(*) FROM events WHERE state < 2").pluck()
  await until(() => open.get() === 0)
}

/** A verification by SMS, from its start to the check that approves it. */
export const verification = async (world: World): Promise<void> => {
  const pending = await start(world)
  await check(world, pending)
}

/** A pending verification, and its code or the text that its user is to write. */
export interface Pending {
  readonly id: unknown
  readonly code: string | undefined
  readonly to?: string
}

/** A text whose receipt is to come. */
export const textWithoutReceipt = async (world: World): Promise<Pending> => {
  const { messageId } = await ask(world, "/sms", { to: nextNumber(), text: "Your code is 123456." })
  return { id: messageId, code: undefined }
}

/** The receipt of the text that has come last. */
export const receiptOfLast = async (world: World): Promise<void> => void (await delivered(world))

const decodePresented = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ text: Schema.String })))

/** Starts a verification whose user writes to the service. */
export const startReceiving = async (world: World): Promise<Pending> => {
  const to = nextNumber()
  const workflow = [{ channel: "receive", by: ["sms"], timeout: 900, reply: false }]
  const { id, present } = await ask(world, "/verifications", { to, workflow })
  const [shown] = decodePresented(present)
  return { id, code: shown?.text ?? "", to }
}

/** The text of a user, which approves, until it is acknowledged and the guard has counted the approval. */
export const write = async (world: World, { code = "", to = "" }: Pending): Promise<void> => {
  const before = verifiedIn(world)
  await world.carrier.write({ from: to, to: OURS, text: code })
  await until(() => verifiedIn(world) === before + VERIFIED)
}

/** Starts a verification by SMS, until its receipt is acknowledged. */
export const start = async (world: World): Promise<Pending> => {
  const { id } = await ask(world, "/verifications", { to: nextNumber(), workflow: [{ channel: "sms", timeout: 900 }] })
  return { id, code: /\d{6}/.exec((await delivered(world)).text)?.[0] }
}

/** Starts a verification, and moves the clock on until its code may be sent again. */
export const startEarlier = async (world: World): Promise<Pending> => {
  const pending = await start(world)
  await world.take(BETWEEN_SENDS)
  return pending
}

/** Between two sends lie 30 seconds. */
const BETWEEN_SENDS = 31_000

/** Sends the code again, until the receipt is acknowledged. */
export const resend = async (world: World, { id }: Pending): Promise<void> => {
  await ask(world, `/verifications/${String(id)}/next`, { channel: "sms" })
  await delivered(world)
}

/** The check that approves a verification, until the guard has counted it. */
export const check = async (world: World, { code, id }: Pending): Promise<void> => {
  const before = verifiedIn(world)
  const { status } = await ask(world, "/verifications/check", { verification_id: id, code })
  if (status !== "approved") throw new Error(`a verification is ${String(status)}`)
  await until(() => verifiedIn(world) === before + VERIFIED)
}

/** A guard counts an approval, after the answer, in the country's window, its days, and the prefix's window. */
const VERIFIED = 3

const verifiedIn = ({ records }: World): number =>
  Number(
    records.prepare("SELECT coalesce(sum(amount), 0) FROM counters WHERE substr(key, -1) IN ('v', 'b')").pluck().get()
  )

/** A call that rings and is ended, until its record says so. */
export const call = async (world: World): Promise<void> => {
  const { uuid } = await ask(world, "/call/flash", { callee: nextNumber(), max_ring_time: 60 })
  const { account, key, port } = world.caller
  const headers = { "x-api-key": key, "x-account-id": account }
  await fetch(`http://127.0.0.1:${port}/v1/call/flash/${String(uuid)}`, { method: "DELETE", headers })
  const open = world.records.prepare("SELECT count(*) FROM deliveries WHERE status <> 'ended'").pluck()
  await until(() => open.get() === 0)
}

let serial = 0
/** Numbers of other blocks one after the other: rules take many of one block for pumping. */
const nextNumber = (): string => `+49151${10_000_000 + ((++serial * 61_803_397) % 90_000_000)}`

const ask = async ({ caller }: World, path: string, body: object) => {
  const answer = await request(caller, path, body)
  if (answer.status !== 200) throw new Error(`${path} is answered ${JSON.stringify(answer)}`)
  return answer.body
}

/** The text that has come last, once its receipt is acknowledged. */
const delivered = async ({ carrier }: World): Promise<Submit> => {
  const submit = carrier.submits.at(-1)
  if (submit === undefined) throw new Error("no text has come")
  carrier.deliver(receipt(submit).fields, submit)
  await carrier.until(() => carrier.acknowledgements.length === carrier.submits.length)
  return submit
}
