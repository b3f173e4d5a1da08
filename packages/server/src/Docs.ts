/**
 * The documentation of the interface as pages. A module of its own, because the page has its scripts in it and loads
 * nothing from elsewhere.
 */
import { Api } from "@watchword/api/Api"
import type { Channel } from "@watchword/channel/Channel"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"

export interface Options {
  /** Where the interface is, as a browser reaches it: a path such as `/v1` or a whole address. */
  readonly baseUrl: string
  /** Channels beside those that come with Watchword. */
  readonly channels?: ReadonlyArray<Pick<Channel, "group">>
}

/** `GET /openapi.json` and `GET /docs`, for the `pages` of `Operations`. */
export const layer = ({ baseUrl, channels = [] }: Options): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const [first, ...others] = channels.map(({ group }) => group)
  return first === undefined ? pages(Api, baseUrl) : pages(Api.add(first, ...others), baseUrl)
}

const pages = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string
) => {
  const api = contract.annotate(OpenApi.Servers, [{ url: baseUrl }])
  const document = Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))
  const swagger = Layer.provide(HttpApiSwagger.layer(api, { path: "/*" }), selfContained(baseUrl))
  return Layer.merge(
    HttpRouter.add("GET", "/openapi.json", document),
    // Built on the first request, because building loads two megabytes.
    HttpRouter.add("GET", "/docs", Effect.orDie(Effect.flatten(HttpRouter.toHttpEffect(swagger))))
  )
}

// The page's policy: its own inline scripts and images, and requests to the interface.
const selfContained = (baseUrl: string) => {
  const policy = [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    `connect-src ${baseUrl.startsWith("/") ? "'self'" : new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
  return HttpRouter.middleware((page) =>
    Effect.map(page, HttpServerResponse.setHeader("content-security-policy", policy))
  ).layer
}
