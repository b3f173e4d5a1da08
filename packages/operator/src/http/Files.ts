/**
 * The files of a page below any prefix: the last part of a path is the name of a file.
 */
import * as Effect from "effect/Effect"
import type { HostResponse } from "@watchword/server/Host"
import { type ApiRequest, headerOf } from "@watchword/server/http"
import { type Asset, sent } from "@watchword/server/http"
import { envelope, noEndpoint } from "@watchword/server/http"
import { wrongMethod } from "@watchword/server/http"

export interface Page {
  readonly files: ReadonlyMap<string, Asset>
  readonly headers: Readonly<Record<string, string>>
}

/** @param page null if there is no page */
export const answer = (page: Page | null, request: ApiRequest): Effect.Effect<HostResponse> => {
  if (page === null) return Effect.succeed(envelope(noEndpoint, request))
  const [path = ""] = request.host.path.split("?", 1)
  const name = path.slice(path.lastIndexOf("/") + 1)
  const file = page.files.get(name === "" ? "index.html" : name)
  if (request.method !== "GET") return Effect.succeed(wrongMethod(request, ["GET"]))
  if (file !== undefined) {
    const given = ["accept-encoding", "if-none-match"].map((name) => [name, headerOf(request.host, name) ?? undefined])
    return sent(file, page.headers, Object.fromEntries(given))
  }
  // The page's own addresses are relative to its folder.
  return Effect.succeed(
    FOLDER.test(name)
      ? { status: 308, headers: { ...page.headers, location: `${name}/` }, body: null }
      : envelope(noEndpoint, request)
  )
}

const FOLDER = /^[\w-]+$/
