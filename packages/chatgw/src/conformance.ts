/**
 * The conformance suite of chat gateways.
 *
 * ```ts
 * import { cases } from "@watchword/chatgw/conformance"
 *
 * for (const { name, check } of cases({ start, numbers })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, bind } from "@watchword/conformance"
import * as Effect from "effect/Effect"
import type { Harness } from "./conformance/Harness.ts"
import { clientOf } from "./conformance/client.ts"
import { codes } from "./conformance/codes.ts"
import { requests } from "./conformance/requests.ts"

export type { Harness, Numbers, Started } from "./conformance/Harness.ts"

export const cases = ({ start, numbers }: Harness): ReadonlyArray<Case> =>
  bind(
    Effect.map(start, (started) => clientOf(started, numbers)),
    [...codes, ...requests]
  )
