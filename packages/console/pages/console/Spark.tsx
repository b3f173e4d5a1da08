/**
 * A course of values without axes, as large as a word.
 */

/** In pixels. */
const WIDTH = 104
const HEIGHT = 26
const EDGE = 3

export const Spark = ({ label, values }: { readonly label: string; readonly values: ReadonlyArray<number> }) => {
  const most = Math.max(1, ...values)
  const x = (place: number): number => EDGE + (place * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
  const y = (value: number): number => EDGE + (HEIGHT - 2 * EDGE) * (1 - value / most)
  const points = values.map((value, place) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`)
  return (
    <svg class="spark" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      <path d={`M${points.join("L")}`} />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="3" />
    </svg>
  )
}
