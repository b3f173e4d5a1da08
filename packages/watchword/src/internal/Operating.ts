/**
 * Operators' commands on a service: `service.operator`, and for services without it, as in a Worker.
 */
import * as Operator from "@watchword/operator/Operator"
import * as Inside from "./Inside.ts"
import { reading } from "./Rehearsing.ts"

/**
 * Returns the operators' commands of a service. `service.operator` has them already, except in a Worker, whose bundle
 * would contain all commands.
 *
 * Its functions reject with the errors of direct calls.
 *
 * @example
 * ```ts
 * import { type ExecutionContext, watchword } from "@watchword/cloudflare-workers"
 * import { type D1Database, d1 } from "@watchword/store-d1"
 * import { operatorOf } from "watchword"
 *
 * interface Env {
 *   readonly DB: D1Database
 * }
 *
 * const worker = watchword((env: Env) => ({ store: d1(env.DB) }))
 *
 * export default {
 *   fetch: async (request: Request, env: Env, context: ExecutionContext) => {
 *     if (new URL(request.url).pathname !== "/signup") return worker.fetch(request, env, context)
 *     return Response.json(await operatorOf(worker.service(env, context)).account.create({ name: "Acme" }))
 *   }
 * }
 * ```
 */
export const operatorOf = (service: Inside.Running): Operator.Operator =>
  Operator.operatorOf(reading(Inside.of(service, "operatorOf").run))
