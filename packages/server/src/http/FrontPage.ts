/**
 * The page at the root of a server, which says where things are: to browsers as a page, to programs as JSON.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import { escaped, page } from "../internal/pages/dress.ts"

/** Something that a server has. */
export interface Place {
  readonly name: string
  /** From the root on, such as `/docs`. */
  readonly path: string
  readonly says: string
  /** Whether a browser can open it. */
  readonly isPage: boolean
}

/** `GET /`. */
export const layer = (says: string, places: ReadonlyArray<Place>): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const html = yield* Effect.cached(page({ title: "Watchword", style: STYLE, body: bodyOf(says, places) }))
      const data = { service: "watchword", places: Object.fromEntries(places.map(({ name, path }) => [name, path])) }
      const headers = { "cache-control": "no-cache", vary: "accept", "x-content-type-options": "nosniff" }
      const answer = Effect.gen(function* () {
        const { headers: given } = yield* HttpServerRequest
        if (!(given["accept"] ?? "").includes("text/html")) return HttpServerResponse.jsonUnsafe(data, { headers })
        const { contentType, headers: own, text } = yield* html
        return HttpServerResponse.text(text, { contentType, headers: { ...headers, ...own } })
      })
      yield* router.add("GET", "/", answer)
    })
  )

// Addresses are relative, for proxies that put a prefix before all of them.
const bodyOf = (says: string, places: ReadonlyArray<Place>): string => `<main>
<h1>Watchword</h1>
<p>${escaped(says)}</p>
<ul>
${places.map(itemOf).join("\n")}
</ul>
</main>`

const itemOf = ({ isPage, name, path, says }: Place): string => {
  const shown = `<code>${escaped(path)}</code>`
  const where = isPage
    ? `<a href="${escaped(`.${path}`)}">${escaped(name)}</a> ${shown}`
    : `<b>${escaped(name)}</b> ${shown}`
  return `<li>${where}<span>${escaped(says)}</span></li>`
}

const STYLE = `
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1rem; }
h1 { font-size: 1.625rem; margin-bottom: 0.5rem; }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--card); overflow: hidden; }
li { padding: 0.75rem 1rem; }
li + li { border-top: 1px solid var(--line); }
li a, li b { font-weight: 600; margin-right: 0.375rem; }
li code { color: var(--ink-soft); overflow-wrap: anywhere; }
li span { display: block; color: var(--ink-soft); }
`
