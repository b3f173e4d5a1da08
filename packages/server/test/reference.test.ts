import { describe, expect, it } from "vitest"
import { bodyOf } from "../src/internal/pages/reference/body.ts"
import { markdown } from "../src/internal/pages/reference/markdown.ts"
import { ORIGIN, samplesOf } from "../src/internal/pages/reference/samples.ts"

const document = {
  tags: [{ name: "Notes", description: "What `people` write." }],
  paths: {
    "/notes/{id}": {
      put: {
        tags: ["Notes"],
        operationId: "notes.set",
        summary: "Set a <note>",
        description: "Sets **one**.",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "wait", in: "query", example: 30, schema: { type: "integer", minimum: 0, maximum: 30 } }
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } } },
        responses: {
          "200": { description: "The note.", content: { "application/json": { schema: { type: "string" } } } }
        }
      }
    }
  },
  webhooks: {},
  components: {
    schemas: {
      Note: {
        type: "object",
        required: ["text"],
        properties: {
          text: { type: "string", minLength: 1, maxLength: 80, description: "What it says, such as `hi`." },
          tags: { type: "array", maxItems: 3, items: { type: "object", properties: { name: { enum: ["a", "b"] } } } },
          until: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
          note: { $ref: "#/components/schemas/Note" }
        },
        examples: [{ text: "it's on", pinned: true, until: null }]
      }
    }
  }
}

const page = (baseUrl = "/v1/") =>
  bodyOf(document, "Begin:\n\n```sh\ncurl https://otp.example.com/v1/notes\n```", baseUrl)

describe("the reference", () => {
  it("has each field with its type, bounds and description, and ends where a schema is in itself", () => {
    const html = page()
    expect(html).toContain('<code class="name">text</code> <span class="type">string</span> <span class="required">')
    expect(html).toContain('<span class="type">1–80 characters</span><div>What it says, such as <code>hi</code>.</div>')
    expect(html).toContain("at most 3 items")
    expect(html).toContain("&quot;a&quot; | &quot;b&quot;")
    expect(html).toContain("string, date-time or null")
    expect(html).toContain("0–30")
    expect(html).toContain("Set a &lt;note&gt;")
    expect(html).toContain("<p>Sets <b>one</b>.</p>")
  })

  it("names the server that shows it, or the whole address of the interface", () => {
    expect(page()).toContain("curl -X PUT '<span data-origin>https://otp.example.com</span>/v1/notes/YOUR_ID?wait=30'")
    expect(page()).toContain("curl <span data-origin>https://otp.example.com</span>/v1/notes")
    expect(page("https://codes.example/v1")).toContain("curl -X PUT 'https://codes.example/v1/notes/YOUR_ID?wait=30'")
  })

  it("shows no markup of a description", () => {
    expect(markdown('<img src=x> `<b>` [a](javascript:alert) [b](https://a.example/"x)', () => "")).toBe(
      '<p>&lt;img src=x&gt; <code>&lt;b&gt;</code> [a](javascript:alert) <a href="https://a.example/&quot;x">b</a></p>'
    )
  })
})

describe("samples", () => {
  const call = {
    method: "POST",
    path: "/notes",
    operationId: "notes.add",
    parameters: [],
    body: { text: "it's", on: true }
  }
  const of = (operationId: string) =>
    Object.fromEntries(
      samplesOf({ ...call, operationId }, `${ORIGIN}/v1`).map(({ code, language }) => [language, code])
    )

  it("quote for the shell, and write values as each language does", () => {
    const { curl, py } = of("notes.add")
    expect(curl).toContain(String.raw`-d '{"text":"it'\''s","on":true}'`)
    expect(py).toContain('"on": True')
  })

  it("check a code by the id of the verification, as the client does", () => {
    const body = { code: "123456", verification_id: "vrf_1" }
    const [, { code = "" } = {}] = samplesOf({ ...call, operationId: "verify.check", body }, "/v1")
    expect(code).toContain('await otp.verify.check("vrf_1", {\n  code: "123456"\n})')
  })

  it("use the client for what it has, and fetch for channels of a service's own", () => {
    expect(of("sms.send")["ts"]).toContain('await otp.sms.send({\n  text: "it\'s",\n  on: true\n})')
    expect(of("notes.add")["ts"]).toContain(`await fetch("${ORIGIN}/v1/notes"`)
  })
})
