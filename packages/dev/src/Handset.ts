/**
 * The handset's pages, and the session that they ask for.
 */
import { handsetPage } from "@watchword/console"
import { Assets } from "@watchword/server/http"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"

/** The page's credentials; null if it asks its user for a sandbox key. */
export type Credentials = { readonly account: string; readonly key: string } | null

/** @param basePath the interface's path, which is below the same prefix as the page if a proxy puts one before both */
export const layer = (basePath: string, credentials: Credentials = null) =>
  Layer.merge(
    Assets.layer({ path: "/handset", ...handsetPage }),
    // Pages of other origins cannot read the answer: there is no CORS, and a browser says which site asks.
    HttpRouter.add(
      "GET",
      "/handset/session",
      Effect.map(HttpServerRequest, ({ headers }) => {
        const site = headers["sec-fetch-site"]
        const isOwn = site === undefined || site === "same-origin"
        const session = { base_path: basePath, ...(isOwn ? credentials : null) }
        return HttpServerResponse.jsonUnsafe(session, { headers: { "cache-control": "no-store" } })
      })
    )
  )
