/** A Worker whose users sign in with Telegram, and an endpoint of its own for operator commands. */
import { watchword } from "@watchword/cloudflare-workers"
import { type D1Database, d1, migrate } from "@watchword/store-d1"
import { operatorOf } from "watchword"
import { telegramLogin } from "watchword/telegramLogin"

interface Env {
  readonly DB: D1Database
  readonly PUBLIC_URL: string
  readonly CLIENT_ID: string
  readonly CLIENT_SECRET: string
  readonly ISSUER: string
}

const worker = watchword(
  (env: Env) => ({
    store: d1(env.DB),
    secret: "0123456789abcdef".repeat(4),
    publicUrl: env.PUBLIC_URL,
    guards: "none",
    telegramLogin: telegramLogin({ clientId: env.CLIENT_ID, clientSecret: env.CLIENT_SECRET, issuer: env.ISSUER })
  }),
  { basePath: "/v1" }
)

export default {
  ...worker,
  fetch: async (request: Request, env: Env, execution: ExecutionContext) => {
    if (new URL(request.url).pathname !== "/accounts") return worker.fetch(request, env, execution)
    await migrate(env.DB)
    const operator = operatorOf(worker.service(env, execution))
    const { account_id: account } = await operator.account.create({ name: "Acme" })
    const { key: sandbox } = await operator.key.create({ account_id: account, sandbox: true })
    const { key: live } = await operator.key.create({ account_id: account, sandbox: false })
    return Response.json({ live, sandbox })
  }
}

interface ExecutionContext {
  readonly waitUntil: (promise: Promise<unknown>) => void
}
