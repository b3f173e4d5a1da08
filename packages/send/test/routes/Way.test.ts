import { only } from "../../src/routes/Way.ts"
import { expect, it } from "vitest"

it("the record of a gateway without carriers to choose among has the name of the gateway's own, if it has one", () => {
  expect(only({ carrier: "acme" }).details).toEqual({ carrier: "acme" })
  expect(only({}).details).toEqual({})
})
