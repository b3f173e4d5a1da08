import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { type Change, updatesAnd } from "../src/internal/channel/ChannelEvents.ts"

const delivery: Delivery = {
  id: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  channel: "sms",
  to: "+4915123456789",
  from: null,
  phase: "accepted",
  status: { name: "delivered", rank: 2 },
  price: zero,
  parts: 1,
  named: 0,
  reference: null,
  createdAt: 1,
  statusAt: 1,
  dueAt: null,
  watch: null,
  details: {}
}

const changeTo = (status: string): Change => {
  const { account, channel, id, mode, phase } = delivery
  return {
    delivery,
    fact: { _tag: "DeliveryChanged", channel, delivery: id, version: 3, status, phase, moved: true, note: null },
    about: { version: 3, account_id: account, mode }
  }
}

describe("the events of a channel with a type of its own", () => {
  const events = updatesAnd({ "sms.arrived": Schema.Struct({ after: Schema.Finite }) }, ({ fact }) =>
    fact.status === "delivered" ? { "sms.arrived": { after: 7 } } : {}
  )
  const about = { version: 3, account_id: delivery.account, mode: "live" }

  it("are the update, and the event of that type with its own data beside the first fields", () => {
    expect(events.types).toEqual(["delivery.updated", "guard.tripped", "sms.arrived"])
    expect(events.describe(changeTo("delivered"))).toEqual([
      {
        type: "delivery.updated",
        data: { ...about, channel: "sms", id: delivery.id, to: delivery.to, status: "delivered" }
      },
      { type: "sms.arrived", data: { ...about, after: 7 } }
    ])
  })

  it("are the update alone for other changes", () => {
    expect(events.describe(changeTo("sent")).map(({ type }) => type)).toEqual(["delivery.updated"])
  })
})
