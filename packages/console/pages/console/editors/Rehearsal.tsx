/**
 * How many requests of the last hour the rules of a form would have refused, before they are saved.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { GuardRules } from "../commands.ts"
import { type Output, run } from "../api.ts"
import { can } from "../session.ts"
import { count, ruleName } from "../words.ts"

/** In milliseconds, after the last key. */
const PAUSE = 400

export const Rehearsal = ({ account, rules }: { readonly account: string; readonly rules: GuardRules }) => {
  const found = useSignal<Output<"guard try"> | null>(null)
  const text = JSON.stringify(rules)
  useEffect(() => {
    if (!can("guard try")) return
    const ending = new AbortController()
    const ask = async (): Promise<void> => {
      const answer = await run("guard try", { account_id: account, rules }, ending.signal)
      if (!ending.signal.aborted) found.value = answer
    }
    // Rules that are not whole yet have no answer; to save them says why.
    const timer = setTimeout(() => void ask().catch(() => (found.value = null)), PAUSE)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [account, text])
  return (
    <p class="rehearsal" role="status">
      {found.value !== null && <Words {...found.value} />}
    </p>
  )
}

const Words = ({ refused, requests, rules }: Output<"guard try">) => {
  if (requests === 0) return <>The account had no live request in the last hour on which these rules could be tried.</>
  const by = rules.map(({ refused, rule }) => `${ruleName(rule)} ${count(refused)}`).join(", ")
  return (
    <>
      Of the {count(requests)} live requests of the last hour, these rules would have refused <b>{count(refused)}</b>
      {by !== "" && ` (${by})`}.
    </>
  )
}
