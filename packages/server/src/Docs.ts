/**
 * The interface's documentation as pages. In a module of its own, because the page brings its scripts
 * along: it loads nothing from anywhere else.
 */
import { Api } from "@watchword/api/Api"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"

export interface Options {
  /** Where the interface is, as a browser reaches it: a path such as `/v1` or a whole address. */
  readonly baseUrl: string
}

/** `GET /openapi.json` and `GET /docs`, for the `pages` of `Operations`. */
export const layer = (options: Options): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const api = Api.annotate(OpenApi.Servers, [{ url: options.baseUrl }])
  const document = Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))
  const swagger = Layer.provide(HttpApiSwagger.layer(api, { path: "/*" }), selfContained(options.baseUrl))
  return Layer.merge(
    HttpRouter.add("GET", "/openapi.json", document),
    // To build the layer loads two megabytes, which only those who look at the page shall wait for.
    HttpRouter.add("GET", "/docs", Effect.orDie(Effect.flatten(HttpRouter.toHttpEffect(swagger))))
  )
}

// What the page may load: its own inline scripts and images, and the interface it tries out.
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
