/**
 * The parts of the customers' interface that other interfaces of the same service share: its keys, its memory for
 * bodies, its log, its metrics and its end.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Authenticate } from "../internal/Authorization.ts"
import type { Answer } from "../internal/Dispatch.ts"
import type { Handle } from "../Host.ts"
import type { WithBody, WithStrangersBody } from "./Bodies.ts"

export interface Shared {
  /** Checks an API key, its account, and the address of the request's client. */
  readonly authenticate: Authenticate
  /** Reads bodies, in the memory that the account of a request has. */
  readonly withBody: WithBody
  /** Reads bodies that authenticate their senders, such as requests for a token. */
  readonly withStrangersBody: WithStrangersBody
  /**
   * A handler whose answers are logged, counted and traced. The closing of its scope waits for its requests.
   *
   * @param refuse answers requests after that
   */
  readonly handlerOf: (answer: Answer, refuse: Handle) => Effect.Effect<Handle, never, Scope>
}

export class Entrance extends Context.Service<Entrance, Shared>()("@watchword/server/http/Entrance") {}
