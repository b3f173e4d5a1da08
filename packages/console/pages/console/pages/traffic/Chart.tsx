/**
 * Delivery and approval shares over time, above the number of sends, with a table for users who cannot see the chart.
 */
import { Columns } from "../../Columns.tsx"
import { When } from "../../../kit/When.tsx"
import { count, share } from "../../words.ts"
import type { Point } from "./figures.ts"

/** The units of the drawing, which stretches to the width of the page. */
const WIDTH = 1_000
const HEIGHT = 200

export const Chart = ({ points }: { readonly points: ReadonlyArray<Point> }) => {
  const most = Math.max(1, ...points.map(({ sent }) => sent))
  const width = WIDTH / Math.max(1, points.length)
  return (
    <figure class="chart">
      <figcaption>
        <span class="delivered">Delivered</span>
        <span class="approved">Approved</span>
        <span class="sent">Sent, at most {count(most)}</span>
      </figcaption>
      <div class="plot">
        <span aria-hidden="true">100 %</span>
        <span aria-hidden="true">50 %</span>
        <span aria-hidden="true">0 %</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} class="grid" x1="0" x2={WIDTH} y1={y} y2={y} />
          ))}
          {points.map(({ at, sent }, place) => {
            const height = (sent / most) * HEIGHT
            return <rect key={at} x={place * width} y={HEIGHT - height} width={width * 0.8} height={height} />
          })}
          <path class="delivered" d={lineOf(points, "delivered")} />
          <path class="approved" d={lineOf(points, "approved")} />
        </svg>
      </div>
      <details>
        <summary>Show as a table</summary>
        <div class="scrolls" tabIndex={0}>
          <Table points={points} />
        </div>
      </details>
    </figure>
  )
}

/** A line of shares; it is broken where nothing was sent. */
const lineOf = (points: ReadonlyArray<Point>, name: "delivered" | "approved"): string => {
  const width = WIDTH / Math.max(1, points.length)
  let isDrawn = false
  return points
    .flatMap((point, place) => {
      const step = isDrawn ? "L" : "M"
      isDrawn = point.sent > 0
      if (!isDrawn) return []
      const x = (place + 0.4) * width
      // A point between two gaps is a dot.
      return [`${step}${x.toFixed(1)} ${((1 - point[name] / point.sent) * HEIGHT).toFixed(1)}h0`]
    })
    .join("")
}

const Table = ({ points }: { readonly points: ReadonlyArray<Point> }) => (
  <table class="list">
    <Columns all={["From", { figures: "Sent" }, { figures: "Delivered" }, { figures: "Approved" }]} />
    <tbody>
      {points.map(({ approved, at, delivered, sent }) => (
        <tr key={at}>
          <th scope="row">
            <When at={at} />
          </th>
          <td class="number" data-label="Sent">
            {count(sent)}
          </td>
          <td class="number" data-label="Delivered">
            {share(delivered, sent)}
          </td>
          <td class="number" data-label="Approved">
            {share(approved, sent)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
