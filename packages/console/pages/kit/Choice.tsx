/**
 * One of several options: a labelled select.
 */
import type { Option } from "./Segmented.tsx"

export const Choice = <A extends string>(given: {
  readonly label: string
  readonly value: A
  readonly options: ReadonlyArray<Option<A>>
  readonly choose: (value: A) => void
}) => {
  const choose = (value: string): void => {
    const chosen = given.options.find((option) => option.value === value)
    if (chosen !== undefined) given.choose(chosen.value)
  }
  return (
    <label class="choice">
      <span>{given.label}</span>
      <select value={given.value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {given.options.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
