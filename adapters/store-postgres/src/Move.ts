/**
 * Copies everything that belongs to an account from one schema to another, which may be on another server: its keys,
 * settings, ledger, records, repeated requests and counts.
 *
 * The copy reads one snapshot of the first schema and writes one transaction in the other, so it is complete or absent.
 * Records are copied as history: carriers report to the installation that sent them, so no reference points to a copy,
 * and no event announces it.
 */
import type { AccountId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Client } from "pg"
import * as ConnectionLock from "./ConnectionLock.ts"
import { Failure, failed } from "./failures.ts"
import * as Hosts from "./Hosts.ts"
import { quote } from "./quote.ts"
import { unusable } from "./ServerSettings.ts"

/** A schema of a server. */
export interface Place {
  readonly config: Hosts.Config
  readonly schema: string
}

export interface Copied {
  /** Whether an earlier copy of the same move was already there. */
  readonly isRepeated: boolean
  /** The balance of the copy. */
  readonly available: MicroEuros
  readonly entries: number
  readonly deliveries: number
}

/** The setting of a copy that identifies its move. It is not an account setting. */
const MARK = "moved-from"
/**
 * The account setting that stores its move, and the setting that marks a copy until the money has left the original.
 */
const MOVE = "move"
const ARRIVING = "arriving"

/** The number of rows that are read and written at once. */
const PAGE = 2_000

interface Table {
  readonly name: string
  /** Columns whose values a copy replaces, as SQL. */
  readonly instead: Readonly<Record<string, string>>
  readonly where?: string
}

const tables: ReadonlyArray<Table> = [
  { name: "keys", instead: {} },
  { name: "settings", instead: {}, where: `name NOT IN ('${MOVE}', '${MARK}', '${ARRIVING}')` },
  { name: "entries", instead: {} },
  // Carriers' reports find a record by its reference, and processes find it by its due time.
  { name: "deliveries", instead: { reference: "NULL", due_at: "NULL", watch: "NULL" } },
  { name: "claims", instead: {} },
  { name: "counts", instead: {} }
]

/** The class of the lock, which distinguishes it from other programs' locks: "WWMV". */
const APPLICATION = 0x57574d56

/**
 * Keeps other commands from moving the account until the scope ends: two moves at once would write different debits.
 */
export const alone = ({ config, schema }: Place, account: AccountId): Effect.Effect<void, StoreError, Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      asked(async () => {
        const client = await Hosts.connect({ ...config, query_timeout: 0 })
        if (await ConnectionLock.tryTake(client, APPLICATION, `${schema} ${account}`)) return client
        await client.end()
        throw unusable(`Another command is moving account ${account}.`)
      }),
      (client) => Effect.promise(() => client.end().catch(() => {}))
    )
  )

/** The number of messages and verifications of an account that are in progress, up to a hundred. */
export const underWay = (from: Place, account: AccountId): Effect.Effect<number, StoreError> =>
  asked(() =>
    on(from, async (client, s) => {
      const { rows } = await client.query<{ readonly n: string }>(
        `SELECT count(*) AS n FROM (
           SELECT FROM ${s}.accounts a, ${s}.deliveries d
           WHERE a.id = $1 AND d.account = a.n AND (d.phase < 2 OR d.due_at IS NOT NULL) LIMIT 100
         ) open`,
        [account]
      )
      return Number(rows[0]?.n ?? 0)
    })
  )

/**
 * Copies an account in its suspended state. The entry's id identifies the move: a copy made by another move, or an
 * account that was not copied, is a `StoreError`.
 */
export const copy = (
  { account, from, to }: { readonly account: AccountId; readonly from: Place; readonly to: Place },
  move: EntryId
): Effect.Effect<Copied, StoreError> =>
  asked(() =>
    on(from, (source, s) =>
      inTransaction(source, "ISOLATION LEVEL REPEATABLE READ READ ONLY", () =>
        on(to, (target, t) => inTransaction(target, "", () => copied({ source, s, target, t }, account, move)))
      )
    )
  )

interface Both {
  readonly source: Client
  readonly s: string
  readonly target: Client
  readonly t: string
}

const copied = async ({ s, source, t, target }: Both, account: AccountId, move: EntryId): Promise<Copied> => {
  const there = await summary(target, t, account)
  if (there !== null) {
    const { rows } = await target.query<{ readonly value: string }>(
      `SELECT value FROM ${t}.settings WHERE account = $1 AND name = '${MARK}'`,
      [there.n]
    )
    if (rows[0]?.value !== move)
      throw unusable(`The other database has an account ${account} that was not moved there.`)
    return { ...there, isRepeated: true }
  }
  const before = await summary(source, s, account)
  if (before === null) throw unusable(`There is no account ${account} in the database.`)
  const n = await insertAccount({ s, source, t, target }, account)
  for (const table of tables) await copyTable({ s, source, t, target }, table, before.n, n)
  await target.query(
    `INSERT INTO ${t}.settings (account, name, value) VALUES ($1, '${MARK}', $2), ($1, '${ARRIVING}', 'true')`,
    [n, move]
  )
  const after = await summary(target, t, account)
  if (
    after === null ||
    after.entries !== before.entries ||
    after.deliveries !== before.deliveries ||
    after.sum !== before.sum
  )
    throw unusable(`The copy of account ${account} differs from the original; nothing was changed.`)
  return { ...after, isRepeated: false }
}

interface Summary extends Omit<Copied, "isRepeated"> {
  readonly n: number
  /** The balance according to the ledger. */
  readonly sum: string
}

/** An account with the sum of its ledger; null if the account does not exist. */
const summary = async (client: Client, s: string, account: AccountId): Promise<Summary | null> => {
  const { rows } = await client.query<Summary>(
    `SELECT n, available::float8 AS available,
       (SELECT count(*)::integer FROM ${s}.entries e WHERE e.account = a.n) AS entries,
       (SELECT count(*)::integer FROM ${s}.deliveries d WHERE d.account = a.n) AS deliveries,
       (SELECT coalesce(sum(CASE WHEN kind IN (0, 3, 4) THEN amount WHEN kind IN (1, 5) THEN -amount ELSE 0 END), 0)::text
        FROM ${s}.entries e WHERE e.account = a.n) AS sum
     FROM ${s}.accounts a WHERE id = $1`,
    [account]
  )
  return rows[0] ?? null
}

/** The columns of a table that are copied from its rows. */
const columnsOf = async (client: Client, s: string, table: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = ($1 || '.' || $2)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''
     ORDER BY attnum`,
    [s, table]
  )
  return rows.map(({ name }) => name)
}

const insertAccount = async ({ s, source, t, target }: Both, account: AccountId): Promise<number> => {
  const columns = (await columnsOf(target, t, "accounts")).join(", ")
  const { rows } = await source.query<{ readonly row: string }>(
    `SELECT to_jsonb(a)::text AS row FROM ${s}.accounts a WHERE id = $1 AND suspended_at IS NOT NULL AND held = 0`,
    [account]
  )
  const [found] = rows
  if (found === undefined) throw unusable(`Account ${account} acts again: nothing was copied.`)
  const made = await target.query<{ readonly n: number }>(
    `INSERT INTO ${t}.accounts (${columns}) SELECT ${columns} FROM json_populate_record(NULL::${t}.accounts, $1) RETURNING n`,
    [found.row]
  )
  const [first] = made.rows
  if (first === undefined) throw new Error("an insert returns its row")
  return first.n
}

const copyTable = async (
  { s, source, t, target }: Both,
  { instead, name, where = "TRUE" }: Table,
  before: number,
  n: number
): Promise<void> => {
  const columns = await columnsOf(target, t, name)
  const values = columns.map((column) => (column === "account" ? String(n) : (instead[column] ?? `r.${column}`)))
  await source.query(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT to_jsonb(r)::text AS row FROM ${s}.${name} r WHERE account = ${before} AND ${where}`
  )
  for (;;) {
    const { rows } = await source.query<{ readonly row: string }>(`FETCH ${PAGE} FROM rows`)
    if (rows.length === 0) break
    await target.query(
      `INSERT INTO ${t}.${name} (${columns.join(", ")})
       SELECT ${values.join(", ")} FROM json_populate_recordset(NULL::${t}.${name}, $1) r`,
      [`[${rows.map(({ row }) => row).join(",")}]`]
    )
  }
  await source.query("CLOSE rows")
}

const inTransaction = async <A>(client: Client, how: string, run: () => Promise<A>): Promise<A> => {
  await client.query(`BEGIN ${how}`)
  const answer = await run()
  await client.query("COMMIT")
  return answer
}

const asked = <A>(run: () => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.tryPromise({ try: run, catch: errorOf })

/** Runs on a separate connection, whose end rolls back everything that is not committed. */
const on = async <A>({ config, schema }: Place, run: (client: Client, s: string) => Promise<A>): Promise<A> => {
  const client = await Hosts.connect({ ...config, query_timeout: 0 })
  try {
    return await run(client, quote(schema))
  } finally {
    await client.end().catch(() => {})
  }
}

const errorOf = (error: unknown): StoreError => {
  if (error instanceof StoreError) return error
  const failure = error instanceof Failure ? error : failed(error)
  return unusable(`The account could not be copied: ${failure.why}.`)
}
