/** Milliseconds of seconds. Throws a `TypeError` for anything that is not a number of them. */
export const millisOf = (seconds: number): number => {
  if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1000)
  throw new TypeError(`${JSON.stringify(seconds)} is no number of seconds; write 600 for ten minutes`)
}
