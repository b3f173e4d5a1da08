/**
 * An app that takes bookings: each is confirmed with a code that was sent to the phone it was made with.
 */
import { randomUUID } from "node:crypto"
import { watchword } from "@watchword/fastify"
import { PhoneVerification, TooManyCodes } from "@watchword/in-process/PhoneVerification"
import fastify, { type FastifyInstance } from "fastify"
import type { Watchword } from "watchword"

interface Booking {
  readonly id: string
  readonly seats: number
  confirmedBy: string | null
}

/** @param send sends a text; rejects with the errors of `service.sms.send` */
export const makeApp = (service: Watchword, send: (to: string, text: string) => Promise<unknown>): FastifyInstance => {
  const app = fastify()
  const bookings = new Map<string, Booking>()
  const verification = new PhoneVerification({ send })

  app.register(watchword, { prefix: "/v1", service })

  app.post<{ Body: { phone: string; seats: number } }>(
    "/bookings",
    { schema: { body: newBooking } },
    async (request, reply) => {
      const { phone, seats } = request.body
      const booking = { id: randomUUID(), seats, confirmedBy: null }
      await verification.start(booking.id, phone)
      bookings.set(booking.id, booking)
      return reply.code(201).send(booking)
    }
  )

  app.post<{ Params: { id: string }; Body: { code: string } }>(
    "/bookings/:id/confirm",
    { schema: { body: confirmation } },
    async (request, reply) => {
      const booking = bookings.get(request.params.id)
      if (booking === undefined) return reply.code(404).send({ error: "there is no such booking" })
      const phone = verification.confirm(booking.id, request.body.code)
      if (phone === null) return reply.code(400).send({ error: "the code is wrong, or no longer good" })
      booking.confirmedBy = phone
      return booking
    }
  )

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof TooManyCodes) return reply.code(429).send({ error: "wait an hour for the next code" })
    const code = error instanceof Error && "_tag" in error ? error._tag : undefined
    if (code === "BAD_REQUEST") return reply.code(400).send({ error: "a phone number such as +4915123456789" })
    // No money, no carrier, no route to the number: nothing that the guest can mend.
    if (code !== undefined) return reply.code(503).send({ error: "no code can be sent now" })
    return reply.send(error)
  })

  return app
}

const newBooking = {
  type: "object",
  required: ["phone", "seats"],
  properties: { phone: { type: "string", maxLength: 16 }, seats: { type: "integer", minimum: 1, maximum: 20 } }
}

const confirmation = {
  type: "object",
  required: ["code"],
  properties: { code: { type: "string", maxLength: 6 } }
}
