/**
 * The reference of the interface: the OpenAPI document, and a page built from it. The page loads nothing from
 * elsewhere.
 */
import { Api, describeWhole } from "@watchword/api/Api"
import type { Channel } from "@watchword/send/channel/Channel"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Page from "./internal/Page.ts"
import { page } from "./internal/pages/dress.ts"
import { fields } from "./internal/pages/reference/Json.ts"
import { bodyOf } from "./internal/pages/reference/body.ts"
import { STYLE, scriptOf } from "./internal/pages/reference/looks.ts"
import { startHere } from "./internal/startHere.ts"

export interface Options {
  /** Where the interface is, as a browser reaches it: a path such as `/v1` or a whole address. */
  readonly baseUrl: string
  /** Channels in addition to Watchword's own. */
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
  const description = startHere(baseUrl)
  const api = contract.annotate(OpenApi.Servers, [{ url: baseUrl }]).annotate(OpenApi.Description, description)
  const document = Effect.sync(() => OpenApi.fromApi(api))
  const json = Effect.map(document, (whole) => ({ contentType: "application/json", text: JSON.stringify(whole) }))
  const html = Effect.flatMap(document, (whole) =>
    page(
      {
        title: "Watchword reference",
        style: STYLE,
        script: scriptOf(baseUrl),
        body: bodyOf(fields(whole), description, baseUrl)
      },
      "'self'"
    )
  )
  return Layer.merge(Page.layer("/openapi.json", json), Page.layer("/docs", html))
}
