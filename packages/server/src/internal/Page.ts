/**
 * Pages that are made once, on the first request, and answered from memory.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"

export interface Content {
  readonly contentType: string
  readonly text: string
}

/**
 * `GET path`, with an ETag: a client that names it in `If-None-Match` is answered 304.
 *
 * @param headers further headers of the answer
 */
export const layer = (
  path: `/${string}`,
  content: Effect.Effect<Content>,
  headers: Readonly<Record<string, string>> = {}
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const page = yield* Effect.cached(Effect.flatMap(content, responses(headers)))
      const answer = Effect.zipWith(page, HttpServerRequest, ({ etag, full, unchanged }, request) =>
        names(request.headers["if-none-match"] ?? "", etag) ? unchanged : full
      )
      yield* router.add("GET", path, answer)
    })
  )

const responses =
  (headers: Readonly<Record<string, string>>) =>
  ({ contentType, text }: Content) =>
    Effect.promise(async () => {
      const bytes = new TextEncoder().encode(text)
      const etag = `"${hex(await globalThis.crypto.subtle.digest("SHA-256", bytes)).slice(0, 32)}"`
      const all = { ...headers, etag, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" }
      return {
        etag,
        full: HttpServerResponse.uint8Array(bytes, { contentType, headers: all }),
        unchanged: HttpServerResponse.empty({ status: 304, headers: all })
      }
    })

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Whether `If-None-Match` names an entity tag (RFC 9110 §13.1.2: the comparison is the weak one). */
const names = (header: string, etag: string): boolean =>
  header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag)
