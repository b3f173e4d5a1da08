/**
 * A service in a process of its own that counts its work, with a carrier and a trunk; and the operations that are
 * counted.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import Sqlite from "better-sqlite3"
import { trunk as startTrunk } from "@watchword/sandbox/trunk"
import { type Submit, smsc, receipt } from "@watchword/sandbox/smsc"
import { until } from "../../../../test/until.ts"
import { type Caller, request } from "../client.ts"
import type { Counts } from "./counting.ts"

export type World = Awaited<ReturnType<typeof open>>

/** @param file the database */
export const open = async (file: string) => {
  const carrier = await smsc()
  const trunk = await startTrunk()
  const child = fork(fileURLToPath(new URL("service.ts", import.meta.url)), [file, carrier.url(), trunk.url()])
  const ended = once(child, "exit")
  const answer = async () => (await once(child, "message"))[0]
  const caller: Caller = await answer()
  const records = new Sqlite(file, { readonly: true })
  /** The service's counts since the last call. */
  const take = async (): Promise<Counts> => {
    const answered = answer()
    child.send("take")
    return answered
  }
  const close = async () => {
    records.close()
    child.disconnect()
    await ended
    await Promise.all([carrier.stop(), trunk.stop()])
  }
  return { caller, carrier, records, take, close }
}

/** A text, until its receipt is acknowledged. */
export const text = async (world: World): Promise<void> => {
  await ask(world, "/sms", { to: nextNumber(), text: "Your code is 123456." })
  await delivered(world)
}

/** A verification by SMS, from its start to the check that approves it. */
export const verification = async (world: World): Promise<void> => {
  const { id } = await ask(world, "/verifications", { to: nextNumber(), workflow: [{ channel: "sms", timeout: 900 }] })
  const [code] = /\d{6}/.exec((await delivered(world)).text) ?? []
  const { status } = await ask(world, "/verifications/check", { verification_id: id, code })
  if (status !== "approved") throw new Error(`a verification is ${String(status)}`)
}

/** A call that rings and is ended, until its record says so. */
export const call = async (world: World): Promise<void> => {
  const { uuid } = await ask(world, "/call/flash", { callee: nextNumber(), max_ring_time: 60 })
  const { account, key, port } = world.caller
  const headers = { "x-api-key": key, "x-account-id": account }
  await fetch(`http://127.0.0.1:${port}/v1/call/flash/${String(uuid)}`, { method: "DELETE", headers })
  const open = world.records.prepare("SELECT count(*) FROM deliveries WHERE status <> 'ended'").pluck()
  await until(() => open.get() === 0)
}

let serial = 10_000_000
const nextNumber = (): string => `+49151${++serial}`

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
