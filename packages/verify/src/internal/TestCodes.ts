/**
 * Codes of test numbers as settings keep them: sealed under the installation's secret where there is one.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { Place, Seals } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import { type TestNumber, testNumbers } from "./VerifySettings.ts"

const placeOf = (account: AccountId, number: string): Place => ({ owner: account, name: testNumbers.of(number).name })

export const opened = (seals: Seals, account: AccountId, number: string, { code, sealed }: TestNumber) =>
  sealed === undefined ? Effect.succeed<string>(code ?? "") : seals.open(placeOf(account, number), sealed)

/** The fields of a test number that keep its code. */
export const kept = (seals: Seals, account: AccountId, number: string, code: string) =>
  Effect.map(seals.seal(placeOf(account, number), code), (sealed) => (sealed === null ? { code } : { sealed }))
