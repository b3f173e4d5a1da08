/**
 * The conformance suite of chat gateways.
 *
 * ```ts
 * import { cases } from "@watchword/chatgw/conformance"
 *
 * for (const { name, check } of cases({ start, numbers })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, bind } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import type { Harness } from "./internal/conformance/Harness.ts"
import { clientOf } from "./internal/conformance/client.ts"
import { codes } from "./internal/conformance/codes.ts"
import { requests } from "./internal/conformance/requests.ts"

export type { Harness, Numbers, Started } from "./internal/conformance/Harness.ts"

export const cases = ({ start, numbers }: Harness): ReadonlyArray<Case> =>
  bind(
    Effect.map(start, (started) => clientOf(started, numbers)),
    [...codes, ...requests]
  )
