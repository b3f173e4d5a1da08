import { bodyLimit } from "@watchword/server/BodyLimit"
import { describe, expect, it } from "vitest"

describe("the largest body", () => {
  it("is what the endpoints of the interface take", () => {
    for (const path of [
      "/sms",
      "/chatgw",
      "/chatgw/webhook",
      "/chatgw/eventsx",
      "/x/chatgw/events",
      "/sms?/chatgw/events"
    ]) {
      expect([path, bodyLimit(path)]).toEqual([path, 65_536])
      expect(bodyLimit(path, 10)).toBe(10)
    }
  })

  it("is that of a notification where gateways call back, and never less than that of the others", () => {
    for (const path of ["/chatgw/events", "/bizchat/events?hub.mode=x"]) {
      expect(bodyLimit(path, 10)).toBe(3 * 1024 * 1024)
      expect(bodyLimit(path, 10_000_000)).toBe(10_000_000)
    }
  })
})
