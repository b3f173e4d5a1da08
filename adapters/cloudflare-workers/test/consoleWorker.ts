/** A Worker with the operators' API behind a sign-in of its own. */
import { type ExecutionContext, watchword } from "@watchword/cloudflare-workers"
import { type D1Database, d1, migrate } from "@watchword/store-d1"
import { type ConsoleRequest, watchwordConsole } from "watchword"

interface Env {
  readonly DB: D1Database
}

const worker = watchword((env: Env) => ({ store: d1(env.DB) }), { basePath: "/v1" })

const authorize = (request: ConsoleRequest) =>
  request.headers.get("x-example-user") === "anna" ? ({ name: "anna", role: "admin" } as const) : null

export default {
  fetch: async (request: Request, env: Env, execution: ExecutionContext): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === "/migrate") return new Response(String(await migrate(env.DB)))
    if (!pathname.startsWith("/ops/")) return worker.fetch(request, env, execution)
    return watchwordConsole(worker.service(env, execution), { authorize }).fetch(request)
  }
}
