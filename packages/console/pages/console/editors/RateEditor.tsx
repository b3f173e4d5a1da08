/**
 * So many within a time: `5/1h` in three fields.
 */

/** Parts may be empty while they are typed. */
const RATE = /^([\d.]*)\/(\d*)([smhd])$/

export const RateEditor = (given: {
  readonly rate: string
  readonly unit: "sends" | "EUR"
  readonly set: (rate: string) => void
}) => {
  const { rate, set, unit: of } = given
  const [, most = "", many = "", unit = "h"] = RATE.exec(rate) ?? []
  return (
    <div class="inline">
      <input
        type="number"
        aria-label={of === "sends" ? "How many sends" : "How many euros"}
        min={of === "sends" ? 1 : 0.01}
        step={of === "sends" ? 1 : "any"}
        required
        value={most}
        onInput={({ currentTarget }) => set(`${currentTarget.value}/${many}${unit}`)}
      />
      {of} in
      <input
        type="number"
        aria-label="Within how long"
        min={1}
        required
        value={many}
        onInput={({ currentTarget }) => set(`${most}/${currentTarget.value}${unit}`)}
      />
      <select
        aria-label="Unit of time"
        value={unit}
        onChange={({ currentTarget }) => set(`${most}/${many}${currentTarget.value}`)}
      >
        {UNITS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

const UNITS = [
  ["s", "seconds"],
  ["m", "minutes"],
  ["h", "hours"],
  ["d", "days"]
] as const
