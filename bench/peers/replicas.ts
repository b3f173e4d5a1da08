/**
 * Several standalone servers on one PostgreSQL: one service, with accounts that every server sends for.
 */
import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { postgres } from "@watchword/store-postgres"
import { createWatchword } from "watchword"
import { end, pidOf, printed, startOn } from "../support/processes.ts"
import { BALANCE, NODE_OPTIONS, sendRequest, writePrices } from "./systems.ts"

export interface Replicas {
  readonly ports: ReadonlyArray<number>
  readonly pids: ReadonlyArray<number>
  readonly stop: () => Promise<void>
}

export interface Sender {
  readonly account: string
  readonly key: string
}

/** Opens accounts in a database without accounts, each with a balance and a live key. */
export const openAccounts = async (url: string, count: number): Promise<ReadonlyArray<Sender>> => {
  const service = await createWatchword({ store: postgres(url), background: false })
  const open = async (): Promise<Sender> => {
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Watchword" })
    await service.operator.account.credit({ account_id: account, amount: BALANCE })
    const { key } = await service.operator.key.create({ account_id: account })
    return { account, key }
  }
  try {
    const senders: Array<Sender> = []
    while (senders.length < count) {
      const some = Array.from({ length: Math.min(50, count - senders.length) }, open)
      senders.push(...(await Promise.all(some)))
    }
    return senders
  } finally {
    await service.dispose()
  }
}

/** The requests that these senders send to a server; the port of `host` is a placeholder. */
export const requestsOf = (senders: ReadonlyArray<Sender>): ReadonlyArray<string> =>
  senders.map(({ account, key }) => sendRequest(80, account, key, { requestIds: true }))

const root = join(import.meta.dirname, "../..")

/** Starts servers as `npm start` does, without binding them to a core. */
export const startReplicas = async (
  count: number,
  { folder, smscPort, url }: { readonly folder: string; readonly smscPort: number; readonly url: string }
): Promise<Replicas> => {
  const env = {
    ...process.env,
    PORT: "0",
    DEMO: "no",
    DATABASE_URL: url,
    PRICES: writePrices(folder),
    SMPP_URL: `smpp://watchword:secret@127.0.0.1:${smscPort}`
  }
  const start = async (): Promise<readonly [ChildProcess, number]> => {
    const child = startOn(null, process.execPath, [...NODE_OPTIONS, join(root, "examples/standalone/src/main.ts")], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const [, digits] = await printed(child, /serves http:\/\/127\.0\.0\.1:(\d+)/)
    return [child, Number(digits)]
  }
  const servers = await Promise.all(Array.from({ length: count }, start))
  return {
    ports: servers.map(([, port]) => port),
    pids: servers.map(([child]) => pidOf(child)),
    stop: async () => void (await Promise.all(servers.map(([child]) => end(child))))
  }
}
