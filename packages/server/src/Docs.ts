/**
 * The documentation of the interface as pages. A module of its own, because the page has its scripts in it and loads
 * nothing from elsewhere.
 */
import { Api, describeWhole } from "@watchword/api/Api"
import type { Channel } from "@watchword/send/channel/Channel"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Page from "./internal/Page.ts"
import { startHere } from "./internal/startHere.ts"

export interface Options {
  /** Where the interface is, as a browser reaches it: a path such as `/v1` or a whole address. */
  readonly baseUrl: string
  /** Channels beside those that come with Watchword. */
  readonly channels?: ReadonlyArray<Pick<Channel, "group" | "events">>
}

/** `GET /openapi.json` and `GET /docs`, for the `pages` of `Operations`. */
export const layer = ({ baseUrl, channels = [] }: Options): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const [first, ...others] = channels.map(({ group }) => group)
  if (first === undefined) return pages(Api, baseUrl)
  const own = Object.fromEntries(channels.flatMap(({ events }) => Object.entries(events?.own ?? {})))
  return pages(Api.add(first, ...others).annotate(OpenApi.Transform, describeWhole(own)), baseUrl)
}

const pages = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string
) => {
  const api = contract.annotate(OpenApi.Servers, [{ url: baseUrl }]).annotate(OpenApi.Description, startHere(baseUrl))
  const document = Effect.sync(() => ({
    contentType: "application/json",
    text: JSON.stringify(OpenApi.fromApi(api))
  }))
  return Layer.merge(
    Page.layer("/openapi.json", document),
    Page.layer("/docs", swagger(api), { "content-security-policy": policyOf(baseUrl) })
  )
}

/** The page of Swagger UI, with its scripts and styles in it: two megabytes, which are loaded here. */
const swagger = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  Effect.gen(function* () {
    const { dispose, handler } = HttpRouter.toWebHandler(HttpApiSwagger.layer(api, { path: "/" }), {
      disableLogger: true
    })
    const response = yield* Effect.promise(() => handler(new Request("http://localhost/")))
    const text = yield* Effect.promise(() => response.text())
    yield* Effect.promise(dispose)
    return { contentType: "text/html; charset=utf-8", text }
  })

/** The page's own inline scripts and images, and requests to the interface. */
const policyOf = (baseUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    `connect-src ${baseUrl.startsWith("/") ? "'self'" : new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
