/**
 * The names of accounts, which pages show instead of ids.
 */
import { signal } from "@preact/signals"
import { run } from "./api.ts"
import { can } from "./session.ts"

/** The names by the ids. */
export const accountNames = signal<ReadonlyMap<string, string>>(new Map())

/** In milliseconds: before the names are asked for again. */
const PAUSE = 60_000

let asked = Number.NEGATIVE_INFINITY

export const learnAccounts = async (): Promise<void> => {
  if (!can("account list") || performance.now() - asked < PAUSE) return
  asked = performance.now()
  // Ids are shown until they are asked for again.
  const answer = await run("account list", {}).catch(() => null)
  if (answer !== null) accountNames.value = new Map(answer.accounts.map(({ account_id: id, name }) => [id, name]))
}
