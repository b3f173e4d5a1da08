import { link } from "@watchword/sms/smpp"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { Link } from "../../src/internal/smpp/Link.ts"
import { MessageIds } from "../../src/internal/smpp/MessageIds.ts"

it("a link without a session is down, and its carrier has taken nothing in it", () => {
  const options = link({ host: "127.0.0.1", systemId: "id", password: Redacted.make("pw") })
  const { hasTaken, isUp, window } = new Link("link", options, new MessageIds(""), 0)
  expect({ hasTaken, isUp, used: window.used }).toEqual({ hasTaken: false, isUp: false, used: 0 })
})
