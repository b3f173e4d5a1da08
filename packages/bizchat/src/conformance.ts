/**
 * What every gateway to a business messaging platform does, as a suite for vitest. An implementation starts
 * itself, with whatever it speaks to, and runs it:
 *
 * ```ts
 * import { conformance } from "@watchword/bizchat/conformance"
 *
 * conformance("my gateway", async () => ({ gateway, run, deliver, onPlatform, notOnPlatform, close }))
 * ```
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Outcome } from "@watchword/send/Outcome"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { BusinessChatEvent, Service, TextMessage } from "./BusinessChatGateway.ts"

export interface Target {
  readonly gateway: Service
  /** Runs an effect on the gateway's clock. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Has the platform deliver a message, and tell so until it is heard. */
  readonly deliver: (ref: string) => Promise<void>
  readonly onPlatform: E164
  /** A number that the platform refuses at once. */
  readonly notOnPlatform: E164
  readonly close: () => Promise<unknown>
}

export const conformance = (name: string, start: () => Promise<Target>): void => {
  describe(`the business-chat gateway ${name}`, () => {
    const events: Array<BusinessChatEvent> = []
    const scope = Scope.makeUnsafe()
    let failing = false
    let target: Target
    beforeAll(async () => {
      target = await start()
      const handle = (event: BusinessChatEvent) =>
        Effect.suspend(() => {
          if (!failing) return Effect.sync(() => void events.push(event))
          failing = false
          return new StoreError({ reason: "Unavailable", message: "away" })
        })
      await target.run(Scope.provide(target.gateway.events(handle), scope))
    })
    afterAll(async () => {
      await target.run(Scope.close(scope, Exit.void))
      await target.close()
    })

    const send = (message: Partial<TextMessage> = {}): Promise<Outcome> =>
      target.run(
        target.gateway.send({
          delivery: nextDeliveryId(Date.now()),
          to: target.onPlatform,
          text: Redacted.make("Your code is 123456."),
          code: null,
          ...message
        })
      )

    const sent = async (): Promise<string> => {
      const outcome = await send()
      assert(outcome._tag === "Accepted", `was ${outcome._tag}`)
      const [ref] = outcome.refs
      assert(ref !== undefined, "there is no message id")
      return ref
    }

    const told = (ref: string) => events.filter((event) => event.ref === ref).map((event) => event.status)

    it("accepts each text under one message id of its own", async () => {
      const outcome = await send()
      assert(outcome._tag === "Accepted")
      assert.lengthOf(outcome.refs, 1)
      assert.notStrictEqual(await sent(), outcome.refs[0])
    })

    it("says nothing of the text or its code in the outcome", async () => {
      const outcome = await send({ text: Redacted.make("A secret: 86420975") })
      assert.notMatch(JSON.stringify(outcome), /86420975|secret/)
    })

    it("rejects a number that is not on the platform with NOT_FOUND", async () => {
      const outcome = await send({ to: target.notOnPlatform })
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "NOT_FOUND")
    })

    it("tells of a delivery", async () => {
      const ref = await sent()
      await target.deliver(ref)
      assert.include(told(ref), "delivered")
    })

    it("tells again what was not handled", async () => {
      const ref = await sent()
      failing = true
      await target.deliver(ref)
      assert.isFalse(failing)
      assert.include(told(ref), "delivered")
    })
  })
}
