/**
 * A receiver in Fastify, which parses JSON by itself. A plugin has content-type parsers of its own, so the
 * callback's route lives in one that leaves the body as it came.
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

  // Every other route of the app continues as ever.
  app.post("/echo", async (request) => request.body)

  return app
}
