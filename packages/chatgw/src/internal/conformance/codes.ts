/**
 * Codes that are sent, and codes that are entered.
 */
import { type CaseOf, group, holds, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Client } from "./client.ts"

const sending: ReadonlyArray<CaseOf<Client>> = group("a code that is sent", [
  {
    name: "is accepted under one request id, which is in the details too",
    check: Effect.fnUntraced(function* ({ send }) {
      const outcome = yield* send()
      holds(`a code must be accepted, and was ${outcome._tag}`, outcome._tag === "Accepted")
      same("number of refs", outcome.refs.length, 1)
      same<unknown>("request id in the details", outcome.details["request_id"], outcome.refs[0])
    })
  },
  {
    name: "has a request id of its own each time",
    check: Effect.fnUntraced(function* ({ accepted }) {
      holds("two codes must have two request ids", (yield* accepted()) !== (yield* accepted()))
    })
  },
  {
    name: "is not in the outcome",
    check: Effect.fnUntraced(function* ({ send }) {
      const outcome = JSON.stringify(yield* send({ code: Redacted.make("86420975") }))
      holds("the outcome must not contain the code", !outcome.includes("86420975"))
    })
  },
  {
    name: "is rejected with NOT_FOUND for a number without an account",
    check: Effect.fnUntraced(function* ({ send, numbers }) {
      const outcome = yield* send({ to: numbers.withoutAccount })
      holds(`the code must be rejected, and was ${outcome._tag}`, outcome._tag === "Rejected")
      same<string>("failure", outcome.failure._tag, "NOT_FOUND")
    })
  }
])

const entering: ReadonlyArray<CaseOf<Client>> = group("a code that is entered", [
  {
    name: "is valid when it is the one that was sent",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const requestId = yield* accepted({ code: Redacted.make("0042") })
      same("state", yield* enter(requestId, "0042"), "code_valid")
    })
  },
  {
    name: "may be right after a wrong one",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const requestId = yield* accepted()
      same("state after a wrong code", yield* enter(requestId, "654321"), "code_invalid")
      same("state after the right code", yield* enter(requestId, "123456"), "code_valid")
    })
  },
  {
    name: "is compared digit by digit",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const requestId = yield* accepted({ code: Redacted.make("0123") })
      same("state", yield* enter(requestId, "123"), "code_invalid")
    })
  },
  {
    name: "is the code of its own request only",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const one = yield* accepted({ code: Redacted.make("1111") })
      const other = yield* accepted({ code: Redacted.make("2222") })
      same("state of the other request", yield* enter(one, "2222"), "code_invalid")
      same("state of its own request", yield* enter(other, "2222"), "code_valid")
    })
  },
  {
    name: "is no longer valid after three wrong ones",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const requestId = yield* accepted()
      const states = yield* Effect.forEach(["000000", "000001", "000002", "123456"], (code) => enter(requestId, code))
      const over = "code_max_attempts_exceeded"
      same("states", states, ["code_invalid", "code_invalid", over, over])
    })
  },
  {
    name: "counts as wrong also when several are entered at once",
    check: Effect.fnUntraced(function* ({ accepted, enter }) {
      const requestId = yield* accepted()
      const wrong = ["000000", "000001", "000002", "000003", "000004"]
      yield* Effect.forEach(wrong, (code) => enter(requestId, code), { concurrency: "unbounded" })
      same("state", yield* enter(requestId, "123456"), "code_max_attempts_exceeded")
    })
  },
  {
    name: "is expired after its time to live",
    check: Effect.fnUntraced(function* ({ accepted, elapse, enter }) {
      const requestId = yield* accepted({ ttl: 30 })
      yield* elapse("31 seconds")
      same("state", yield* enter(requestId, "123456"), "expired")
    })
  },
  {
    name: "stays valid when its time to live passes afterwards",
    check: Effect.fnUntraced(function* ({ accepted, elapse, enter, status }) {
      const requestId = yield* accepted({ ttl: 30 })
      yield* enter(requestId, "123456")
      yield* elapse("31 seconds")
      same("state", (yield* status(requestId)).verification?.status, "code_valid")
    })
  }
])

export const codes = [...sending, ...entering]
