/**
 * Wilson's interval: the bounds between which a share lies with 95 % confidence, even if samples are few.
 *
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 */
const Z = 1.96

export interface Interval {
  readonly lower: number
  readonly upper: number
}

/** @param count of successes among `samples`, which are 1 or more */
export const interval = (count: number, samples: number): Interval => {
  const share = count / samples
  const spread = (Z * Z) / samples
  const centre = share + spread / 2
  const half = Z * Math.sqrt((share * (1 - share) + spread / 4) / samples)
  return { lower: Math.max(0, (centre - half) / (1 + spread)), upper: Math.min(1, (centre + half) / (1 + spread)) }
}
