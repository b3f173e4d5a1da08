/**
 * Answers in the shape that Effect's servers write.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { type HostResponse, isStream } from "../Host.ts"

export const toResponse = ({ body, headers, status }: HostResponse): HttpServerResponse.HttpServerResponse => {
  if (body === null) return HttpServerResponse.empty({ status, headers })
  const contentType = headers["content-type"] ?? "application/octet-stream"
  if (isStream(body)) {
    const pieces = Stream.orDie(Stream.fromAsyncIterable(body, (error) => error))
    return HttpServerResponse.stream(pieces, { status, headers, contentType })
  }
  return typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType })
    : HttpServerResponse.uint8Array(body, { status, headers, contentType })
}
