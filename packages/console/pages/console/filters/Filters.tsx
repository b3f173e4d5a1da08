/**
 * Filters of a list, each a field of the page's address.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Choice } from "../../kit/Choice.tsx"
import { accountNames } from "../accounts.ts"
import type { Options } from "../params.ts"
import { choiceOf } from "../params.ts"
import { param, setParams } from "../route.ts"
import { type Checked, prefixIn } from "./prefix.ts"
import { BETWEEN, SPANS, isoOf, localOf, wrongIn } from "./span.ts"

/** A filter by one of some values. */
export const By = <A extends string>(given: {
  readonly label: string
  readonly name: string
  readonly options: Options<A>
}) => <Choice label={given.label} {...choiceOf(given.name, given.options)} />

/** The most accounts of a drop-down; of more, their users type a part of the name. */
const MOST = 200

export const ByAccount = ({ options }: { readonly options: Options<string> }) => {
  if (options.length <= MOST) return <By label="Account" name="account" options={options} />
  const chosen = param("account")
  return (
    <Typed
      label="Account"
      name="account"
      placeholder="Name or id"
      value={accountNames.value.get(chosen) || chosen}
      read={accountIn}
      among={options.map(({ label }) => label)}
    />
  )
}

const accountIn = (text: string): Checked => {
  if (text === "") return { value: "" }
  const found = [...accountNames.value].filter(([id, name]) => id === text || name.toLowerCase() === text.toLowerCase())
  const [first] = found
  if (first === undefined) return { problem: "No account has this name or id." }
  return found.length === 1 ? { value: first[0] } : { problem: "Several accounts have this name; type the id." }
}

export const ByPrefix = () => (
  <Typed label="Prefix" name="prefix" placeholder="+4915" value={param("prefix")} read={prefixIn} />
)

const Typed = (given: {
  readonly label: string
  readonly name: string
  readonly placeholder: string
  readonly value: string
  /** Checks the text, and says why it is not valid. */
  readonly read: (text: string) => Checked
  /** Suggestions. */
  readonly among?: ReadonlyArray<string>
}) => {
  const problem = useSignal<string | null>(null)
  const input = useShown(given.value)
  const id = `filter-${given.name}`
  const take = (text: string): void => {
    const checked = given.read(text.trim())
    problem.value = "problem" in checked ? checked.problem : null
    if ("value" in checked) setParams({ [given.name]: checked.value })
  }
  return (
    <div class="typed">
      <label class="choice">
        <span>{given.label}</span>
        <input
          ref={input}
          type="text"
          placeholder={given.placeholder}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem.value !== null}
          aria-describedby={`${id}-problem`}
          list={given.among === undefined ? undefined : `${id}-among`}
          onChange={({ currentTarget }) => take(currentTarget.value)}
        />
      </label>
      {given.among !== undefined && (
        <datalist id={`${id}-among`}>
          {given.among.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <p class="problem" role="alert" id={`${id}-problem`}>
        {problem.value}
      </p>
    </div>
  )
}

/** Shows a new value in an input. A list that is drawn again keeps the text that its user is typing. */
const useShown = (value: string) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.value = value
  }, [value])
  return input
}

export const BySpan = () => {
  const [from, until] = [param("from"), param("until")]
  return (
    <>
      <By label="Time" name="span" options={SPANS} />
      {param("span") === BETWEEN && (
        <div class="typed">
          <Bound label="From" name="from" value={from} />
          <Bound label="Until" name="until" value={until} />
          <p class="problem" role="alert">
            {wrongIn(from, until)}
          </p>
        </div>
      )}
    </>
  )
}

const Bound = ({ label, name, value }: { readonly label: string; readonly name: string; readonly value: string }) => {
  const input = useShown(localOf(value))
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        ref={input}
        type="datetime-local"
        onChange={({ currentTarget }) => setParams({ [name]: isoOf(currentTarget.value) })}
      />
    </label>
  )
}
