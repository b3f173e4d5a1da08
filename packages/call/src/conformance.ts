/**
 * The conformance suite of call gateways. Cases run on the real clock.
 *
 * ```ts
 * import { cases } from "@watchword/call/conformance"
 *
 * for (const { name, check } of cases({ start })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, bind } from "@watchword/store/checks"
import type { Harness } from "./internal/conformance/Harness.ts"
import { inbound } from "./internal/conformance/inbound.ts"
import { outcomes } from "./internal/conformance/outcomes.ts"
import { recovery } from "./internal/conformance/recovery.ts"
import { safety } from "./internal/conformance/safety.ts"

export type { Harness, Network, Scenario, Started } from "./internal/conformance/Harness.ts"

export const cases = ({ start }: Harness): ReadonlyArray<Case> =>
  bind(start, [...outcomes, ...safety, ...recovery, ...inbound])
