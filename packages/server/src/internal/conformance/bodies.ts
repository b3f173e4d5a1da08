/**
 * Bodies that can be read, and bodies that cannot.
 */
import { type Answer, type CaseOf, group, holds, like, same } from "@watchword/store/checks"
import { MAX_BODY_BYTES } from "../../Host.ts"
import { badRequest, error, fieldsOf, success } from "./answers.ts"
import type { Channel } from "./channels.ts"
import { type Client, each, test } from "./client.ts"

export const bodies = (channels: ReadonlyArray<Channel>): ReadonlyArray<CaseOf<Client>> =>
  group("a body", [
    ...each(
      unreadable,
      ([name]) => `of ${name} is no request`,
      async ({ host, post, unreadable }, [, body]) => {
        for (const path of channels.flatMap(({ paths }) => [paths.send, paths.report])) {
          const answer = await post(path, body)
          unreadable(answer)
          if (!host.rawBodies) continue
          const { issues } = fieldsOf(answer)
          holds("there must be issues", Array.isArray(issues) && issues.length > 0)
        }
      }
    ),
    ...common
  ])

const unreadable: ReadonlyArray<readonly [name: string, body: string | Uint8Array | undefined]> = [
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
  ["a prototype", '{"__proto__":{"to":"+4915123456789","text":"hi"}}'],
  ["too many bytes", `{"text":"${"x".repeat(MAX_BODY_BYTES)}"}`]
]

const common: ReadonlyArray<CaseOf<Client>> = [
  ...each(
    ["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data", "json", ";"],
    (type) => `cannot have the type ${type}`,
    async ({ message, postJson }, type) => {
      error(await postJson("/sms", message(), { "content-type": type }), 400, "BAD_REQUEST")
    }
  ),

  ...each(
    [
      "application/json;charset=utf-8",
      "application/json; charset=UTF-8",
      "Application/JSON",
      'application/json; charset="utf-8"'
    ],
    (type) => `can have the type ${type}`,
    async ({ message, postJson }, type) => {
      success(await postJson("/sms", message(), { "content-type": type }))
    }
  ),

  ...each(
    [{ "content-encoding": "x-made-up" }, { "content-type": "application/json; charset=utf-16" }],
    (headers) => `cannot have ${JSON.stringify(headers)}`,
    async ({ message, postJson, unreadable }, headers) => {
      unreadable(await postJson("/sms", message(), headers))
    }
  ),

  test("may begin with a byte order mark", async ({ message, post }) => {
    success(await post("/sms", `\ufeff${JSON.stringify(message())}`))
  }),

  test("may come in chunks that split a character", async ({ message, post }) => {
    const bytes = Buffer.from(JSON.stringify(message({ text: "Dein Code für heute: 1€" })))
    const cut = bytes.indexOf(0xc3) + 1
    success(await post("/sms", [bytes.subarray(0, cut), bytes.subarray(cut)]))
  }),

  test(`may have ${MAX_BODY_BYTES} bytes and no more`, async ({ host, message, post }) => {
    const padded = (size: number) => {
      const body = JSON.stringify(message({ padding: "" }))
      return body.replace('"padding":""', `"padding":"${"x".repeat(size - Buffer.byteLength(body))}"`)
    }
    success(await post("/sms", padded(MAX_BODY_BYTES)))
    const tooLarge = (answer: Answer) =>
      same("message", error(answer, 400, "BAD_REQUEST")["message"], "The request body is too large.")
    tooLarge(await post("/sms", padded(MAX_BODY_BYTES + 1)))
    const unannounced = await post("/sms", [Buffer.from(padded(MAX_BODY_BYTES + 1))])
    if (host.rawBodies) tooLarge(unannounced)
    // A host's parser has a limit of its own, and does not tell the size.
    else success(unannounced)
  }),

  test("that is wrong has an issue for each field, with what it must be", async ({ postJson }) => {
    const { issues } = badRequest(await postJson("/sms", { to: "0151", from: "" }), "to", "text", "from")
    const told = { message: /^(?:is required|must be )/ }
    like("issues", issues, [told, told, told])
  }),

  test("is not repeated in errors", async ({ message, postJson }) => {
    const { text } = await postJson("/sms", message({ to: "+4999SECRET", text: 778_899 }))
    holds("an error must not repeat the request", !/SECRET|778899/.test(text))
  })
]
