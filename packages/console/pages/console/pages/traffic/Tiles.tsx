/**
 * The measures of a span with their values, of which the chart shows one.
 */
import type { Line } from "./figures.ts"
import { MEASURES, type Measure } from "./measures.ts"

export const Tiles = (given: {
  /** All sends of the span; undefined before the answer. */
  readonly line: Line | undefined
  readonly before: Line | undefined
  readonly value: string
  readonly choose: (value: string) => void
}) => (
  <div class="tiles" role="radiogroup" aria-label="Measure of the chart">
    {MEASURES.map((measure) => (
      <label key={measure.value}>
        <input
          type="radio"
          name="measure"
          checked={measure.value === given.value}
          onChange={() => given.choose(measure.value)}
        />
        <span class="soft">{measure.label}</span> <b>{written(measure, given.line)}</b>{" "}
        <span class="soft small">({written(measure, given.before)})</span>
      </label>
    ))}
  </div>
)

const written = ({ curves, write }: Measure, line: Line | undefined): string => {
  const value = line === undefined ? null : curves[0].of(line)
  return value === null ? "–" : write(value)
}
