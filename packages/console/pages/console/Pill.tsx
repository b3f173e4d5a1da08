/**
 * How a record stands, in a word with its tone.
 */
import { toneOf, wordsOf } from "./words.ts"

export const Pill = ({ reason = null, status }: { readonly status: string; readonly reason?: string | null }) => {
  const tone = toneOf(status)
  return (
    <span class={`pill ${tone}`}>
      {wordsOf(status)}
      {reason !== null && tone !== "good" && <span class="because"> {wordsOf(reason)}</span>}
    </span>
  )
}
