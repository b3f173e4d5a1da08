/**
 * A limit of a guard's rules: its keys, and how many sends or euros it lets through within a time.
 */
import { Choice } from "../../kit/Choice.tsx"
import type { GuardRules } from "../commands.ts"
import { RateEditor } from "./RateEditor.tsx"
import { RowList } from "./RowList.tsx"
import { areTexts, isObject, put } from "./values.ts"

export type Limit = NonNullable<GuardRules["limits"]>[number]

export const FRESH: Limit = { name: "", by: ["to"], rates: ["5/1h"] }

export const LimitEditor = ({ limit, set }: { readonly limit: Limit; readonly set: (limit: Limit) => void }) => {
  const { action, by, money, name, rates = [] } = limit
  const choices = [...new Set([...Object.keys(BY), ...by])]
  return (
    <>
      <label class="inline">
        Name
        <input
          type="text"
          required
          pattern="[a-z][a-z0-9_]*"
          title="Lower-case letters, digits and underscores"
          autocomplete="off"
          spellcheck={false}
          value={name}
          onInput={({ currentTarget }) => set({ ...limit, name: currentTarget.value })}
        />
      </label>
      <fieldset class="choices">
        <legend>Counts by each</legend>
        {choices.map((each) => (
          <label key={each}>
            <input
              type="checkbox"
              checked={by.includes(each)}
              onChange={({ currentTarget }) =>
                set({ ...limit, by: currentTarget.checked ? [...by, each] : by.filter((other) => other !== each) })
              }
            />
            {BY[each] ?? each}
          </label>
        ))}
      </fieldset>
      <RowList
        one="Rate"
        rows={rates}
        fresh="10/1d"
        isUnordered
        change={(next) => set(put(limit, "rates", next.length === 0 ? undefined : next))}
        draw={(rate, change) => <RateEditor rate={rate} unit="sends" set={change} />}
      />
      <label class="inline">
        <input
          type="checkbox"
          checked={money !== undefined}
          onChange={({ currentTarget }) => set(put(limit, "money", currentTarget.checked ? "50/1d" : undefined))}
        />
        also limits the cost of the sends
      </label>
      {money !== undefined && <RateEditor rate={money} unit="EUR" set={(next) => set({ ...limit, money: next })} />}
      <Choice
        label="When it is reached"
        value={action ?? "rules"}
        options={ACTIONS}
        choose={(value) => set(put(limit, "action", value === "rules" ? undefined : value))}
      />
    </>
  )
}

const BY: Readonly<Record<string, string>> = {
  to: "number",
  to_prefix: "prefix",
  country: "country",
  client_ip: "IP address",
  client_ref: "user",
  key: "API key",
  account: "account"
}

const ACTIONS = [
  { value: "rules", label: "do as the rules do" },
  { value: "deny", label: "deny" },
  { value: "record", label: "only record" }
] as const

/** Whether the form can show a limit; the server checks the rest. */
export const isLimit = (limit: unknown): limit is Limit =>
  isObject(limit) &&
  typeof limit["name"] === "string" &&
  areTexts(limit["by"]) &&
  (limit["rates"] === undefined || areTexts(limit["rates"])) &&
  (limit["money"] === undefined || typeof limit["money"] === "string")
