/**
 * The way from phone to phone where they do not fit side by side.
 */
import { callsTo, messagesTo, seen } from "./phones.ts"

/** The id of a phone's place on the page. */
export const placeOf = (number: string): string => `phone${number}`

export const Strip = ({ numbers }: { readonly numbers: ReadonlyArray<string> }) =>
  numbers.length < 2 ? null : (
    <nav class="strip" aria-label="Phones">
      {numbers.map((number) => (
        <button key={number} type="button" class={newsOf(number)} onClick={() => goTo(number)}>
          …{number.slice(-4)}
          <span class="visually-hidden">{newsOf(number)}</span>
        </button>
      ))}
    </nav>
  )

const newsOf = (number: string): string => {
  if (callsTo(number).some(({ state }) => state === "ringing")) return "rings"
  return messagesTo(number).some(({ id }) => !seen.value.has(id)) ? "news" : ""
}

const goTo = (number: string): void =>
  document.getElementById(placeOf(number))?.scrollIntoView({ inline: "center", block: "nearest" })
