/**
 * The cost of a webhook for a send: texts of an account without an endpoint, of an account whose events are written
 * but not sent, and of an account whose events go to a receiver on this machine meanwhile; sent as in
 * `support/sends.ts`, on SQLite and on PostgreSQL with `synchronous_commit = on`. A send without a receipt is one
 * event, `delivery.updated`.
 *
 * `npm run bench -- events [--rounds=5] [--seconds=4] [--waiting=50] [--json[=file]]`
 */
import { once } from "node:events"
import { join } from "node:path"
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import type { Options } from "watchword"
import { start } from "../test/PostgresServer.ts"
import { end, forkOn, workFolder } from "./support/processes.ts"
import { type System, accountOf, compareSends, serviceOn } from "./support/sends.ts"

const receiver = forkOn(null, join(import.meta.dirname, "peers/receiver.ts"))
const [port] = await once(receiver, "message")

const systemsOn = async (
  name: string,
  storeOf: (place: string) => Options["store"]
): Promise<ReadonlyArray<System>> => {
  // Without background work, events are written but never sent.
  const writing = await serviceOn({ store: storeOf("writing"), background: false })
  const sending = await serviceOn({ store: storeOf("sending"), webhooks: { allowPrivate: true } })
  const watched = async (service: System["service"]): Promise<string> => {
    const account = await accountOf(service)
    await service.operator.webhook.add({ account_id: account, url: `http://127.0.0.1:${port}/` })
    return account
  }
  return [
    { name: `${name}, not watched`, service: writing, account: await accountOf(writing) },
    { name: `${name}, events written`, service: writing, account: await watched(writing) },
    { name: `${name}, events sent`, service: sending, account: await watched(sending) }
  ]
}

const database = await start({ durable: true })
const folder = workFolder()
try {
  await compareSends("events", database, [
    ...(await systemsOn("SQLite", (place) => sqlite(join(folder, `${place}.db`)))),
    ...(await systemsOn("PostgreSQL", (place) => postgres(database.url, { schema: place })))
  ])
} finally {
  await end(receiver)
  await database.stop()
}
