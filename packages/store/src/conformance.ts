/**
 * The suite that every store must pass: each sentence of the port's comments, the races among them, and
 * random histories. It belongs to no test runner.
 *
 * @example
 * ```ts
 * import * as Conformance from "@watchword/store/conformance"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import { describe, it } from "vitest"
 *
 * describe("MemoryStore", () => {
 *   for (const { check, name } of Conformance.cases(MemoryStore.manifest)) {
 *     it(name, () => Effect.runPromise(check(MemoryStore.layer)))
 *   }
 * })
 * ```
 */
import { accounts } from "./conformance/accounts.ts"
import type { Case } from "./conformance/Case.ts"
import { claims } from "./conformance/claims.ts"
import { close } from "./conformance/close.ts"
import { clustering, durability, sharing } from "./conformance/durability.ts"
import { histories } from "./conformance/histories.ts"
import { lists } from "./conformance/lists.ts"
import { money } from "./conformance/money.ts"
import { open } from "./conformance/open.ts"
import { openClosed } from "./conformance/openClosed.ts"
import { parked } from "./conformance/parked.ts"
import { processes, succession } from "./conformance/processes.ts"
import { records } from "./conformance/records.ts"
import { refunds } from "./conformance/refunds.ts"
import { report } from "./conformance/report.ts"
import { spellings } from "./conformance/spellings.ts"
import type { Manifest } from "./Store.ts"

export type { Case } from "./conformance/Case.ts"

/** The cases for a store that can do what its manifest says. Each needs data of its own, empty at first. */
export const cases = (manifest: Manifest): ReadonlyArray<Case> => [
  ...accounts,
  ...money,
  ...open,
  ...claims,
  ...close,
  ...openClosed,
  ...report,
  ...spellings,
  ...parked,
  ...refunds,
  ...processes,
  ...records,
  ...lists,
  ...histories,
  ...(manifest.durable ? durability : []),
  ...(manifest.shared ? sharing : []),
  ...(manifest.cluster ? clustering : succession)
]
