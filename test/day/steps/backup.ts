/**
 * A second, smaller service on SQLite: backed up under load, killed, and restored.
 */
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type Client, createClient } from "@watchword/client"
import { command, start } from "../../../packages/standalone/test/Standalone.ts"
import * as Books from "../Books.ts"
import { smsCarrier } from "../Carriers.ts"
import type { Day } from "../Day.ts"
import { Phones } from "../Phones.ts"
import { composed, inFiles } from "../Service.ts"
import { writeRules } from "../Shop.ts"

const CLIENTS = 5

export const restored = async ({ folder, must, say }: Day): Promise<void> => {
  const home = join(folder, "small")
  await mkdir(home)
  const phones = new Phones()
  const carrier = await smsCarrier(phones)
  const file = join(home, "watchword.db")
  const environment = {
    ...(await composed("sqlite")),
    ...(await inFiles(home, { SMPP_URL: carrier.url(), VERIFY_SECRET: crypto.randomUUID() + crypto.randomUUID() })),
    ...(await writeRules(home)),
    GUARDS: "",
    DATABASE_URL: `sqlite:${file}`,
    OPERATIONS_HOST: "127.0.0.1",
    OPERATIONS_PORT: "0",
    LOG_LEVEL: "none"
  }
  const operator = (...args: ReadonlyArray<string>) => command(environment, ...args)
  let server = await start(environment)
  try {
    const account = String(
      (await operator("account", "create", "--balance", "1000", "--sms-sender", "Small"))["account_id"]
    )
    const apiKey = String((await operator("key", "create", "--account", account))["key"])
    const client = (): Client => createClient({ baseUrl: server.baseUrl, accountId: account, apiKey, retries: 0 })
    const load = begin(client())
    await delay(1000)

    const before = [...load.acknowledged]
    const { bytes } = await operator("backup", join(home, "backup.db"))
    say(
      `A small service on SQLite is backed up under load: ${before.length} texts, ${Math.round(Number(bytes) / 1024)} KB`
    )
    await delay(500)
    await server.kill()
    await load.end()
    for (const suffix of ["", "-wal", "-shm"]) await rm(file + suffix, { force: true })
    const since = load.acknowledged.length - before.length
    must(since > 0, `Its server is killed, and its disk is lost, with the records of ${since} texts since then`)

    const { open_sends: open } = await operator("restore", join(home, "backup.db"))
    say(`The backup is restored; sends that wait for a receipt or the end of a day: ${JSON.stringify(open)}`)
    server = await start(environment)
    const { ok } = await operator("audit")
    must(ok === true, "audit of the restored database: every rule of money and messages holds")
    const told = before.map((number) => ({ channel: "sms", number }) as const)
    const entries = await operator("account", "entries", account)
    const { faults } = await Books.balance(client(), entries, phones, told, (number) => !before.includes(number))
    must(faults.length === 0, ["each text of before the backup is there once and paid for", ...faults].join("; "))
    const again = begin(client())
    await delay(500)
    await again.end()
    must(again.acknowledged.length > 0, `the service sends again: ${again.acknowledged.length} texts`)
  } finally {
    await server.stop()
    await carrier.stop()
  }
}

let made = 0

/** Clients that send one text after the other, each to a number of its own. */
const begin = ({ sms }: Client) => {
  const acknowledged: Array<string> = []
  const stop = new AbortController()
  const sending = Array.from({ length: CLIENTS }, async () => {
    while (!stop.signal.aborted) {
      const number = `+49160${String(10_000_000 + made++)}`
      await sms.send({ to: number, text: "Your code is 123456" }).then(
        () => acknowledged.push(number),
        () => delay(20)
      )
    }
  })
  return {
    acknowledged,
    end: async () => {
      stop.abort()
      await Promise.all(sending)
    }
  }
}
