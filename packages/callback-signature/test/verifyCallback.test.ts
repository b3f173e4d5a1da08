import { CallbackSignatureError, signCallback, verifyCallback } from "@watchword/callback-signature"
import * as fc from "fast-check"
import { createHash, createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { cases, token, vector } from "./cases.ts"
import { outcomeOf } from "./outcome.ts"

const encoder = new TextEncoder()

const now = () => vector.sentAt
const codeOf = (verified: Promise<unknown>): Promise<string> =>
  verified.then(
    () => "verified",
    (error: unknown) => {
      if (error instanceof CallbackSignatureError) return error.code
      throw error
    }
  )

describe("verifyCallback", () => {
  it.each(cases)("gives the right answer to $name", async (one) => {
    const bytes = encoder.encode(one.body)
    expect(await outcomeOf(one)).toEqual(one.expected)
    expect(await outcomeOf(one, bytes)).toEqual(one.expected)
    expect(await outcomeOf(one, Buffer.from(bytes))).toEqual(one.expected)
    expect(await outcomeOf(one, bytes.buffer)).toEqual(one.expected)
  })

  it("reads bytes that are a part of a larger buffer", async () => {
    const buffer = encoder.encode(`..${vector.body}..`)
    const body = buffer.subarray(2, -2)
    const event = await verifyCallback(body, headersOf(vector), { accessToken: token, now })
    expect(event).toEqual({ request_id: "abc" })
  })

  it("takes the web's Headers", async () => {
    const headers = new Headers(headersOf(vector))
    await expect(verifyCallback(vector.body, headers, { accessToken: token, now })).resolves.toEqual({
      request_id: "abc"
    })
    headers.append("x-request-signature", vector.signature)
    expect(await codeOf(verifyCallback(vector.body, headers, { accessToken: token, now }))).toBe("INVALID_SIGNATURE")
  })

  it("takes a Request", async () => {
    const request = (body: string) =>
      new Request("http://localhost/callback", { method: "POST", body, headers: headersOf(vector) })
    await expect(verifyCallback(request(vector.body), { accessToken: token, now })).resolves.toEqual({
      request_id: "abc"
    })
    expect(await codeOf(verifyCallback(request(`${vector.body} `), { accessToken: token, now }))).toBe(
      "INVALID_SIGNATURE"
    )
  })

  it("looks at the clock by itself", async () => {
    const headers = await signCallback(vector.body, { accessToken: token })
    await expect(verifyCallback(vector.body, headers, { accessToken: token })).resolves.toEqual({ request_id: "abc" })
    expect(await codeOf(verifyCallback(vector.body, headersOf(vector), { accessToken: token }))).toBe(
      "EXPIRED_TIMESTAMP"
    )
  })

  it("lets nothing through on a clock or tolerance that is not a number", async () => {
    const options = { accessToken: token, now }
    const verify = (changed: object) => verifyCallback(vector.body, headersOf(vector), { ...options, ...changed })
    expect(await codeOf(verify({ now: () => Number.NaN }))).toBe("EXPIRED_TIMESTAMP")
    expect(await codeOf(verify({ toleranceSeconds: Number.NaN }))).toBe("EXPIRED_TIMESTAMP")
  })

  it.each(["", "{", "null", "[]", '"abc"', "{}", '{"request_id":1}', '{"request_id":"abc"}x'])(
    "says INVALID_BODY of the signed body %j",
    async (body) => {
      const headers = await signCallback(body, { accessToken: token })
      expect(await codeOf(verifyCallback(body, headers, { accessToken: token }))).toBe("INVALID_BODY")
    }
  )

  it("says INVALID_BODY of a signed body that is not UTF-8", async () => {
    const body = new Uint8Array([...encoder.encode('{"request_id":"'), 0xff, ...encoder.encode('"}')])
    const headers = await signCallback(body, { accessToken: token })
    expect(await codeOf(verifyCallback(body, headers, { accessToken: token }))).toBe("INVALID_BODY")
  })

  it("does not parse before it has verified", async () => {
    expect(await codeOf(verifyCallback("{", headersOf(vector), { accessToken: token, now }))).toBe("INVALID_SIGNATURE")
  })

  it("parses the bytes that it verified, whatever becomes of the caller's", async () => {
    const body = encoder.encode(vector.body)
    const event = verifyCallback(body, headersOf(vector), { accessToken: token, now })
    body.fill(0x20)
    await expect(event).resolves.toEqual({ request_id: "abc" })
  })

  it("refuses an empty token, whose signatures need no secret", async () => {
    await expect(verifyCallback(vector.body, headersOf(vector), { accessToken: "", now })).rejects.toThrow(TypeError)
    await expect(signCallback(vector.body, { accessToken: "" })).rejects.toThrow(TypeError)
  })

  it("is not to be called with a parsed body", async () => {
    const parsed = JSON.parse(vector.body)
    for (const body of [parsed, undefined, null]) {
      const event = verifyCallback(body, headersOf(vector), { accessToken: token, now })
      await expect(event).rejects.toThrow(TypeError)
    }
  })

  it("keeps apart tokens that take turns and verify at the same time", async () => {
    const tokens = ["one", "two", "one", "three", "two", "one"]
    const signed = await Promise.all(tokens.map((accessToken) => signCallback(vector.body, { accessToken })))
    const verified = signed.flatMap((headers, mine) =>
      tokens.map(async (accessToken, other) => {
        const code = await codeOf(verifyCallback(vector.body, headers, { accessToken }))
        expect(code).toBe(tokens[mine] === tokens[other] ? "verified" : "INVALID_SIGNATURE")
      })
    )
    await Promise.all(verified)
  })

  it("fails when one bit of anything has changed", async () => {
    const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
      bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

    const event = fc.record({ request_id: fc.string(), phone_number: fc.string(), payload: fc.string() })
    const ascii = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(
        event,
        ascii,
        fc.nat(4_000_000_000),
        fc.constantFrom("body", "signature", "timestamp", "token"),
        fc.nat(),
        async (event, accessToken, timestamp, part, choice) => {
          const body = encoder.encode(JSON.stringify(event))
          const headers = await signCallback(body, { accessToken, timestamp })
          const parts = {
            body,
            signature: Buffer.from(headers["X-Request-Signature"], "hex"),
            timestamp: encoder.encode(headers["X-Request-Timestamp"]),
            token: encoder.encode(accessToken)
          }
          const verify = (it: typeof parts) =>
            verifyCallback(
              it.body,
              {
                "x-request-timestamp": text(it.timestamp),
                "x-request-signature": Buffer.from(it.signature).toString("hex")
              },
              { accessToken: text(it.token), now: () => timestamp * 1000, toleranceSeconds: Infinity }
            )
          await expect(verify(parts)).resolves.toEqual(event)
          const changed = { ...parts, [part]: flip(parts[part], choice % (parts[part].length * 8)) }
          expect(await codeOf(verify(changed))).toMatch(part === "timestamp" ? /^INVALID/ : /^INVALID_SIGNATURE$/)
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("signCallback", () => {
  it("signs the vector", async () => {
    expect(await signCallback(vector.body, { accessToken: token, timestamp: Number(vector.timestamp) })).toEqual(
      headersOf(vector)
    )
  })

  it("signs as OpenSSL does", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array(), fc.string({ unit: "binary" })),
        fc.string({ unit: "binary", minLength: 1 }),
        fc.nat(),
        async (body, accessToken, timestamp) => {
          const key = createHash("sha256").update(accessToken).digest()
          const signature = createHmac("sha256", key).update(`${timestamp}\n`).update(body).digest("hex")
          const headers = await signCallback(body, { accessToken, timestamp })
          expect(headers["X-Request-Signature"]).toBe(signature)
        }
      )
    )
  })
})

const headersOf = (signed: typeof vector) => ({
  "X-Request-Timestamp": signed.timestamp,
  "X-Request-Signature": signed.signature
})

describe("a mistake of a program", () => {
  const headers = headersOf(vector)
  const request = () => new Request("http://localhost/callback", { method: "POST", body: vector.body, headers })
  const used = async () => {
    const one = request()
    await one.text()
    return one
  }

  it.each([
    [[vector.body, headers], "verifyCallback needs options: { accessToken }"],
    [[request()], "verifyCallback needs options: { accessToken }"],
    [[null], "verifyCallback needs the headers of the request"],
    [[vector.body, undefined, { accessToken: token }], "verifyCallback needs the headers of the request"],
    [[vector.body, headers, { accessToken: undefined, now }], "no accessToken: is its environment variable set?"],
    [[used(), { accessToken: token }], "verifyCallback needs a request whose body has not been read"]
  ])("is a TypeError that names it: %#", async (args, message) => {
    const given = await Promise.all(args)
    await expect(Reflect.apply(verifyCallback, undefined, given)).rejects.toThrow(new TypeError(message))
  })

  it("is no code in the message of a refusal, but words", async () => {
    const forged = verifyCallback(`${vector.body} `, headers, { accessToken: token, now })
    await expect(forged).rejects.toMatchObject({
      code: "INVALID_SIGNATURE",
      message: "the signature does not match: a wrong token, or the body was changed before it was checked"
    })
  })
})
