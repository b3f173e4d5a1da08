/**
 * Who calls, and who vouches for that.
 */
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { test } from "../../../../../test/live.ts"
import { until } from "../fixture.ts"
import { CALLER, OURS, listening } from "./fixture.ts"

const receives = `receives=${OURS}`
const trusted = `${receives};trusted=yes`
const other = "+4916012345678"
const anonymous = '"Anonymous" <sip:anonymous@anonymous.invalid>'

const rows = [
  ["From of any trunk is claimed", receives, CALLER, [], CALLER, "claimed"],
  ["From of a trusted trunk is claimed, too", trusted, CALLER, [], CALLER, "claimed"],
  ["asserted by a trusted trunk is certain, whatever From says", trusted, other, [CALLER], CALLER, "network"],
  ["asserted by another trunk counts less than From", receives, CALLER, [other], CALLER, "claimed"],
  ["asserted by another trunk counts where From is anonymous", receives, anonymous, [CALLER], CALLER, "claimed"],
  ["asserted by a trusted trunk counts where From is anonymous", trusted, anonymous, [CALLER], CALLER, "network"],
  ["is missing where From is anonymous", trusted, anonymous, [], null, "claimed"]
] as const

for (const [what, parameters, from, asserted, caller, assurance] of rows) {
  test(
    `a caller ${what}`,
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ parameters })
      const headers = asserted.map((number) => `P-Asserted-Identity: "x, y" <sip:${number}@192.0.2.1>`)
      const call = yield* ours.call({ from, headers })
      yield* until(ours.trunk, () => call.status !== 0)
      expect(ours.heard).toEqual([{ _tag: "Called", from: caller, to: OURS, assurance }])
    })
  )
}

const more = [
  ["of the first of two values that is a number", ["P-Asserted-Identity: <sip:pbx@x>, <tel:+49-151-23456789>"], CALLER],
  ["of the second field", ["P-Asserted-Identity: <sip:pbx@x>", `P-Asserted-Identity: <tel:${CALLER}>`], CALLER],
  ["of Remote-Party-ID, where nothing else is there", [`Remote-Party-ID: <sip:${CALLER}@x>;party=calling`], CALLER],
  ["of Remote-Party-ID, unless it is about the callee", [`Remote-Party-ID: <sip:${CALLER}@x>;party=called`], null]
] as const

for (const [what, headers, from] of more) {
  test(
    `a caller is the number ${what}`,
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ parameters: receives })
      const call = yield* ours.call({ from: anonymous, headers })
      yield* until(ours.trunk, () => call.status !== 0)
      expect(ours.heard).toMatchObject([{ from }])
    })
  )
}

test(
  "a number of ours is known in each form, and by To where the request is to an account of ours",
  Effect.fnUntraced(function* () {
    const ours = yield* listening({ parameters: receives })
    for (const uri of ["sip:493023125000@x", "sip:03023125000@x;user=phone", "tel:+49-30-23125000", "sip:client@x"]) {
      const call = yield* ours.call({ uri })
      yield* until(ours.trunk, () => call.status !== 0)
    }
    expect(ours.heard.map(({ to }) => to)).toEqual([OURS, OURS, OURS, OURS])
  })
)
