/**
 * Statuses, probes and revocations.
 */
import { type CaseOf, group, holds, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import type { Client } from "./client.ts"

const failureOf = (effect: Effect.Effect<unknown, { readonly _tag: string }>): Effect.Effect<string> =>
  Effect.match(effect, { onSuccess: () => "none", onFailure: ({ _tag }) => _tag })

const statuses: ReadonlyArray<CaseOf<Client>> = group("a status", [
  {
    name: "can be asked for without a code",
    check: Effect.fnUntraced(function* ({ accepted, status }) {
      const requestId = yield* accepted()
      const found = yield* status(requestId)
      same("request id", found.requestId, requestId)
      same("verification", found.verification, null)
      same("refunded", found.isRefunded, false)
    })
  },
  {
    name: "is NOT_FOUND for an unknown request",
    check: Effect.fnUntraced(function* ({ status }) {
      same("failure", yield* failureOf(status("no-such-request")), "NOT_FOUND")
    })
  }
])

const probes: ReadonlyArray<CaseOf<Client>> = group("a probe", [
  {
    name: "says whether a number has an account",
    check: Effect.fnUntraced(function* ({ gateway, numbers }) {
      const reachable = yield* gateway.checkSendAbility(numbers.withAccount)
      same("probe of a number with an account", reachable._tag, "Reachable")
      const unreachable = yield* gateway.checkSendAbility(numbers.withoutAccount)
      same("probe of a number without an account", unreachable._tag, "Unreachable")
    })
  },
  {
    name: "is spent by the send that carries its request id, and by no other",
    check: Effect.fnUntraced(function* ({ accepted, enter, gateway, numbers, send }) {
      const probe = yield* gateway.checkSendAbility(numbers.withAccount)
      holds(`the number must be reachable, and was ${probe._tag}`, probe._tag === "Reachable")
      const { requestId } = probe
      same("request id of the send", yield* accepted({ requestId }), requestId)
      same("state", yield* enter(requestId, "123456"), "code_valid")
      holds("a probe must not be spent twice", (yield* send({ requestId }))._tag !== "Accepted")
    })
  },
  {
    name: "cannot be spent when it was never made",
    check: Effect.fnUntraced(function* ({ send }) {
      same("outcome", (yield* send({ requestId: "no-such-request" }))._tag, "Rejected")
    })
  }
])

const revocations: ReadonlyArray<CaseOf<Client>> = group("a revocation", [
  {
    name: "refunds a message that was not read",
    check: Effect.fnUntraced(function* ({ accepted, gateway }) {
      const requestId = yield* accepted()
      const status = yield* gateway.revoke(requestId)
      same("request id", status.requestId, requestId)
      same("refunded", status.isRefunded, true)
      same("delivery status", status.delivery?.status, "revoked")
    })
  },
  {
    name: "does not refund a message whose code was entered",
    check: Effect.fnUntraced(function* ({ accepted, enter, gateway }) {
      const requestId = yield* accepted()
      yield* enter(requestId, "123456")
      same("refunded", (yield* gateway.revoke(requestId)).isRefunded, false)
    })
  },
  {
    name: "is NOT_FOUND for an unknown request",
    check: Effect.fnUntraced(function* ({ gateway }) {
      same("failure", yield* failureOf(gateway.revoke("no-such-request")), "NOT_FOUND")
    })
  }
])

export const requests = [...statuses, ...probes, ...revocations]
