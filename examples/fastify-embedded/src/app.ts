/**
 * An app that takes bookings: each is confirmed with a code that was sent to the phone it was made with.
 */
import { randomUUID } from "node:crypto"
import { watchword } from "@watchword/fastify"
import fastify, { type FastifyInstance } from "fastify"
import { type Caller, type Watchword, isWatchwordError } from "watchword"

interface Booking {
  readonly id: string
  readonly seats: number
  confirmedBy: string | null
}

/** @param caller the account that pays for the codes */
export const makeApp = (service: Watchword, caller: Caller): FastifyInstance => {
  const app = fastify()
  const bookings = new Map<string, Booking>()
  const verifications = new Map<string, string>()

  app.register(watchword(service), { prefix: "/v1" })

  app.post<{ Body: { phone: string; seats: number } }>(
    "/bookings",
    { schema: { body: newBooking } },
    async (request, reply) => {
      const { phone, seats } = request.body
      const booking = { id: randomUUID(), seats, confirmedBy: null }
      const { id } = await service.verify.start(caller, {
        to: phone,
        default_country: "DE",
        purpose: "booking",
        metadata: { booking: booking.id }
      })
      bookings.set(booking.id, booking)
      verifications.set(booking.id, id)
      return reply.code(201).send(booking)
    }
  )

  app.post<{ Params: { id: string }; Body: { code: string } }>(
    "/bookings/:id/confirm",
    { schema: { body: confirmation } },
    async (request, reply) => {
      const booking = bookings.get(request.params.id)
      const id = verifications.get(request.params.id)
      if (booking === undefined || id === undefined) return reply.code(404).send({ error: "there is no such booking" })
      const { valid } = await service.verify.check(caller, id, { code: request.body.code })
      if (!valid) return reply.code(400).send({ error: "the code is wrong, or no longer good" })
      booking.confirmedBy = (await service.verify.get(caller, id)).to
      return booking
    }
  )

  app.setErrorHandler((error, _request, reply) => {
    if (!isWatchwordError(error)) return reply.send(error)
    const { code } = error
    if (code === "BAD_REQUEST") return reply.code(400).send({ error: "a phone number such as +4915123456789" })
    if (code === "CONFLICT") return reply.code(400).send({ error: "the code was used already" })
    if (code === "TOO_MANY_REQUESTS") return reply.code(429).send({ error: "wait a moment for the next code" })
    // No money, no carrier, no route to the number: nothing that the guest can mend.
    return reply.code(503).send({ error: "no code can be sent now" })
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
  properties: { code: { type: "string", pattern: "^[0-9]{6}$" } }
}
