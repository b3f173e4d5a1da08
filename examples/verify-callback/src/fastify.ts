/**
 * A receiver in Fastify, which parses JSON by itself. Each plugin has its own content-type parsers, so the callback's
 * route is in a plugin that leaves the body unparsed.
 */
import { type CallbackEvent, CallbackSignatureError, verifyCallback } from "@watchword/callback-signature"
import fastify, { type FastifyInstance } from "fastify"

export const receiver = (accessToken: string, onEvent: (event: CallbackEvent) => void): FastifyInstance => {
  const app = fastify()

  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))

    callbacks.post<{ Body: Buffer | undefined }>("/callback", async (request, reply) => {
      try {
        // Without a body, nothing was read.
        onEvent(await verifyCallback(request.body ?? "", request.headers, { accessToken }))
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof CallbackSignatureError)) throw error
        return reply.code(401).send({ error: error.code })
      }
    })
  })

  // The app's other routes work as before.
  app.post("/echo", async (request) => request.body)

  return app
}
