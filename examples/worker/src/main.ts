/** Makes a demo account and serves the Worker on this machine until it is stopped. */
import { fileURLToPath } from "node:url"
import { randomBytes } from "node:crypto"
import { start } from "./local.ts"

const folder = fileURLToPath(new URL("../.data", import.meta.url))
const OPERATOR_TOKEN = process.env["OPERATOR_TOKEN"] ?? randomBytes(16).toString("hex")
const { close, origin } = await start({
  port: Number(process.env["PORT"] ?? 8787),
  folder,
  secrets: { OPERATOR_TOKEN, VERIFY_SECRET: process.env["VERIFY_SECRET"] ?? randomBytes(32).toString("hex") }
})

const operate = async (path: string, body: object): Promise<{ readonly [name: string]: string }> => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" }
  const response = await fetch(`${origin}/operator/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return JSON.parse(await response.text())
}

const { account_id = "" } = await operate("accounts", { name: "Demo", caller: "+493023125000" })
const { key } = await operate("keys", { account_id, sandbox: true })
const headers = ["content-type: application/json", `x-account-id: ${account_id}`, `x-api-key: ${key}`]
  .map((header) => `-H '${header}'`)
  .join(" ")
console.log(`
The Worker serves ${origin}/v1, on a database in examples/worker/.data.
The operator's token is ${OPERATOR_TOKEN}. A new demo account can verify a number in the sandbox, free of charge:

  curl ${origin}/v1/verifications ${headers} -d '{"to": "+4915123456789"}'
  curl ${origin}/v1/sandbox/inbox ${headers}
  curl ${origin}/v1/verifications/check ${headers} -d '{"to": "+4915123456789", "code": "…"}'
`)

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1)
    )
  })
}
