/**
 * A process that places a call, hands over the record that it would store, and is then killed. Its argument is the
 * trunk's URL.
 */
import { fromUrls, make } from "@watchword/call/sip"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

await Effect.gen(function* () {
  const gateway = yield* make(yield* Effect.fromResult(fromUrls(process.argv[2] ?? "")))
  const delivery = nextDeliveryId(Date.now())
  const call = { delivery, caller: E164.make("+4930901820123"), callee: E164.make("+4915123456789"), maxRing: 60 }
  yield* gateway.dial(call, (dialog) => Effect.sync(() => void process.send?.({ delivery, dialog })))
  process.send?.("ringing")
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise)
