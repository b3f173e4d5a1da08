import { AccountId } from "@watchword/schemas/Ids"
import type { Outcome } from "@watchword/send/Outcome"
import { link } from "@watchword/sms/smpp"
import { Link } from "../../src/internal/smpp/Link.ts"
import { MessageIds } from "../../src/internal/smpp/MessageIds.ts"
import { Outbox } from "../../src/internal/smpp/Outbox.ts"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { message } from "./fixture.ts"

const PATIENCE = 10_000

const CAPACITY = 4

const acme = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const other = AccountId.make("acc_01KAJ3T8ZZ0000000000000001")

/** An outbox with one link, which is not bound. */
const start = () => {
  let now = 0
  const options = link({ host: "127.0.0.1", systemId: "id", password: Redacted.make("pw") })
  const timer = { now: () => now, wake: () => {} }
  const events = { late: () => {}, throttled: () => {}, refused: () => {}, unknown: () => {} }
  const outbox = new Outbox([new Link("link", options, new MessageIds(""), now)], timer, PATIENCE, events, CAPACITY)
  const outcomes: Array<Outcome> = []
  return {
    outcomes,
    send: (account = acme) => outbox.send(message("code", { account }), (outcome) => outcomes.push(outcome)),
    pass: (time: number) => {
      now += time
      outbox.sweep()
    }
  }
}

describe("an outbox", () => {
  it("takes half of its capacity from one account, and messages of others then", () => {
    const { outcomes, send } = start()
    for (let index = 0; index < 3; index++) send(acme)
    expect(outcomes).toMatchObject([{ _tag: "Rejected", failure: { _tag: "TEMPORARY_UNAVAILABLE" } }])
    send(other)
    expect(outcomes).toHaveLength(1)
    send(other)
    expect(outcomes).toHaveLength(2)
  })

  it("takes more when others have left", () => {
    const { outcomes, pass, send } = start()
    for (let index = 0; index < 3; index++) send()
    pass(PATIENCE)
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(3).fill("Rejected"))
    send()
    expect(outcomes).toHaveLength(3)
  })
})
