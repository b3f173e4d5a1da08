/**
 * A measure over time, and how many were sent, with axes. The values at the pointer are shown; arrow keys move a cursor
 * that a screen reader announces; and a table has all of it.
 */
import { useSignal } from "@preact/signals"
import { type Course, SENT, curvesOf, saidAt } from "./course.ts"
import { CourseTable } from "./CourseTable.tsx"
import { Drawing } from "./Drawing.tsx"
import { HOUR } from "./figures.ts"

export const Chart = (given: Course) => {
  const { length, measure, points } = given
  const curves = curvesOf(given)
  const cursor = useSignal<number | null>(null)
  const place = cursor.value === null ? null : Math.min(cursor.value, points.length - 1)
  return (
    <figure class="chart">
      <figcaption>
        {curves.map(({ label, look }) => (
          <span key={look} class={look}>
            {label}
          </span>
        ))}
        {measure.value !== SENT && <span class="sent">Sent</span>}
      </figcaption>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${measure.label} by ${length === HOUR ? "hour" : "day"}`}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(place ?? points.length - 1) + 1}
        aria-valuetext={saidAt(given, curves, place ?? points.length - 1)}
        onKeyDown={(event) => {
          const next = movedBy(event.key, place, points.length)
          if (next === undefined) return
          event.preventDefault()
          cursor.value = next
        }}
        onBlur={() => (cursor.value = null)}
        onPointerLeave={() => (cursor.value = null)}
      >
        <Drawing {...given} curves={curves} place={place} point={(next) => (cursor.value = next)} />
      </div>
      <details>
        <summary>Show as a table</summary>
        <div class="scrolls" tabIndex={0}>
          <CourseTable {...given} curves={curves} />
        </div>
      </details>
    </figure>
  )
}

/** Where a key moves the cursor; undefined for a key that does not. */
const movedBy = (key: string, place: number | null, points: number): number | null | undefined => {
  const last = points - 1
  switch (key) {
    case "ArrowLeft":
      return place === null ? last : Math.max(0, place - 1)
    case "ArrowRight":
      return place === null ? last : Math.min(last, place + 1)
    case "Home":
      return 0
    case "End":
      return last
    case "Escape":
      return null
    default:
      return undefined
  }
}
