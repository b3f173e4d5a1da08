/**
 * The order in which the carriers of a route are asked for one message. Pure.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Ranking } from "./Quality.ts"
import type { Choose } from "./RouteTable.ts"

/** A carrier of a route at the time of a message. */
export interface Candidate {
  readonly carrier: string
  readonly weight: number
  /** Micro-euros for a part or a call; null if its costs are not known. */
  readonly cost: MicroEuros | null
  /** Why it is not asked; null if it may be. */
  readonly out: Out | null
  /** Whether an earlier send of the same code has left over it, so that another is better. */
  readonly isUsed: boolean
}

export type Out =
  | "is drained"
  | "is not connected"
  | "rests after refusals"
  | "is not set up"
  | "costs too much"
  | "was used by an earlier step"

export interface Chosen {
  /** The carriers to ask, in this order. */
  readonly carriers: ReadonlyArray<string>
  /** How they were chosen, in words for operators, such as `cheapest; acme is drained`. */
  readonly choice: string
}

/**
 * @param draw a number from 0 to 1, evenly distributed; only `weight` draws
 * @param ranked the carriers that are not out, best first, and how the order was found; only for `best`
 */
export const choose = (
  by: Choose,
  candidates: ReadonlyArray<Candidate>,
  draw: () => number,
  ranked: Ranking | null = null
): Chosen => {
  const open = candidates.filter(({ out }) => out === null)
  const ordered = inOrder(by, open, draw, ranked)
  const unused = ordered.filter(({ isUsed }) => !isUsed)
  const used = ordered.filter(({ isUsed }) => isUsed)
  const notes = [
    ...(ranked === null ? [] : [ranked.said]),
    ...candidates.flatMap(({ carrier, out }) => (out === null ? [] : [`${carrier} ${out}`])),
    ...(unused.length > 0 ? used.map(({ carrier }) => `${carrier} was used before`) : [])
  ]
  return { carriers: [...unused, ...used].map(({ carrier }) => carrier), choice: [by, ...notes].join("; ") }
}

const inOrder = (
  by: Choose,
  open: ReadonlyArray<Candidate>,
  draw: () => number,
  ranked: Ranking | null
): ReadonlyArray<Candidate> => {
  switch (by) {
    case "order":
      return open
    case "weight":
      return drawn(open, draw)
    case "cheapest":
      return open.toSorted((one, other) => costOf(one) - costOf(other))
    case "best":
      return ranked === null ? open : open.toSorted(byPlace(ranked.carriers))
  }
}

const byPlace =
  (names: ReadonlyArray<string>) =>
  (one: Candidate, other: Candidate): number =>
    names.indexOf(one.carrier) - names.indexOf(other.carrier)

const costOf = ({ cost }: Candidate): number => cost ?? Number.MAX_SAFE_INTEGER

/** Draws one after the other by their weights. Carriers with the weight 0 come last, in their order. */
const drawn = (open: ReadonlyArray<Candidate>, draw: () => number): ReadonlyArray<Candidate> => {
  const left = open.filter(({ weight }) => weight > 0)
  const order: Array<Candidate> = []
  while (left.length > 1) {
    let at = draw() * left.reduce((sum, { weight }) => sum + weight, 0)
    const index = left.findIndex(({ weight }) => (at -= weight) < 0)
    order.push(...left.splice(index === -1 ? left.length - 1 : index, 1))
  }
  return [...order, ...left, ...open.filter(({ weight }) => weight <= 0)]
}
