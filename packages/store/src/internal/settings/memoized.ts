import QuickLRU from "quick-lru"

/**
 * Keeps the latest results of a pure function of a text, so that a text which is read again and again is decoded once.
 *
 * @param capacity how many results are kept at least; those used longest ago go first
 */
export const memoized = <A>(f: (text: string) => A, capacity: number): ((text: string) => A) => {
  const results = new QuickLRU<string, { readonly value: A }>({ maxSize: capacity })
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known.value
    const value = f(text)
    results.set(text, { value })
    return value
  }
}
