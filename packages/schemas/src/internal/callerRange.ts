/** The first and the last number of a range such as `+4930901820000-+4930901820099`, or twice the one number. */
export const boundsOf = (range: string): readonly [first: string, last: string] => {
  const [first = "", last = first] = range.split("-")
  return [first, last]
}
