/**
 * The rules of a guard: their action, the countries that they allow, and a row for each limit. The other parts of rules
 * stay as they are, and are edited as JSON.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import { Segmented } from "../../kit/Segmented.tsx"
import type { GuardRules } from "../commands.ts"
import { CountriesEditor } from "./CountriesEditor.tsx"
import type { EditorProps } from "./Editor.ts"
import { FRESH, LimitEditor, isLimit } from "./LimitEditor.tsx"
import { Rehearsal } from "./Rehearsal.tsx"
import { RowList } from "./RowList.tsx"
import { WithJson } from "./WithJson.tsx"
import { areTexts, isObject, put } from "./values.ts"

export const RulesEditor = ({ first, given, label, name }: EditorProps) => {
  const rules = useSignal<GuardRules>(read(first) ?? {})
  const change = (next: GuardRules): void => void (rules.value = next)
  const { action = "record", countries, for: use, limits = [] } = rules.value
  const account = isObject(given) ? given["account_id"] : undefined
  const others = OTHERS.filter((other) => rules.value[other] !== undefined)
  return (
    <WithJson name={name} label={label} value={rules.value} change={change} read={read} written={JSON.stringify}>
      <Segmented
        label="Action"
        name="rules-action"
        value={action}
        options={ACTIONS}
        choose={(value) => change({ ...rules.value, action: value })}
      />
      <Choice
        label="They hold for"
        value={use ?? "both"}
        options={USES}
        choose={(value) => change(put(rules.value, "for", value === "both" ? undefined : value))}
      />
      <CountriesEditor countries={countries} change={(next) => change(put(rules.value, "countries", next))} />
      <h3>Limits</h3>
      <RowList
        one="Limit"
        rows={limits}
        fresh={FRESH}
        change={(next) => change(put(rules.value, "limits", next.length === 0 ? undefined : next))}
        draw={(limit, set) => <LimitEditor limit={limit} set={set} />}
      />
      {typeof account === "string" && <Rehearsal account={account} rules={rules.value} />}
      {others.length > 0 && (
        <p class="soft small">
          These rules also set {others.join(" and ").replaceAll("_", " ")}, which only JSON shows.
        </p>
      )}
    </WithJson>
  )
}

const ACTIONS = [
  { value: "deny", label: "Deny" },
  { value: "record", label: "Only record" }
] as const

const USES = [
  { value: "both", label: "verifications and sends" },
  { value: "verifications", label: "verifications" },
  { value: "sends", label: "sends of the app's own" }
] as const

/** The parts of rules that the form does not show. */
const OTHERS = ["numbers", "pumping", "sandbox_under_way"] as const

/** Rules whose parts the form can show; the server checks the rest. */
const read = (json: unknown): GuardRules | null => (isRules(json) ? json : null)

const isRules = (json: unknown): json is GuardRules => {
  if (!isObject(json)) return false
  const { action = "deny", countries = {}, for: use = "sends", limits = [] } = json
  return (
    (action === "deny" || action === "record") &&
    (use === "verifications" || use === "sends") &&
    isObject(countries) &&
    Object.values(countries).every(areTexts) &&
    Array.isArray(limits) &&
    limits.every(isLimit)
  )
}
