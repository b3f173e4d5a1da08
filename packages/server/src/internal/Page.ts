/**
 * Pages that are made once, on the first request, and answered from memory: compressed to clients that take it, which
 * is done once too.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"

export interface Content {
  readonly contentType: string
  readonly text: string
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * `GET path`, with an ETag: a client that names it in `If-None-Match` is answered 304. The compressed page has an ETag
 * of its own (RFC 9110 §8.8.3.3).
 */
export const layer = (
  path: `/${string}`,
  content: Effect.Effect<Content>
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const plain = yield* Effect.cached(Effect.flatMap(content, plainOf))
      const zipped = yield* Effect.cached(Effect.flatMap(plain, zippedOf))
      const answer = Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest
        const page = yield* takesGzip(headers["accept-encoding"] ?? "") ? zipped : plain
        return names(headers["if-none-match"] ?? "", page.etag) ? page.unchanged : page.full
      })
      yield* router.add("GET", path, answer)
    })
  )

/** One form of a page, and the answers that have it. */
interface Page {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly full: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

const pageOf = (page: Pick<Page, "bytes" | "etag" | "contentType" | "headers">): Page => {
  const { bytes, contentType } = page
  const headers = { ...page.headers, etag: page.etag }
  return {
    ...page,
    full: HttpServerResponse.uint8Array(bytes, { contentType, headers }),
    unchanged: HttpServerResponse.empty({ status: 304, headers })
  }
}

const plainOf = ({ contentType, headers = {}, text }: Content) =>
  Effect.promise(async () => {
    const bytes = new TextEncoder().encode(text)
    const etag = `"${hex(await globalThis.crypto.subtle.digest("SHA-256", bytes)).slice(0, 32)}"`
    return pageOf({ bytes, etag, contentType, headers: { ...headers, ...COMMON } })
  })

const COMMON = { "cache-control": "public, max-age=300", vary: "accept-encoding", "x-content-type-options": "nosniff" }

const zippedOf = ({ bytes, contentType, etag, headers }: Page) =>
  Effect.promise(async () => {
    const zipped = new Response(bytes.slice()).body?.pipeThrough(new CompressionStream("gzip"))
    return pageOf({
      bytes: new Uint8Array(await new Response(zipped).arrayBuffer()),
      etag: etag.replace(/"$/, '-gzip"'),
      contentType,
      headers: { ...headers, "content-encoding": "gzip" }
    })
  })

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Whether `Accept-Encoding` allows gzip (RFC 9110 §12.5.3); without the header a page is sent as it is. */
export const takesGzip = (header: string): boolean => {
  const weights = new Map(
    header.split(",").map((each) => {
      const [coding = "", weight = "q=1"] = each.split(";").map((part) => part.trim().toLowerCase())
      return [coding, Number(weight.replace("q=", ""))]
    })
  )
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

/** Whether `If-None-Match` names an entity tag (RFC 9110 §13.1.2: the comparison is the weak one). */
export const names = (header: string, etag: string): boolean =>
  header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag)
