/**
 * One of a few options that all stay in sight: radio buttons in a row.
 */
export interface Option<A extends string> {
  readonly value: A
  readonly label: string
}

export const Segmented = <A extends string>(given: {
  /** What the group is called, for those who do not see it. */
  readonly label: string
  /** Its own among the groups of the page. */
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
