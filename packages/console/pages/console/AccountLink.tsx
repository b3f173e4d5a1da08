/**
 * An account by its name, which leads to its page.
 */
import { useEffect } from "preact/hooks"
import { accountNames, learnAccounts } from "./accounts.ts"
import { linkTo } from "./route.ts"
import { shortId } from "./words.ts"

export const AccountLink = ({ id }: { readonly id: string | null }) => {
  useEffect(() => {
    if (id !== null && !accountNames.value.has(id)) void learnAccounts()
  }, [id])
  if (id === null) return <span>all accounts</span>
  const name = accountNames.value.get(id)
  return (
    <a class="account" href={linkTo("accounts", id)} title={id}>
      {name ?? shortId(id)}
    </a>
  )
}
