/**
 * Requests of the sandbox's chat gateway, kept in the details of their deliveries: all processes on one store simulate
 * the same gateway. Codes are kept as salted hashes only.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const since = <S extends Schema.Top>(status: S) => Schema.Struct({ status, updatedAt: Schema.Int })

const Request = Schema.Struct({
  /** Of the code, see {@link seal}. */
  sealed: Schema.String,
  /** Milliseconds since the epoch. */
  expiresAt: Schema.Int,
  wrongCodes: Schema.Int,
  delivery: since(Schema.Literals(["sent", "delivered", "read", "expired", "revoked", "failed"])),
  verification: Schema.NullOr(
    since(Schema.Literals(["code_valid", "code_invalid", "code_max_attempts_exceeded", "expired"]))
  ),
  isRefunded: Schema.Boolean
})

/** One request. */
export type ChatRequest = typeof Request.Type

/** Changes the request of a delivery. */
export type Change = (request: ChatRequest, delivery: Delivery) => ChatRequest

export interface ChatgwRequests {
  /** A request as it is now. */
  readonly find: (requestId: string) => Effect.Effect<Option.Option<ChatRequest>, StoreError>
  /** Changes a request by compare-and-set, and gives it as it is then. */
  readonly change: (requestId: string, change: Change) => Effect.Effect<Option.Option<ChatRequest>, StoreError>
}

/** The detail of a delivery that has its request. */
const DETAIL = "sandbox"

interface Stored {
  readonly delivery: Delivery
  readonly json: string
  readonly request: ChatRequest
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Request))

export const make: Effect.Effect<ChatgwRequests, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const read = Effect.fnUntraced(function* (requestId: string): Effect.fn.Return<Option.Option<Stored>, StoreError> {
    const found = yield* store.findByRef({ channel: "chatgw", ref: requestId })
    return Option.flatMap(found, (delivery) => {
      const json = String(delivery.details[DETAIL])
      return Option.map(decode(json), (request) => ({ delivery, json, request }))
    })
  })

  const change = Effect.fnUntraced(function* (
    requestId: string,
    by: Change
  ): Effect.fn.Return<Option.Option<ChatRequest>, StoreError> {
    for (;;) {
      const stored = yield* read(requestId)
      if (Option.isNone(stored)) return Option.none()
      const { delivery, json, request } = stored.value
      const changed = by(request, delivery)
      if (changed === request) return Option.some(request)
      const at = yield* Clock.currentTimeMillis
      const result = yield* store.report(about(delivery.id, at, { when: { [DETAIL]: json }, details: keep(changed) }))
      if (result._tag === "Moved") return Option.some(changed)
    }
  })

  return {
    find: (requestId) =>
      Effect.map(
        read(requestId),
        Option.map(({ request }) => request)
      ),
    change
  }
})

/** A request as details of its delivery. */
export const keep = (request: ChatRequest): { readonly [DETAIL]: string } => ({ [DETAIL]: JSON.stringify(request) })

const encoder = new TextEncoder()

/** The hash of a code, salted with the request's id. */
export const seal = (requestId: string, code: Redacted.Redacted): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", encoder.encode(`${requestId}\n${Redacted.value(code)}`))),
    (hash) => Hex.encode(new Uint8Array(hash))
  )
