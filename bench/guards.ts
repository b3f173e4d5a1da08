/**
 * What guards cost a send: texts of an account without rules, and of one with five limits (seven rates, of which each
 * is a counter), as `support/sends.ts` sends them, on SQLite and on PostgreSQL with `synchronous_commit = on`.
 *
 * `npm run bench -- guards [--rounds=5] [--seconds=4] [--waiting=50] [--json[=file]]`
 */
import { join } from "node:path"
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import type { GuardRules, Options } from "watchword"
import { start } from "../test/PostgresServer.ts"
import { workFolder } from "./support/processes.ts"
import { type System, accountOf, compareSends, serviceOn } from "./support/sends.ts"

/** Limits that nothing here reaches, by keys that each send has. */
const rules: GuardRules = {
  action: "deny",
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1000000/30s", "5000000/1h"] },
    { name: "number", by: ["to"], rates: ["5000000/1h", "10000000/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20000000/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100000000/1h"] },
    { name: "spend", by: ["account"], money: "900000000/1d" }
  ]
}

const systemsOn = async (name: string, store: Options["store"]): Promise<ReadonlyArray<System>> => {
  const service = await serviceOn({ store })
  const limited = await accountOf(service)
  await service.operator.guard.set({ account_id: limited, rules })
  return [
    { name: `${name}, no rules`, service, account: await accountOf(service) },
    { name: `${name}, five limits`, service, account: limited }
  ]
}

const database = await start({ durable: true })
try {
  await compareSends("guards", database, [
    ...(await systemsOn("SQLite", sqlite(join(workFolder(), "guards.db")))),
    ...(await systemsOn("PostgreSQL", postgres(database.url)))
  ])
} finally {
  await database.stop()
}
