/**
 * Replays attacks on a running service, without rules and with them. `node test/attacks/replay.ts` prints the table of
 * docs/attacks.md.
 */
import { type Attack, attacks } from "./attacks.ts"
import { open } from "./service.ts"

export interface Result {
  readonly attack: string
  readonly guarded: boolean
  /** Requests of the attacker that were sent, and that were refused. */
  readonly sent: number
  readonly refused: number
  /** Of all sends, in EUR. */
  readonly cost: number
  readonly users: number
  readonly usersRefused: number
}

export const replay = async ({ name, play, rules }: Attack, guarded: boolean): Promise<Result> => {
  const world = await open(guarded ? rules : "none")
  try {
    await play(world)
    const { attacker, users } = world
    return {
      attack: name,
      guarded,
      sent: attacker.sent,
      refused: attacker.refused,
      cost: await world.spent(),
      users: users.sent + users.refused,
      usersRefused: users.refused
    }
  } finally {
    await world.close()
  }
}

/** Each attack in a row, from its results without rules and with them. */
const table = (results: ReadonlyArray<readonly [bare: Result, guarded: Result]>): string =>
  [
    "| attack | without rules: sent, cost of all sends | with rules: sent, refused, cost | users refused |",
    "|---|---|---|---|",
    ...results.map(([bare, { attack, cost, refused, sent, users, usersRefused }]) => {
      const [without, guarded] = [`${bare.sent}, ${euros(bare.cost)}`, `${sent}, ${refused}, ${euros(cost)}`]
      return `| ${attack} | ${without} | ${guarded} | ${usersRefused} of ${users} |`
    })
  ].join("\n")

const euros = (amount: number): string => `${amount.toFixed(2)} EUR`

if (import.meta.main) {
  const results: Array<readonly [Result, Result]> = []
  for (const attack of attacks) results.push([await replay(attack, false), await replay(attack, true)])
  console.log(table(results))
}
