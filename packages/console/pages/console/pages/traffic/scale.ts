/**
 * Axes of charts.
 */

/** Smaller differences are drawn as no difference. */
const LEAST = 1e-9

/** The most steps of an axis. */
const STEPS = 4

/**
 * Round values around all values and zero, in their order.
 *
 * @param least the least step, such as 1 for counts
 */
export const ticksOf = (values: ReadonlyArray<number | null>, least = 0): ReadonlyArray<number> => {
  const [lowest, greatest] = values.reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value ?? 0), Math.max(high, value ?? 0)],
    [0, 0]
  )
  const step = Math.max(least, greatest - lowest > LEAST ? roundStep((greatest - lowest) / STEPS) : 1 / STEPS)
  const first = Math.floor(lowest / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(greatest / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)))
}

/** The least of 1, 2 and 5 times a power of ten that is no less than a value. */
const roundStep = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value))
  const times = [1, 2, 5, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10
  return times * power
}

/** The places of so many points that have a label, so that labels of a width do not touch. */
export const labelledOf = (points: number, width: number, widthOfLabel: number): ReadonlyArray<number> => {
  const every = Math.max(1, Math.ceil((points * widthOfLabel) / Math.max(1, width)))
  return Array.from({ length: Math.ceil(points / every) }, (_, place) => place * every)
}

/** The path of a curve, broken where it has no value. */
export const pathOf = (
  values: ReadonlyArray<number | null>,
  x: (place: number) => number,
  y: (value: number) => number
): string => {
  let isDrawn = false
  return values
    .map((value, place) => {
      if (value === null) {
        isDrawn = false
        return ""
      }
      const step = isDrawn ? "L" : "M"
      isDrawn = true
      return `${step}${x(place).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join("")
}

/** The most points of which each has a dot. */
const MOST_DOTS = 40

/** The places of dots: all places of few points, and the points of many that no line reaches. */
export const dotsOf = (values: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  values.flatMap((value, place) => {
    const isAlone = (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null
    return value !== null && (values.length <= MOST_DOTS || isAlone) ? [place] : []
  })
