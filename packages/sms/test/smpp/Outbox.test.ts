import type { Outcome } from "@watchword/send/Outcome"
import { link } from "@watchword/sms/smpp"
import { Link } from "../../src/internal/smpp/Link.ts"
import { MessageIds } from "../../src/internal/smpp/MessageIds.ts"
import { Outbox } from "../../src/internal/smpp/Outbox.ts"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { message } from "./fixture.ts"

const PATIENCE = 10_000

/** An outbox of two parts with one link, which is not bound. */
const start = () => {
  let now = 0
  const options = link({ host: "127.0.0.1", systemId: "id", password: Redacted.make("pw") })
  const timer = { now: () => now, wake: () => {} }
  const events = { late: () => {}, throttled: () => {} }
  const outbox = new Outbox([new Link("link", options, new MessageIds(""), now)], timer, PATIENCE, events, 2)
  const outcomes: Array<Outcome> = []
  return {
    outcomes,
    send: () => outbox.send(message(), (outcome) => outcomes.push(outcome)),
    pass: (time: number) => {
      now += time
      outbox.sweep()
    }
  }
}

describe("an outbox", () => {
  it("rejects messages beyond its capacity, and takes more when others have left", () => {
    const { outcomes, pass, send } = start()
    for (let index = 0; index < 4; index++) send()
    expect(outcomes).toMatchObject([{ _tag: "Rejected", failure: { _tag: "TEMPORARY_UNAVAILABLE" } }])
    pass(PATIENCE)
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(4).fill("Rejected"))
    send()
    expect(outcomes).toHaveLength(4)
  })
})
