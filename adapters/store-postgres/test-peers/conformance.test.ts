/**
 * The suite on the oldest version of PostgreSQL that is supported, as Debian has it, and behind a pooler of
 * transactions.
 */
import { start } from "../../../test/PostgresServer.ts"
import { conforms } from "../test/conformance.ts"
import { startPgBouncer } from "./PgBouncer.ts"

conforms("PostgresStore on PostgreSQL 15", async () => {
  const { stop, url } = await start({ debian: 15 })
  return { url, direct: url, stop }
})

conforms("PostgresStore behind PgBouncer", async () => {
  const server = await start()
  const pooler = await startPgBouncer(server.url)
  const stop = async (): Promise<void> => {
    await pooler.stop()
    await server.stop()
  }
  return { url: pooler.url, direct: server.url, stop }
})
