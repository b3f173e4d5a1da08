import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Hmac } from "../src/Hmac.ts"
import * as node from "../src/hmac.node.ts"
import * as web from "../src/hmac.web.ts"

interface Message {
  readonly token: string
  readonly line: string
  readonly body: Uint8Array<ArrayBuffer>
}

const withTokens = <Key>({ importKey, sign, verify }: Hmac<Key>) => ({
  sign: async ({ body, line, token }: Message) => sign(await importKey(token), line, body),
  verify: async ({ body, line, token }: Message, signature: string) =>
    verify(await importKey(token), signature, line, body)
})
const onNode = withTokens(node)
const onTheWeb = withTokens(web)

const messages: fc.Arbitrary<Message> = fc.record({
  token: fc.string({ unit: "binary", minLength: 1 }),
  line: fc.nat().map((timestamp) => `${timestamp}\n`),
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes))
})

describe("Node's HMAC and WebCrypto's", () => {
  it("sign alike under raw keys", async () => {
    const keys = fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => new Uint8Array(bytes))
    await fc.assert(
      fc.asyncProperty(keys, messages, async (key, { body, line }) => {
        const signature = await node.sign(await node.importRawKey(key), line, body)
        expect(await web.sign(await web.importRawKey(key), line, body)).toBe(signature)
      })
    )
  })

  it("sign alike, and find that right in capitals too", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const signature = await onNode.sign(message)
        expect(signature).toMatch(/^[\da-f]{64}$/)
        expect(await onTheWeb.sign(message)).toBe(signature)
        for (const spelling of [signature, signature.toUpperCase()]) {
          expect(await onNode.verify(message, spelling)).toBe(true)
          expect(await onTheWeb.verify(message, spelling)).toBe(true)
        }
      })
    )
  })

  it("find one wrong bit, and another's signature", async () => {
    await fc.assert(
      fc.asyncProperty(messages, messages, fc.nat(255), async (message, other, bit) => {
        const bytes = Buffer.from(await onNode.sign(message), "hex")
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const others = await onNode.sign({ ...other, token: `${message.token}${other.token}` })
        for (const signature of [bytes.toString("hex"), others]) {
          expect(await onNode.verify(message, signature)).toBe(false)
          expect(await onTheWeb.verify(message, signature)).toBe(false)
        }
      })
    )
  })

  it("copy bodies alike", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array()), (body) => {
        expect(node.copyOf(body)).toEqual(web.copyOf(body))
      })
    )
    expect(node.copyOf(new Uint8Array([1, 2, 3]).subarray(1))).toEqual(new Uint8Array([2, 3]))
    expect(node.copyOf(new Uint8Array([1, 2]).buffer)).toEqual(new Uint8Array([1, 2]))
  })
})

it("Node's says what to pass instead of a body that was parsed", () => {
  for (const body of ["{}", "null", "1"]) {
    expect(() => node.copyOf(JSON.parse(body))).toThrow("pass the raw body, as of express.raw()")
  }
})
