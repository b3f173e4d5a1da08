/**
 * A choice of a few options that are all visible: radio buttons in a row.
 */
export interface Option<A extends string> {
  readonly value: A
  readonly label: string
}

export const Segmented = <A extends string>(given: {
  /** The name of the group, for users who cannot see it. */
  readonly label: string
  /** Unique among the groups of the page. */
  readonly name: string
  readonly value: A
  readonly options: ReadonlyArray<Option<A>>
  readonly choose: (value: A) => void
}) => (
  <div class="segmented" role="radiogroup" aria-label={given.label}>
    {given.options.map(({ label, value }) => (
      <label key={value}>
        <input type="radio" name={given.name} checked={value === given.value} onChange={() => given.choose(value)} />
        <span>{label}</span>
      </label>
    ))}
  </div>
)
