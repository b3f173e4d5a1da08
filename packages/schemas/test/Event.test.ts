import { type Event, type EventOf, EventPattern, eventTypes, matchesEvent } from "@watchword/schemas/Event"
import * as Schema from "effect/Schema"
import { describe, expect, expectTypeOf, it } from "vitest"

describe("patterns of events", () => {
  it("match a type, all types of a subject, or all types", () => {
    const matched = (pattern: string) => eventTypes.filter((type) => matchesEvent(pattern, type))
    expect(matched("*")).toEqual(eventTypes)
    expect(matched("call.*")).toEqual(["call.ended"])
    expect(matched("verification.*")).toEqual(eventTypes.filter((type) => type.startsWith("verification.")))
    for (const type of eventTypes) expect(matched(type)).toEqual([type])
  })

  it("are refused when nothing matches them", () => {
    const isPattern = Schema.is(EventPattern)
    for (const right of ["*", "verification.*", "balance.low"]) expect(isPattern(right)).toBe(true)
    for (const wrong of ["", "verification", "verification.", "*.low", "call.*.*", "sms.*", "**"]) {
      expect(isPattern(wrong)).toBe(false)
    }
  })

  it("have the type of their events", () => {
    expectTypeOf<EventOf<"balance.low">["data"]["threshold"]>().toEqualTypeOf<number>()
    expectTypeOf<EventOf<"verification.approved">["type"]>().toEqualTypeOf<"verification.approved">()
    expectTypeOf<EventOf<"verification.*">["data"]["attempts"]>().not.toBeNever()
    expectTypeOf<EventOf<"*">>().toEqualTypeOf<Event>()
  })
})
