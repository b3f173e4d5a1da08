import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FrontPage from "../src/http/FrontPage.ts"
import * as Operations from "../src/internal/Operations.ts"
import { absent } from "../src/Host.ts"

const places: ReadonlyArray<FrontPage.Place> = [
  { name: "Reference", path: "/docs", says: "Fields & samples.", isPage: true },
  { name: "Interface", path: "/v1", says: "With a key.", isPage: false }
]

const ask = (accept: string | undefined) =>
  Effect.gen(function* () {
    const pages = FrontPage.layer("A server of <codes>.", places)
    const { handle } = yield* Operations.make({ store: Effect.void, channels: [], pages })
    const headers = accept === undefined ? {} : { accept }
    const { body, ...answer } = yield* handle({ method: "GET", path: "/", headers, body: absent, remoteAddress: null })
    return { ...answer, text: body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body) }
  })

describe("the page at the root", () => {
  it.effect("says to a browser where things are, and lets it load nothing else", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* ask("text/html,application/xhtml+xml;q=0.9")
      assert.strictEqual(status, 200)
      assert.include(text, '<a href="./docs">Reference</a>')
      assert.include(text, "Fields &amp; samples.")
      assert.include(text, "A server of &lt;codes&gt;.")
      assert.notInclude(text, 'href="./v1"')
      assert.match(
        headers["content-security-policy"] ?? "",
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; connect-src 'none'; base-uri 'none'/
      )
      assert.strictEqual(headers["vary"], "accept")
    })
  )

  it.effect("says it to programs as JSON", () =>
    Effect.gen(function* () {
      for (const accept of [undefined, "*/*", "application/json"]) {
        const { headers, text } = yield* ask(accept)
        assert.include(headers["content-type"] ?? "", "application/json")
        assert.deepStrictEqual(JSON.parse(text), {
          service: "watchword",
          places: { Reference: "/docs", Interface: "/v1" }
        })
      }
    })
  )
})
