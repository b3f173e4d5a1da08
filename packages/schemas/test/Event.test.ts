import { type Event, type EventOf, eventTypes, matchesEvent } from "@watchword/schemas/Event"
import { describe, expect, expectTypeOf, it } from "vitest"

describe("patterns of events", () => {
  it("match a type, all types of a subject, or all types", () => {
    const matched = (pattern: string) => eventTypes.filter((type) => matchesEvent(pattern, type))
    expect(matched("*")).toEqual(eventTypes)
    expect(matched("call.*")).toEqual(["call.ended"])
    expect(matched("verification.*")).toEqual(eventTypes.filter((type) => type.startsWith("verification.")))
    for (const type of eventTypes) expect(matched(type)).toEqual([type])
  })

  it("match nothing in any other form", () => {
    for (const wrong of ["", "verification", "verification.", "*.low", "call.*.*", "sms.*", "**"]) {
      expect(eventTypes.filter((type) => matchesEvent(wrong, type))).toEqual([])
    }
  })

  it("have the type of their events", () => {
    expect(expectTypeOf<EventOf<"balance.low">["data"]["threshold"]>().toEqualTypeOf<number>()).toBe(true)
    expectTypeOf<EventOf<"verification.approved">["type"]>().toEqualTypeOf<"verification.approved">()
    expectTypeOf<EventOf<"verification.*">["data"]["attempts"]>().not.toBeNever()
    expectTypeOf<EventOf<"*">>().toEqualTypeOf<Event>()
    interface Faxed {
      readonly type: "fax.ended"
      readonly pages: number
    }
    expectTypeOf<EventOf<"fax.ended", Event | Faxed>["pages"]>().toEqualTypeOf<number>()
    expectTypeOf<EventOf<"fax.*", Event | Faxed>["pages"]>().toEqualTypeOf<number>()
  })
})
