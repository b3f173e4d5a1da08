/**
 * Repeats the tests of Node's cryptography with WebCrypto, which Node also has.
 */
import * as hmac from "#hmac"
import { expect, it, vi } from "vitest"
import * as web from "../src/hmac.web.ts"
import "./verifyCallback.test.ts"

vi.mock("#hmac", () => import("../src/hmac.web.ts"))

it("runs on WebCrypto", () => {
  expect(hmac.verify).toBe(web.verify)
})
