import { type Place, directionOf } from "@watchword/store/Account"
import type { AccountRow, EntryRow } from "@watchword/store/Snapshots"
import { type Violation, violation } from "./Violation.ts"

interface Sums {
  available: number
  held: number
}

/** The sum of each account's entries, in micro-euros. */
export class Balances {
  readonly #sums = new Map<string, Sums>()

  add({ account, amount, kind }: EntryRow): void {
    const sums = this.#sums.get(account) ?? { available: 0, held: 0 }
    const moved = (place: Place): number =>
      (directionOf[kind].to === place ? amount : 0) - (directionOf[kind].from === place ? amount : 0)
    this.#sums.set(account, { available: sums.available + moved("available"), held: sums.held + moved("held") })
  }

  check({ account, available, held }: AccountRow): ReadonlyArray<Violation> {
    const sums = this.#sums.get(account) ?? { available: 0, held: 0 }
    return [
      ...(sums.available === available && sums.held === held
        ? []
        : [
            violation(
              "balance",
              account,
              `${available} available and ${held} held, but entries sum to ${sums.available} and ${sums.held}`
            )
          ]),
      ...(available < 0 || held < 0
        ? [violation("not-negative", account, `${available} available and ${held} held`)]
        : [])
    ]
  }
}
