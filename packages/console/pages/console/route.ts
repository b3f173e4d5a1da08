/**
 * The page that is shown: the fragment of the address, so that no server and no log sees a number.
 */
import { computed, signal } from "@preact/signals"

const fragment = signal(location.hash)

// A sign-in link does not name a page: its fragment is replaced once it has been read.
addEventListener("hashchange", () => (fragment.value = location.hash.startsWith("#link=") ? "#/" : location.hash))

/** The words of `#/accounts/acc_…`, without the sign. */
export const route = computed(() =>
  fragment.value
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decoded)
)

export const linkTo = (...words: ReadonlyArray<string>): string => `#/${words.map(escaped).join("/")}`

export const go = (...words: ReadonlyArray<string>): void => {
  location.hash = linkTo(...words)
}

/** The fragment where a `+` stays as it is, so that a number can be read in it. */
const escaped = (word: string): string => encodeURIComponent(word).replaceAll("%2B", "+")

const decoded = (word: string): string => {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
