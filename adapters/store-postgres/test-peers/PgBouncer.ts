/**
 * PgBouncer before a server, in the mode that gives each transaction a connection of its own.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../../test/freePort.ts"

export interface PgBouncer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** @param url the server's */
export const startPgBouncer = async (url: string): Promise<PgBouncer> => {
  const { hostname, port } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"))
  chmodSync(folder, 0o755)
  const own = await freePort()
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 300
`
  )
  // It does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn("pgbouncer", [file], { ...user, stdio: ["ignore", "ignore", "pipe"] })
  const last = (): void => void child.kill("SIGKILL")
  process.once("exit", last)
  await new Promise<void>((resolve, reject) => {
    let log = ""
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString()
      if (/process up/.test(log)) resolve()
    })
    child.once("error", reject)
    child.once("exit", () => reject(new Error(`PgBouncer did not start: ${log}`)))
  })
  return {
    url: `postgres://postgres@127.0.0.1:${own}/postgres`,
    stop: async () => {
      process.off("exit", last)
      const exited = once(child, "exit")
      child.kill("SIGKILL")
      await exited
      rmSync(folder, { recursive: true })
    }
  }
}
