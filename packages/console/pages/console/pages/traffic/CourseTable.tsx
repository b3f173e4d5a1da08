/**
 * The points of a chart as a table.
 */
import { Columns } from "../../Columns.tsx"
import { type Course, type Drawn, nameOf, valuesAt } from "./course.ts"

export const CourseTable = (given: Course & { readonly curves: ReadonlyArray<Drawn> }) => {
  const { curves, length, points } = given
  const [first] = points.map((_, place) => valuesAt(given, curves, place))
  return (
    <table class="list">
      <Columns all={["From", ...(first ?? []).map(([, label]) => ({ figures: label }))]} />
      <tbody>
        {points.map(({ at }, place) => (
          <tr key={at}>
            <th scope="row">{nameOf(at, length)}</th>
            {valuesAt(given, curves, place).map(([look, label, value]) => (
              <td key={look} class="number" data-label={label}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
