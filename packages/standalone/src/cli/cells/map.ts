/**
 * The command that prints the map by which a proxy finds the cell of an account.
 */
import { AccountId } from "@watchword/schemas/Ids"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Server, ask } from "../remote.ts"
import { explained, mistake, print } from "../root.ts"
import { Place } from "../where.ts"

const accountList = { name: ["account", "list"], absent: {} }

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    accounts: Schema.Array(Schema.Struct({ account_id: AccountId, suspended_at: Schema.NullOr(Schema.String) }))
  })
)

interface Found {
  readonly account: string
  readonly cell: string
  /** When it was suspended, in ISO 8601; null if it acts. */
  readonly suspendedAt: string | null
}

/** The accounts of a cell. Fails where it cannot be reached: a map without them would send them elsewhere. */
const accountsOf = (cell: string, server: Server) =>
  Effect.gen(function* () {
    const { json } = yield* ask(server, accountList, {}, "json")
    const { accounts } = yield* Effect.mapError(decode(json), () => mistake(`${cell} answered no list of accounts.`))
    return accounts.map(({ account_id, suspended_at }): Found => ({
      account: account_id,
      cell,
      suspendedAt: suspended_at
    }))
  })

/**
 * The cell of an account: of several, the one where it acts, or the last one in which it acted if all are suspended.
 */
const cellOf = (account: string, found: ReadonlyArray<Found>) => {
  const acting = found.filter(({ suspendedAt }) => suspendedAt === null)
  const [one, another] = acting.length === 0 ? found.toSorted(newestFirst).slice(0, 1) : acting
  if (another === undefined) return Effect.succeed(one?.cell ?? "")
  const cells = found.map(({ cell }) => cell).join(" and ")
  return Effect.fail(mistake(`Account ${account} is in ${cells}: suspend it in all of them but one.`))
}

const newestFirst = (a: Found, b: Found): number => ((a.suspendedAt ?? "") < (b.suspendedAt ?? "") ? 1 : -1)

const map = Command.make("map", {}, () =>
  Effect.gen(function* () {
    const cells = yield* Place
    if (cells === "here" || "url" in cells)
      return yield* mistake("cells map needs --cells FILE, the file of the cells, before it.")
    const found = yield* Effect.forEach(cells, ([cell, server]) => accountsOf(cell, server), {
      concurrency: "unbounded"
    })
    const byAccount = Map.groupBy(found.flat(), ({ account }) => account)
    const lines = yield* Effect.forEach(
      [...byAccount].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ([account, found]) => Effect.map(cellOf(account, found), (cell) => [account, cell] as const)
    )
    yield* print(
      { accounts: Object.fromEntries(lines) },
      lines.map(([account, cell]) => `${account} ${cell}`)
    )
  }).pipe(explained)
).pipe(Command.withDescription("Print the cell of each account, as a map file of HAProxy or nginx has it"))

export const cells = Command.make("cells").pipe(
  Command.withDescription("Several installations behind one proxy"),
  Command.withSubcommands([map])
)
