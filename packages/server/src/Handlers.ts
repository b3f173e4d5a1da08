/**
 * What answers the contract's endpoints: for each group one function an endpoint, by the contract's names. They are
 * asked when it is settled who asks, and that they may.
 */
import type { BadRequest, BusyHere, Decline, ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import type { RequestKeys } from "@watchword/send/Claims"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { ApiRequest } from "./ApiRequest.ts"
import { requestKeys } from "./RequestKeys.ts"

export interface Asked {
  readonly request: ApiRequest
  readonly principal: Principal
  /** The record that the path names, as `:uuid` or `:messageId`; empty where a path names none. */
  readonly id: string
}

export type EndpointHandler<A, E> = (asked: Asked) => Effect.Effect<A, E>

/**
 * What every handler may fail with: a store's failure is answered 503. Only calls are busy or declined: a gateway that
 * says so of a text or a code is at fault.
 */
type Always = StoreError | Unauthorized | ServiceUnavailable | BusyHere | Decline

/** The handlers of a group, which answer what the contract says, and fail with what it declares. */
export type Handlers<Group> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: EndpointHandler<
    HttpApiEndpoint.Success<Endpoint>["Type"],
    HttpApiEndpoint.Error<Endpoint>["Type"] | Always
  >
}

/** A handler of what a body says. */
export const told =
  <B, A, E>(
    decode: (request: ApiRequest) => Effect.Effect<B, BadRequest>,
    run: (principal: Principal, body: B) => Effect.Effect<A, E>
  ): EndpointHandler<A, E | BadRequest> =>
  ({ principal, request }) =>
    Effect.flatMapEager(decode(request), (body) => run(principal, body))

/** A handler of a send, which is told from a repeat by the ids that the client gave it. */
export const sending =
  <B, A, E>(
    decode: (request: ApiRequest) => Effect.Effect<B, BadRequest>,
    send: (principal: Principal, body: B, keys: RequestKeys) => Effect.Effect<A, E>
  ): EndpointHandler<A, E | BadRequest> =>
  ({ principal, request }) =>
    Effect.flatMapEager(decode(request), (body) =>
      Effect.flatMapEager(requestKeys(request), (keys) => send(principal, body, keys))
    )

/** A handler that changes nothing, so that a host may give it up when the client has gone. */
export const reading =
  <A, E>(handler: EndpointHandler<A, E>): EndpointHandler<A, E> =>
  (asked) =>
    Effect.interruptible(handler(asked))
