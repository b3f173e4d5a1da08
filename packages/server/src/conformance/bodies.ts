/**
 * What a body may be, and what it may not.
 */
import { describe, expect, it } from "vitest"
import { MAX_BODY_BYTES } from "../Host.ts"
import { type Caller, expectEnvelope } from "./caller.ts"
import type { Answer } from "./exchange.ts"

export const bodies = ({ host, post, message, expectUnreadable }: Caller): void => {
  describe("bodies", () => {
    it.each([
      ["nothing", undefined],
      ["an empty text", ""],
      ["spaces", "   "],
      ["half an object", '{"to":'],
      ["two objects", "{}{}"],
      ["null", "null"],
      ["an array", "[]"],
      ["a text", '"to"'],
      ["a number", "1"],
      ["NaN", "NaN"],
      ["a form", "to=%2B4915123456789&text=hi"],
      ["XML", "<to/>"],
      ["deep arrays", "[".repeat(30_000)],
      ["deep arrays, closed", "[".repeat(30_000) + "]".repeat(30_000)],
      ["deep objects", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
      ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
      ["UTF-16", Buffer.from("\ufeff{}", "utf16le")],
      ["zeros", new Uint8Array(64)],
      ["a prototype", '{"__proto__":{"to":"+4915123456789","text":"hi"}}']
    ])("%s is no message", async (_, body) => {
      const answer = await post("/sms", body)
      expectUnreadable(answer)
      if (host().rawBodies) expect(JSON.parse(answer.text).issues.length).toBeGreaterThan(0)
    })

    it.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data", "json", ";"])(
      "%j is no type for them",
      async (type) => {
        expectEnvelope(await post("/sms", JSON.stringify(message()), { "content-type": type }), 400, "BAD_REQUEST")
      }
    )

    it.each([
      "application/json;charset=utf-8",
      "application/json; charset=UTF-8",
      "Application/JSON",
      'application/json; charset="utf-8"'
    ])("%j is one", async (type) => {
      expect((await post("/sms", JSON.stringify(message()), { "content-type": type })).status).toBe(200)
    })

    it("are not taken compressed or in another charset", async () => {
      for (const headers of [
        { "content-encoding": "x-made-up" },
        { "content-type": "application/json; charset=utf-16" }
      ]) {
        expectUnreadable(await post("/sms", JSON.stringify(message()), headers))
      }
    })

    it("may begin with a byte order mark", async () => {
      expect((await post("/sms", `\ufeff${JSON.stringify(message())}`)).status).toBe(200)
    })

    it("may come in chunks that split a character", async () => {
      const bytes = Buffer.from(JSON.stringify(message({ text: "Dein Code für heute: 1€" })))
      const cut = bytes.indexOf(0xc3) + 1
      expect((await post("/sms", [bytes.subarray(0, cut), bytes.subarray(cut)])).status).toBe(200)
    })

    it("may have fields that nobody knows", async () => {
      const answer = await post("/sms", JSON.stringify(message({ sandbox: false, price: -1, __proto__x: {} })))
      expect(answer.status).toBe(200)
    })

    it(`may have ${MAX_BODY_BYTES} bytes and no more`, async () => {
      const padded = (size: number) => {
        const body = JSON.stringify(message({ padding: "" }))
        return body.replace('"padding":""', `"padding":"${"x".repeat(size - Buffer.byteLength(body))}"`)
      }
      expect((await post("/sms", padded(MAX_BODY_BYTES))).status).toBe(200)
      const expectTooLarge = (answer: Answer) => {
        expectEnvelope(answer, 400, "BAD_REQUEST")
        expect(JSON.parse(answer.text).message).toBe("The request body is too large.")
      }
      expectTooLarge(await post("/sms", padded(MAX_BODY_BYTES + 1)))
      const unannounced = await post("/sms", [Buffer.from(padded(MAX_BODY_BYTES + 1))])
      if (host().rawBodies) expectTooLarge(unannounced)
      // Nobody knows its size any more: it is within the limit of the host's parser.
      else expect(unannounced.status).toBe(200)
    })

    it("that are wrong are told which field is, and how to mend it", async () => {
      const { text } = await post("/sms", JSON.stringify({ to: "0151", from: "" }))
      const issues: ReadonlyArray<{ path: string; message: string }> = JSON.parse(text).issues
      expect(issues.map(({ path }) => path)).toEqual(["to", "text", "from"])
      for (const issue of issues) expect(issue.message).toMatch(/^(?:is required|must be )/)
    })

    it("are not repeated in errors", async () => {
      const { text } = await post("/sms", JSON.stringify(message({ to: "+4999SECRET", text: 778_899 })))
      expect(text).not.toMatch(/SECRET|778899/)
    })
  })
}
