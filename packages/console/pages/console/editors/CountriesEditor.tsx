/**
 * The countries that rules allow.
 */
import { useSignal } from "@preact/signals"
import { Choice } from "../../kit/Choice.tsx"
import type { GuardRules } from "../commands.ts"

type Countries = GuardRules["countries"]

export const CountriesEditor = (given: {
  readonly countries: Countries
  readonly change: (countries: Countries) => void
}) => {
  const { allow, deny } = given.countries ?? {}
  const mode = allow !== undefined ? "allow" : deny !== undefined ? "deny" : "all"
  const codes = allow ?? deny ?? []
  const typed = useSignal("")
  // The typed text stays while it means the same codes, such as with a comma at its end.
  const text = codesIn(typed.value).join() === codes.join() ? typed.value : codes.join(", ")
  const change = (mode: Mode, next: ReadonlyArray<string>): void =>
    given.change(mode === "all" ? undefined : mode === "allow" ? { allow: next } : { deny: next })
  return (
    <div class="inlines">
      <Choice label="Countries" value={mode} options={MODES} choose={(next) => change(next, codes)} />
      {mode !== "all" && (
        <input
          type="text"
          aria-label="Countries, such as DE, AT"
          placeholder="DE, AT, CH"
          required
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            change(mode, codesIn(currentTarget.value))
          }}
        />
      )}
    </div>
  )
}

type Mode = (typeof MODES)[number]["value"]

const MODES = [
  { value: "all", label: "all" },
  { value: "allow", label: "only these" },
  { value: "deny", label: "all but these" }
] as const

const codesIn = (text: string): ReadonlyArray<string> =>
  text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== "")
