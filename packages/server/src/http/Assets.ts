/**
 * Files of a page below a path, which come compressed and are sent so to clients that take it.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import { names, takesGzip } from "../internal/Page.ts"

/** A file, compressed by gzip. */
export interface Asset {
  readonly type: string
  readonly etag: string
  readonly gzip: Uint8Array<ArrayBuffer>
}

export interface Options {
  /**
   * Where the page is, such as `/handset`; it is redirected to `/handset/`, below which its relative addresses are
   * right.
   */
  readonly path: `/${string}`
  readonly files: ReadonlyMap<string, Asset>
  readonly headers: Readonly<Record<string, string>>
}

export const layer = ({ files, headers, path }: Options): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const index = files.get("index.html")
      if (index === undefined) return yield* Effect.die(new Error("a page has an index.html"))
      const directory = path.slice(path.lastIndexOf("/") + 1)
      // The router treats both as one path: only the request's address distinguishes them.
      const page = Effect.flatMap(HttpServerRequest, ({ url }) =>
        /\/(?:\?|$)/.test(url)
          ? answer(index, headers)
          : Effect.succeed(
              HttpServerResponse.empty({ status: 308, headers: { ...headers, location: `${directory}/` } })
            )
      )
      yield* router.add("GET", path, page)
      for (const [name, file] of files) yield* router.add("GET", `${path}/${name}`, answer(file, headers))
    })
  )

const answer = (asset: Asset, common: Options["headers"]) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest
    const { body, headers: own, status } = yield* sent(asset, common, headers)
    return body === null
      ? HttpServerResponse.empty({ status, headers: own })
      : HttpServerResponse.uint8Array(body, { contentType: asset.type, headers: own })
  })

/**
 * The answer that has a file: 304 to a client that has it.
 *
 * @param given the headers of the request
 */
export const sent = ({ etag, gzip, type }: Asset, common: Options["headers"], given: Given): Effect.Effect<Sent> =>
  Effect.promise(async () => {
    const headers = { ...common, etag, vary: "accept-encoding", "content-type": type }
    if (names(given["if-none-match"] ?? "", etag)) return { status: 304, headers, body: null }
    if (takesGzip(given["accept-encoding"] ?? "")) {
      return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: gzip }
    }
    const plain = new Response(new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip")))
    return { status: 200, headers, body: new Uint8Array(await plain.arrayBuffer()) }
  })

type Given = Readonly<Record<string, string | undefined>>

interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}
