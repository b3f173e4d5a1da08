/**
 * A form from the fields of a command.
 */
import { Edited, isEdited } from "./Edited.tsx"
import type { Field } from "./session.ts"

type Values = Readonly<Record<string, unknown>>

export const Inputs = (props: {
  readonly fields: ReadonlyArray<Field>
  readonly first: object
  /** The fields that the page knows. */
  readonly given: object
}) => (
  <>
    {props.fields.map((field) => (
      <Input key={field.name} field={field} first={valueIn(props.first, field.name)} given={props.given} />
    ))}
  </>
)

interface InputProps {
  readonly field: Field
  readonly first: unknown
  readonly given: object
}

const Input = ({ field, first, given }: InputProps) => {
  const id = `field-${field.name}`
  if (field.kind === "flag") {
    return (
      <label class="check">
        <input type="checkbox" name={field.name} defaultChecked={first === true} />
        <span>
          <b>{labelOf(field)}</b> {field.description}
        </span>
      </label>
    )
  }
  if (field.kind === "list" && field.choices != null) {
    return <Several field={field} choices={field.choices} first={first} />
  }
  const choices = CHOICES[field.name]
  const common = {
    id,
    name: field.name,
    required: !field.optional,
    placeholder: field.example ?? "",
    autocomplete: "off",
    spellcheck: false,
    defaultValue: isTime(field) ? localOf(textOf(first)) : textOf(first),
    "aria-describedby": `${id}-says`
  } as const
  if (isEdited(field.name)) {
    const area = <textarea {...common} rows={12} aria-label={labelOf(field)} />
    return <Edited name={field.name} label={labelOf(field)} first={first} given={given} instead={area} />
  }
  return (
    <div class="field">
      <label for={id}>
        {labelOf(field)}
        {field.optional && <span class="soft"> optional</span>}
      </label>
      {choices !== undefined ? (
        <select {...common}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : isLong(field) ? (
        <textarea {...common} rows={4} />
      ) : (
        <input {...common} {...typeOf(field)} />
      )}
      <p class="soft small" id={`${id}-says`}>
        {field.description}
      </p>
    </div>
  )
}

/** Check boxes of a list whose values are known. */
const Several = (given: {
  readonly field: Field
  readonly choices: ReadonlyArray<string>
  readonly first: unknown
}) => {
  const { choices, field, first } = given
  return (
    <fieldset class="choices">
      <legend>
        {labelOf(field)}
        {field.optional && <span class="soft"> all if none is ticked</span>}
      </legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            name={field.name}
            value={choice}
            defaultChecked={Array.isArray(first) && first.includes(choice)}
          />
          <code>{choice}</code>
        </label>
      ))}
    </fieldset>
  )
}

const valueIn = (values: object, name: string): unknown => Object.entries(values).find(([key]) => key === name)?.[1]

/** The values of a form, as in JSON, or a sentence about the value that is wrong. */
export const typedIn = (form: HTMLFormElement, fields: ReadonlyArray<Field>, first: object): Values | string => {
  const data = new FormData(form)
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const text = data.getAll(field.name).join(",").trim()
    if (field.kind === "flag") {
      if (text !== "") values[field.name] = true
    } else if (text === "" && field.nullable) {
      // A field that the user emptied becomes null; an optional field that was empty before is left out.
      if (!field.optional || textOf(valueIn(first, field.name)) !== "") values[field.name] = null
    } else if (text !== "" || !field.optional) {
      const value = valueOf(field, text)
      if (value === undefined) return `${labelOf(field)} is not JSON.`
      values[field.name] = value
    }
  }
  return values
}

const valueOf = (field: Field, text: string): unknown => {
  if (field.kind === "integer") return Number(text)
  if (field.kind === "list") return text.split(",").map((each) => each.trim())
  if (isTime(field)) return new Date(text).toISOString()
  if (field.name !== "rules") return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const CHOICES: Readonly<Record<string, ReadonlyArray<string>>> = { role: ["support", "operator", "admin"] }

/** A time in the form of its input field: in the viewer's time zone. */
const localOf = (iso: string): string => {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ""
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

const isTime = ({ example }: Field): boolean => example === "ISO"

const isLong = ({ name }: Field): boolean => name === "text"

const typeOf = (field: Field) => {
  if (isTime(field)) return TYPES.time
  return field.kind === "integer" ? TYPES.integer : TYPES.text
}

const TYPES = { time: { type: "datetime-local" }, integer: { type: "number" }, text: { type: "text" } } as const

/** `account_id` as people write it. */
const labelOf = ({ name }: Field): string => {
  const words = LABELS[name] ?? name.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LABELS: Readonly<Record<string, string>> = {
  place: "prefix or country",
  url: "address",
  id: "your own id",
  sms_sender: "sender of SMS",
  allow: "addresses",
  min_ring: "shortest ring",
  max_ring: "longest ring"
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(", ")
  if (typeof value === "object" && value !== null) return JSON.stringify(value, null, 2)
  return value === undefined || value === null ? "" : String(value)
}
