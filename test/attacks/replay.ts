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

export const table = (results: ReadonlyArray<Result>): string =>
  [
    "| attack | rules | sent | refused | cost of all sends | users refused |",
    "|---|---|---|---|---|---|",
    ...results.map(
      ({ attack, cost, guarded, refused, sent, users, usersRefused }) =>
        `| ${attack} | ${guarded ? "yes" : "no"} | ${sent} | ${refused} | ${cost.toFixed(2)} EUR | ${usersRefused} of ${users} |`
    )
  ].join("\n")

if (import.meta.main) {
  const results: Array<Result> = []
  for (const attack of attacks) {
    for (const guarded of [false, true]) results.push(await replay(attack, guarded))
  }
  console.log(table(results))
}
