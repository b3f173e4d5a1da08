/**
 * A host's request in the shape that Effect's router and tracer read. Only what they need is built, and only when they
 * look at it: bodies are read through `host`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ApiRequest, headerOf } from "./ApiRequest.ts"
import type { HostRequest, HostResponse } from "./Host.ts"

const unanswered: HostResponse = { status: 500, headers: {}, body: null }

export class ServerRequest extends ApiRequest implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly url: string
  readonly protocol = undefined

  /** The answer for the host; this until the routes have answered. */
  answer: HostResponse = unanswered

  private allHeaders: Headers.Headers | undefined

  constructor(host: HostRequest, url: string = host.path) {
    super(host)
    this.url = url
  }

  get source(): HostRequest {
    return this.host
  }

  get originalUrl(): string {
    return this.host.path
  }

  // Only tracers look at them.
  get headers(): Headers.Headers {
    return (this.allHeaders ??= Headers.fromInput(
      Object.keys(this.host.headers).map((name): [string, string] => [name, headerOf(this.host, name) ?? ""])
    ))
  }

  get cookies(): Readonly<Record<string, string>> {
    return Cookies.parseHeader(headerOf(this.host, "cookie") ?? "")
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullishOr(this.host.remoteAddress)
  }

  get peerAddress(): Option.Option<string> {
    return this.remoteAddress
  }

  modify(options: { readonly url?: string }): ServerRequest {
    return new ServerRequest(this.host, options.url ?? this.url)
  }

  get text() {
    return this.unsupported
  }

  get json() {
    return this.unsupported
  }

  get arrayBuffer() {
    return this.unsupported
  }

  get urlParamsBody() {
    return this.unsupported
  }

  get upgrade() {
    return this.unsupported
  }

  upgradeWith() {
    return this.unsupported
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError> {
    return Stream.fromEffect(this.unsupported)
  }

  get multipart(): Effect.Effect<never, Multipart.MultipartError> {
    return Effect.mapError(this.unsupported, (cause) => Multipart.MultipartError.fromReason("InternalError", cause))
  }

  get multipartStream(): Stream.Stream<never, Multipart.MultipartError> {
    return Stream.fromEffect(this.multipart)
  }

  private get unsupported(): Effect.Effect<never, HttpServerError> {
    return Effect.fail(
      new HttpServerError({
        reason: new RequestParseError({ request: this, description: "bodies are read through the host's request" })
      })
    )
  }
}

/** The request that is being answered. */
export const current: Effect.Effect<ServerRequest, never, HttpServerRequest.HttpServerRequest> = Effect.contextWith(
  (context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    return request instanceof ServerRequest ? Effect.succeed(request) : Effect.die(new Error("not a request of a host"))
  }
)
