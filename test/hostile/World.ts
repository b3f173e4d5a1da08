/**
 * A service in this process, on an SQLite file, with a sandbox key and its log.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { type Options, type Watchword, createWatchword } from "watchword"
import { isUnforeseen } from "../faults/unforeseen.ts"

export interface World {
  readonly service: Watchword
  readonly account: string
  readonly key: string
  /** Returns the fault if the log contains an unforeseen error or a secret; clears the log. */
  readonly readLog: () => string | undefined
  readonly close: () => Promise<void>
}

const SECRET = "0123456789abcdef-the-secret-of-the-installation"

export const openWorld = async (options: Partial<Options> = {}): Promise<World> => {
  const folder = await mkdtemp(join(tmpdir(), "watchword-hostile-"))
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  const service = await createWatchword({
    store: sqlite(join(folder, "test.db")),
    secret: SECRET,
    observability: Layer.mergeAll(Logger.layer([logger])),
    ...options
  })
  const { account_id: account } = await service.operator.account.create({
    sms_sender: "Acme",
    caller: "+4930901820123"
  })
  const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
  return {
    service,
    account,
    key,
    readLog: () => {
      const said = lines.splice(0)
      return said.find((line) => isUnforeseen(line) || line.includes(key) || line.includes(SECRET))
    },
    close: async () => {
      await service.dispose()
      await rm(folder, { recursive: true })
    }
  }
}
