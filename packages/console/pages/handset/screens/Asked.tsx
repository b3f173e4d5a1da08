/**
 * The card of a verification that waits for the user of a phone, with a button for each form.
 */
import type { Presented } from "@watchword/client"
import { actFirst, acted } from "../acts.ts"
import { askedOf, phoneOf } from "../phones.ts"
import { resultOf, wordsOfForm } from "../received.ts"
import { AppIcon } from "./App.tsx"

export const Asked = ({ number }: { readonly number: string }) => {
  const asked = askedOf(number)
  if (asked === undefined) return null
  const result = acted.value.get(asked.id)
  return (
    <section class="asked" aria-label="An app waits for you">
      <h3>An app waits for you</h3>
      <ul>
        {asked.present?.map((shown) => (
          <Way key={shown.by} number={number} shown={shown} does={() => void actFirst(number, asked.id, shown)} />
        ))}
      </ul>
      {result !== undefined && (
        <p role="status">
          {wordsOfForm[result.by].name}: {resultOf(result)}.
        </p>
      )}
    </section>
  )
}

/** One form: its instruction, and the button for it. */
const Way = (given: { readonly number: string; readonly shown: Presented; readonly does: () => void }) => {
  const { by, number: to, text } = given.shown
  const { asks, icon, label } = wordsOfForm[by]
  const cannot = reasonAgainst(given.number, by)
  return (
    <li>
      <AppIcon name={icon} />
      <p>
        {asks}
        {to !== null && (
          <>
            {" "}
            <b class="to">{to}</b>
          </>
        )}
      </p>
      {text !== null && <p class="text">{text}</p>}
      <button type="button" class="button" disabled={cannot !== null} onClick={given.does}>
        {label}
      </button>
      {cannot !== null && <p class="text">{cannot}</p>}
    </li>
  )
}

/** Why a phone cannot act by a form; null if it can. */
const reasonAgainst = (number: string, by: Presented["by"]): string | null => {
  const { bizchat, chatgw, offline } = phoneOf(number)
  if (offline) return "The phone has no network."
  const hasNoAccount = (by === "bizchat" && bizchat === "none") || (by === "telegram_login" && !chatgw)
  return hasNoAccount ? "The number has no account there." : null
}
