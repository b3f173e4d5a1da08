/** A Worker that runs one case of verifications a request, all on the same tables. */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type D1Database, D1Store, migrate } from "@watchword/store-d1"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cases } from "../../../test/verifications/races.ts"

export default {
  async fetch(request: Request, { DB }: { readonly DB: D1Database }): Promise<Response> {
    const name = await request.text()
    const found = cases({
      store: () => Layer.provide(D1Store.d1(DB), ChannelRegistry.layerBuiltIn),
      hasOwnClock: true
    }).find((each) => each.name === name)
    if (found === undefined) return new Response("no such case", { status: 404 })
    try {
      await migrate(DB)
      await Effect.runPromise(found.check)
      return new Response()
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}
