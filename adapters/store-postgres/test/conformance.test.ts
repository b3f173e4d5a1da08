import { start } from "../../../test/PostgresServer.ts"
import { conforms } from "./conformance.ts"

conforms("PostgresStore", async () => {
  const { stop, url } = await start()
  return { url, direct: url, stop }
})
