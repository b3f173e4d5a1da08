/**
 * The current page and its filters: the fragment of the address, so that no server and no log sees a number.
 */
import { computed, signal } from "@preact/signals"

const fragment = signal(location.hash)

// A sign-in link does not name a page: its fragment is replaced once it has been read.
addEventListener("hashchange", () => (fragment.value = location.hash.startsWith("#link=") ? "#/" : location.hash))

/** The words before the `?`, and the fields behind it. */
const parts = computed(() => {
  const [path = "", ...query] = fragment.value.replace(/^#?\/?/, "").split("?")
  return { path, query: query.join("?") }
})

/** The words of `#/accounts/acc_…`, without the sign. */
export const route = computed(() => parts.value.path.split("/").map(decoded))

const fields = computed(() => new URLSearchParams(parts.value.query))

/** A field of the address, such as `status` of `#/live?status=failed`; empty if the address has no such field. */
export const param = (name: string): string => fields.value.get(name) ?? ""

/** The fields of an address by their names. An empty one is left out. */
export type Params = Readonly<Record<string, string>>

/** The address of the page with other fields. */
export const linkHere = (changes: Params): string => {
  const next = new URLSearchParams(fields.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  const query = next.toString()
  return `#/${parts.value.path}${query === "" ? "" : `?${query}`}`
}

/** Changes fields of the address. The page is the same, so "Back" leads to the page before it. */
export const setParams = (changes: Params): void => {
  const hash = linkHere(changes)
  history.replaceState(history.state, "", hash)
  fragment.value = hash
}

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
