/**
 * The conformance suite of SMS gateways. Cases run on the real clock, and take as long as the gateway's receipts
 * and time limits do.
 *
 * @example
 * ```ts
 * import { smsSandbox } from "@watchword/sandbox/simulator"
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { cases } from "@watchword/sms/conformance"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as Settings from "@watchword/store/Settings"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { describe, it } from "vitest"
 *
 * // The sandbox reads the phones of its account, which are settings.
 * const settings = Layer.provideMerge(Settings.layer, memory())
 * const start = smsSandbox.pipe(Effect.provide(settings))
 * const delivered = E164.make("+4915123456789")
 * const numbers = { delivered, undelivered: null, refused: null, silent: null, late: null }
 *
 * describe("the sandbox", () => {
 *   for (const { name, check } of cases({ start, numbers })) it(name, () => Effect.runPromise(check))
 * })
 * ```
 */
import { type Case, bind, group } from "@watchword/store/checks"
import type { Harness } from "./internal/conformance/Harness.ts"
import { events } from "./internal/conformance/events.ts"
import { send } from "./internal/conformance/send.ts"

export type { Harness, Numbers, Started } from "./internal/conformance/Harness.ts"

export const cases = ({ start, numbers, patience = "5 seconds" }: Harness): ReadonlyArray<Case> =>
  bind(start, [...group("send", send(numbers, patience)), ...group("events", events(numbers, patience))])
