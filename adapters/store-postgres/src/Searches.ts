/**
 * List queries that may take long. The server ends them at the time limit, or when the client has gone, and no search
 * is repeated. Each account may run a limited number at a time, so that it leaves connections to other accounts.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import { Failure } from "./failures.ts"
import { type Bounded, NotRolledBack, type Query, type Values, inTransaction, withClient } from "./Pools.ts"

export interface Options {
  /** The time limit of a search in milliseconds. */
  readonly timeLimit: number
  /** The maximum number of searches of one account at a time, including waiting ones. */
  readonly ofAccount: number
}

/** @param elsewhere runs the queries that cancel a search */
export const make = (lists: Bounded, elsewhere: Query, { ofAccount, timeLimit }: Options) => {
  const searching = new Map<AccountId, number>()

  /** Counts a search of an account. An interrupted search counts until the server has ended it. */
  const counted = async <A>(account: AccountId, search: () => Promise<A>): Promise<A> => {
    const count = searching.get(account) ?? 0
    if (count >= ofAccount) throw tooMany()
    searching.set(account, count + 1)
    try {
      return await search()
    } finally {
      const left = (searching.get(account) ?? 0) - 1
      if (left > 0) searching.set(account, left)
      else searching.delete(account)
    }
  }

  return <Row extends Array<unknown>>(
    account: AccountId,
    text: string,
    values: Values,
    signal: AbortSignal
  ): Promise<ReadonlyArray<Row>> =>
    counted(account, () =>
      withClient(lists, (query) =>
        inTransaction(query, "BEGIN READ ONLY", async () => {
          const pid = await limited(query, timeLimit)
          return await cancellable(() => query<Row>(text, values), pid, signal, elsewhere)
        })
      )
    ).catch((error: unknown) => {
      throw error instanceof Failure && error.kind === "cancelled" ? tooLong(timeLimit) : error
    })
}

const tooMany = (): StoreError =>
  new StoreError({ reason: "TooManyLists", message: "Too many lists of one account are looked for." })

export const tooLong = (timeLimit: number): StoreError =>
  new StoreError({ reason: "TimeLimit", message: `A list took longer than ${timeLimit} ms.` })

/** Limits the statements of a transaction, and returns the process id of the server backend that runs them. */
const limited = async (query: Query, timeout: number): Promise<number | undefined> => {
  const [row] = await query<[pid: number, setting: string]>(
    "SELECT pg_backend_pid(), set_config('statement_timeout', $1, true)",
    [String(Math.max(1, Math.round(timeout)))]
  )
  return row?.[0]
}

/** Runs a statement in a server backend, and asks the server to cancel it when the signal is aborted. */
const cancellable = async <A>(
  run: () => Promise<A>,
  pid: number | undefined,
  signal: AbortSignal,
  elsewhere: Query
): Promise<A> => {
  if (signal.aborted) throw interrupted()
  const sent: Array<Promise<unknown>> = []
  const cancel = (): void => void sent.push(elsewhere("SELECT pg_cancel_backend($1)", [pid]).catch(() => {}))
  signal.addEventListener("abort", cancel, { once: true })
  const settled = await run().then(
    (answer) => () => answer,
    (error: unknown) => (): never => {
      throw error
    }
  )
  signal.removeEventListener("abort", cancel)
  await Promise.all(sent)
  // A cancellation may arrive after its statement has ended, so the connection is not used again.
  if (sent.length > 0) throw new NotRolledBack(interrupted())
  return settled()
}

const interrupted = () => new Failure("unavailable", "the query was interrupted")
