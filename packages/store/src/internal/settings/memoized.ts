/**
 * Keeps the last results of a pure function of a text, so that a text which is read again and again is decoded once.
 *
 * @param capacity the most results that are kept; those that were used last stay
 */
export const memoized = <A>(f: (text: string) => A, capacity: number): ((text: string) => A) => {
  const results = new Map<string, { readonly value: A }>()
  return (text) => {
    const result = results.get(text) ?? { value: f(text) }
    // A Map is in the order of insertion: its first key is the one that was used longest ago.
    results.delete(text)
    results.set(text, result)
    const oldest = results.keys().next()
    if (results.size > capacity && oldest.done !== true) results.delete(oldest.value)
    return result.value
  }
}
