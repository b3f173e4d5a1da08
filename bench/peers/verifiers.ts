/**
 * The servers whose verifications benchmarks compare, each with an endpoint that receives every event.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { endpoint } from "../support/conditions.ts"
import { SERVER_CORE, end, pidOf, printed, startOn } from "../support/processes.ts"
import { SECRET } from "../support/verifications.ts"
import {
  NODE_OPTIONS,
  type Sender,
  type Surroundings,
  type System,
  startWatchword,
  verificationOf,
  writePrices
} from "./systems.ts"

/** The code of every verification on the hand-written server, as its client reads no texts. */
const CODE = "123456"

/** The standalone server; its endpoint is on a port of this machine. */
export const startVerifier =
  (receiverPort: number) =>
  async (surroundings: Surroundings): Promise<System> => {
    const systemId = "verifier"
    const folder = join(surroundings.folder, systemId)
    mkdirSync(folder)
    const system = await startWatchword(
      { ...surroundings, folder },
      {
        env: {
          VERIFY_SECRET: SECRET,
          WEBHOOK_ALLOW_PRIVATE: "true",
          SMPP_URL: `smpp://${systemId}:secret@127.0.0.1:${surroundings.smscPort}`
        },
        prepare: (operate, account) => endpoint(receiverPort, systemId)(operate, account, folder)
      }
    )
    const [sender = { account: "", key: "" }] = system.senders
    const records = system.records === null ? null : { ...system.records, verifications: system.records.table }
    return {
      ...system,
      ...verificationOf(system.port, sender, null),
      records,
      name: "Watchword, verifications",
      systemId
    }
  }

/**
 * The hand-written server of bench/rivals/verify.
 *
 * @param isGrouped whether waiting requests share a transaction; SQLite always groups them
 */
export const startRivalVerifier =
  (receiverPort: number, isGrouped = true) =>
  async ({ folder, postgres, smscPort }: Surroundings): Promise<System> => {
    const address = postgres?.url ?? join(folder, "rival-verify.db")
    const systemId = isGrouped ? "rival-verify" : "rival-ungrouped"
    const child = startOn(
      SERVER_CORE,
      process.execPath,
      [...NODE_OPTIONS, join(import.meta.dirname, "../rivals/verify/server.ts")],
      {
        cwd: folder,
        env: {
          ...process.env,
          NODE_ENV: "production",
          CODE_SECRET: SECRET,
          DATABASE: address,
          FIXED_CODE: CODE,
          PRICES: writePrices(folder),
          SMPP_PORT: String(smscPort),
          SYSTEM_ID: systemId,
          WEBHOOK_SECRET: SECRET,
          WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/${systemId}`,
          ...(isGrouped ? {} : { UNGROUPED: "1" })
        },
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    const [, json = ""] = await printed(child, /ready (.*)\n/)
    const { port, senders }: { readonly port: number; readonly senders: ReadonlyArray<Sender> } = JSON.parse(json)
    const [sender = { account: "", key: "" }] = senders
    return {
      ...verificationOf(port, sender, CODE),
      name: isGrouped ? "by hand, verifications" : "by hand, verifications, ungrouped",
      systemId,
      port,
      pids: [pidOf(child)],
      status: 200,
      records: { address, table: "messages", verifications: "verifications" },
      database: postgres?.pid() ?? null,
      stop: () => end(child)
    }
  }
