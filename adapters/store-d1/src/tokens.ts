/** A number that no other step has, so that a step can tell what it wrote itself. A safe integer. */
export const nextToken = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high >>> 12) * 2 ** 32 + low
}
