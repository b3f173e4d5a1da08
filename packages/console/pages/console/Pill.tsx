/**
 * How a record stands, in a word with its tone.
 */
import { toneOf, wordsOf } from "./words.ts"

export const Pill = ({ reason, status }: { readonly status: string; readonly reason?: string | null }) => (
  <span class={`pill ${toneOf(status)}`}>
    {wordsOf(status)}
    {reason !== undefined && reason !== null && <span class="because"> {wordsOf(reason)}</span>}
  </span>
)
