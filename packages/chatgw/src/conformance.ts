/**
 * What every chat gateway does, as a suite for vitest. An implementation starts itself, with whatever it
 * speaks to, and runs it:
 *
 * ```ts
 * import { conformance } from "@watchword/chatgw/conformance"
 *
 * conformance("my gateway", async () => ({ gateway, run, elapse, withAccount, withoutAccount, close }))
 * ```
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Outcome } from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { CodeMessage, RequestStatus, Service, StatusFailure, VerificationState } from "./ChatGateway.ts"

export interface Target {
  readonly gateway: Service
  /** Runs an effect on the clock that `elapse` moves. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Lets time pass for the gateway. */
  readonly elapse: (seconds: number) => Promise<void>
  /** A number that takes codes and does not read them by itself. */
  readonly withAccount: E164
  readonly withoutAccount: E164
  readonly close: () => Promise<unknown>
}

export const conformance = (name: string, start: () => Promise<Target>): void => {
  describe(`the chat gateway ${name}`, () => {
    let target: Target
    beforeAll(async () => {
      target = await start()
    })
    afterAll(() => target.close())

    const send = (message: Partial<CodeMessage> = {}): Promise<Outcome> =>
      target.run(
        target.gateway.send({
          delivery: nextDeliveryId(Date.now()),
          to: target.withAccount,
          code: Redacted.make("123456"),
          ttl: 60,
          senderUsername: null,
          callbackUrl: null,
          requestId: null,
          ...message
        })
      )

    const sent = async (message: Partial<CodeMessage> = {}): Promise<string> => {
      const outcome = await send(message)
      assert(outcome._tag === "Accepted", `was ${outcome._tag}`)
      const [requestId] = outcome.refs
      assert(requestId !== undefined, "there is no request id")
      return requestId
    }

    const check = (requestId: string, code: string | null): Promise<RequestStatus> =>
      target.run(target.gateway.checkVerificationStatus(requestId, code === null ? null : Redacted.make(code)))

    const enter = async (requestId: string, code: string): Promise<VerificationState | undefined> =>
      (await check(requestId, code)).verification?.status

    const failure = (effect: Effect.Effect<unknown, StatusFailure>): Promise<string> =>
      target.run(
        Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure._tag : "none"))
      )

    describe("a code that is sent", () => {
      it("is accepted under one request id, which the details have too", async () => {
        const outcome = await send()
        assert(outcome._tag === "Accepted")
        assert.lengthOf(outcome.refs, 1)
        assert.strictEqual(outcome.details["request_id"], outcome.refs[0])
      })

      it("has a request id of its own each time", async () => {
        assert.notStrictEqual(await sent(), await sent())
      })

      it("is not in the outcome", async () => {
        assert.notInclude(JSON.stringify(await send({ code: Redacted.make("86420975") })), "86420975")
      })

      it("is rejected with NOT_FOUND for a number without an account", async () => {
        const outcome = await send({ to: target.withoutAccount })
        assert(outcome._tag === "Rejected")
        assert.strictEqual(outcome.failure._tag, "NOT_FOUND")
      })
    })

    describe("a code that is entered", () => {
      it("is valid when it is the one that was sent", async () => {
        const requestId = await sent({ code: Redacted.make("0042") })
        assert.strictEqual(await enter(requestId, "0042"), "code_valid")
      })

      it("may be right after it was wrong", async () => {
        const requestId = await sent()
        assert.strictEqual(await enter(requestId, "654321"), "code_invalid")
        assert.strictEqual(await enter(requestId, "123456"), "code_valid")
      })

      it("is compared digit by digit", async () => {
        const requestId = await sent({ code: Redacted.make("0123") })
        assert.strictEqual(await enter(requestId, "123"), "code_invalid")
      })

      it("is the code of its own request only", async () => {
        const [one, other] = [await sent({ code: Redacted.make("1111") }), await sent({ code: Redacted.make("2222") })]
        assert.strictEqual(await enter(one, "2222"), "code_invalid")
        assert.strictEqual(await enter(other, "2222"), "code_valid")
      })

      it("is not valid any more after three wrong ones", async () => {
        const requestId = await sent()
        const states = [
          await enter(requestId, "000000"),
          await enter(requestId, "000001"),
          await enter(requestId, "000002")
        ]
        assert.deepStrictEqual(states, ["code_invalid", "code_invalid", "code_max_attempts_exceeded"])
        assert.strictEqual(await enter(requestId, "123456"), "code_max_attempts_exceeded")
      })

      it("counts wrong ones that come at the same time", async () => {
        const requestId = await sent()
        await Promise.all(Array.from({ length: 5 }, (_, index) => enter(requestId, `00000${index}`)))
        assert.strictEqual(await enter(requestId, "123456"), "code_max_attempts_exceeded")
      })

      it("is expired when its time is over", async () => {
        const requestId = await sent({ ttl: 30 })
        await target.elapse(31)
        assert.strictEqual(await enter(requestId, "123456"), "expired")
      })

      it("stays valid when its time is over afterwards", async () => {
        const requestId = await sent({ ttl: 30 })
        await enter(requestId, "123456")
        await target.elapse(31)
        assert.strictEqual((await check(requestId, null)).verification?.status, "code_valid")
      })
    })

    describe("a status", () => {
      it("can be asked for without a code", async () => {
        const requestId = await sent()
        const status = await check(requestId, null)
        assert.strictEqual(status.requestId, requestId)
        assert.isNull(status.verification)
        assert.isFalse(status.isRefunded)
      })

      it("is NOT_FOUND for a request that was never made", async () => {
        assert.strictEqual(await failure(target.gateway.checkVerificationStatus("no-such-request", null)), "NOT_FOUND")
      })
    })

    describe("a probe", () => {
      it("tells who has an account", async () => {
        assert.strictEqual((await target.run(target.gateway.checkSendAbility(target.withAccount)))._tag, "Reachable")
        assert.strictEqual(
          (await target.run(target.gateway.checkSendAbility(target.withoutAccount)))._tag,
          "Unreachable"
        )
      })

      it("is spent by the send that carries its request id, and by no other", async () => {
        const probe = await target.run(target.gateway.checkSendAbility(target.withAccount))
        assert(probe._tag === "Reachable")
        const { requestId } = probe
        assert.strictEqual(await sent({ requestId }), requestId)
        assert.strictEqual(await enter(requestId, "123456"), "code_valid")
        assert.notStrictEqual((await send({ requestId }))._tag, "Accepted")
      })

      it("cannot be spent when it was never made", async () => {
        assert.strictEqual((await send({ requestId: "no-such-request" }))._tag, "Rejected")
      })
    })

    describe("a revocation", () => {
      it("refunds a message that was not read", async () => {
        const requestId = await sent()
        const status = await target.run(target.gateway.revoke(requestId))
        assert.strictEqual(status.requestId, requestId)
        assert.isTrue(status.isRefunded)
        assert.strictEqual(status.delivery?.status, "revoked")
      })

      it("does not refund a message whose code was entered", async () => {
        const requestId = await sent()
        await enter(requestId, "123456")
        assert.isFalse((await target.run(target.gateway.revoke(requestId))).isRefunded)
      })

      it("is NOT_FOUND for a request that was never made", async () => {
        assert.strictEqual(await failure(target.gateway.revoke("no-such-request")), "NOT_FOUND")
      })
    })
  })
}
