/** A Worker whose texts leave through a Durable Object. */
import { type ExecutionContext, watchword } from "@watchword/cloudflare-workers"
import { watchwordObject } from "@watchword/cloudflare-workers/object"
import { smpp } from "@watchword/sms/smpp"
import { type D1Database, d1, migrate } from "@watchword/store-d1"
import { operatorOf } from "watchword"

interface Fetcher {
  readonly fetch: (request: Request) => Promise<Response>
}

interface Env {
  readonly DB: D1Database
  readonly SMPP_URL: string
  readonly CARRIER: { readonly idFromName: (name: string) => unknown; readonly get: (id: unknown) => Fetcher }
}

export const Carrier = watchwordObject((env: Env) => ({ store: d1(env.DB), sms: smpp({ url: env.SMPP_URL }) }), {
  basePath: "/v1"
})

const worker = watchword((env: Env) => ({ store: d1(env.DB) }), { basePath: "/v1" })

const misplaced = watchword((env: Env) => ({ store: d1(env.DB), sms: smpp({ url: env.SMPP_URL }) }))

export default {
  fetch: async (request: Request, env: Env, execution: ExecutionContext): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/v1/sms")) return env.CARRIER.get(env.CARRIER.idFromName("carrier")).fetch(request)
    if (pathname === "/misplaced")
      return misplaced.fetch(request, env, execution).catch((error) => new Response(error.message))
    if (pathname !== "/accounts") return worker.fetch(request, env, execution)
    await migrate(env.DB)
    const operator = operatorOf(worker.service(env, execution))
    const { account_id: account } = await operator.account.create({ sms_sender: "Acme" })
    return Response.json({ account, ...(await operator.key.create({ account_id: account })) })
  }
}
