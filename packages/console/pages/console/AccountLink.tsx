/**
 * An account by its name, which leads to its page.
 */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { run } from "./api.ts"
import { linkTo } from "./route.ts"
import { can } from "./session.ts"
import { shortId } from "./words.ts"

export const AccountLink = ({ id }: { readonly id: string | null }) => {
  useEffect(() => {
    if (id !== null && !names.value.has(id)) void learn()
  }, [id])
  if (id === null) return <span>all accounts</span>
  const name = names.value.get(id)
  return (
    <a class="account" href={linkTo("accounts", id)} title={id}>
      {name ?? shortId(id)}
    </a>
  )
}

const names = signal<ReadonlyMap<string, string>>(new Map())

/** In milliseconds: before the names are asked for again. */
const PAUSE = 60_000

let asked = Number.NEGATIVE_INFINITY

const learn = async (): Promise<void> => {
  if (!can("account list") || performance.now() - asked < PAUSE) return
  asked = performance.now()
  // Ids are shown until they are asked for again.
  const answer = await run("account list", {}).catch(() => null)
  if (answer !== null) names.value = new Map(answer.accounts.map(({ account_id: id, name }) => [id, name]))
}
