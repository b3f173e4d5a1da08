/**
 * A receiver in a Worker, and wherever else requests are the web's own. The body may be read only once:
 * `verifyCallback` does it.
 */
import { CallbackSignatureError, verifyCallback } from "@watchword/callback-signature"

interface Env {
  readonly GATEWAY_ACCESS_TOKEN: string
  readonly EVENTS: { readonly send: (event: unknown) => Promise<void> }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname !== "/callback") return Response.json(await request.json())
    try {
      const event = await verifyCallback(request, { accessToken: env.GATEWAY_ACCESS_TOKEN })
      // 200 tells the gateway that the event will not be lost, so it comes after the queue has taken it.
      await env.EVENTS.send(event)
      return new Response(null, { status: 200 })
    } catch (error) {
      if (!(error instanceof CallbackSignatureError)) throw error
      return Response.json({ error: error.code }, { status: 401 })
    }
  }
}
