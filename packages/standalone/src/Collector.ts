/**
 * Sends traces, metrics and logs to a collector by OTLP.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"

export const layer = (baseUrl: string): Layer.Layer<never> =>
  Otlp.layerJson({ baseUrl, resource: { serviceName: "watchword" } }).pipe(Layer.provide(FetchHttpClient.layer))
