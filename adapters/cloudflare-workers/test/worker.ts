/** A Worker with the whole service on D1, and an endpoint of its own for operator commands. */
import { watchword } from "@watchword/cloudflare-workers"
import { type D1Database, d1, migrate } from "@watchword/store-d1"
import { operatorOf } from "watchword"

interface Env {
  readonly DB: D1Database
}

const worker = watchword((env: Env) => ({ store: d1(env.DB), secret: "0123456789abcdef".repeat(4) }), {
  basePath: "/v1",
  trustConnectingIp: true
})

export default {
  ...worker,
  fetch: async (request: Request, env: Env, execution: ExecutionContext) => {
    if (new URL(request.url).pathname !== "/accounts") return worker.fetch(request, env, execution)
    await migrate(env.DB)
    const operator = operatorOf(worker.service(env, execution))
    const { account_id: account } = await operator.account.create({ name: "Acme" })
    const { key } = await operator.key.create({ account_id: account, sandbox: true })
    const readKey = await operator.key.create({ account_id: account, sandbox: true, scopes: ["sms:read"] })
    const nearKey = await operator.key.create({ account_id: account, sandbox: true, allow: ["192.0.2.0/24"] })
    return Response.json({ account, key, readKey: readKey.key, nearKey: nearKey.key })
  }
}

interface ExecutionContext {
  readonly waitUntil: (promise: Promise<unknown>) => void
}
