/**
 * A service in this process, live over SMPP: it serves HTTP, and calls its own functions when it is asked to. Its store
 * is SQLite's in `FILE`, or one in memory without it.
 */
import { watchword } from "@watchword/node"
import { smpp } from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import { once } from "node:events"
import { createServer } from "node:http"
import { createWatchword, memory } from "watchword"
import type { Client } from "../support/http.ts"
import { SECRET, numbersFrom, verify } from "../support/verifications.ts"

/** Verifications of its own, so many at a time. */
export interface Own {
  readonly operations: number
  readonly connections: number
}

const { FILE, SMSC_PORT, SYSTEM_ID } = process.env

const service = await createWatchword({
  store: FILE === undefined ? memory() : sqlite(FILE),
  secret: SECRET,
  sms: smpp({ url: `smpp://${SYSTEM_ID}:secret@127.0.0.1:${SMSC_PORT}` }),
  prices: { sms: { "*": 0.05 } }
})
const { account_id: account } = await service.operator.account.create({ name: "Bench", balance: 1_000_000 })
const { key } = await service.operator.key.create({ account_id: account })

/** Its functions as the answers of a server. */
const functions: Client = {
  ask: async ({ body = "", path }) => {
    const given = JSON.parse(body)
    if (path === "/v1/verifications") return JSON.stringify(await service.verify.start(account, given))
    return JSON.stringify(await service.verify.check(account, given.verification_id, { code: given.code }))
  },
  close: () => undefined
}

numbersFrom(10_000_000)
process.on("message", ({ connections, operations }: Own) => {
  let left = operations
  const worker = async (): Promise<void> => {
    while (left-- > 0) await verify(functions)
  }
  void Promise.all(Array.from({ length: connections }, worker)).then(() => process.send?.({ operations }))
})

const server = createServer(watchword(service, { basePath: "/v1" })).listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
process.send?.({ port: typeof address === "object" ? address?.port : null, account, key })
