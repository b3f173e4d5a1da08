/**
 * Conditions and orders of lists as SQL. Names of columns come from this file, everything else is bound.
 */
import type { Condition, Scalar } from "@watchword/pagination/Fields"
import { type Field, isDetail, keyOf } from "../Delivery.ts"

export interface Sql {
  readonly text: string
  readonly values: ReadonlyArray<string | number>
}

type Range = Extract<Condition<Field>, { readonly _tag: "Range" }>

/** A field that has a column; the others are in `details`. */
export type Column = Exclude<Field, `details.${string}`>

/** The columns of deliveries, in every SQL store. */
export const columns: { readonly [F in Column]: { readonly name: string; readonly type: "string" | "number" } } = {
  id: { name: "id", type: "string" },
  to: { name: "recipient", type: "string" },
  from: { name: "sender", type: "string" },
  status: { name: "status", type: "string" },
  price: { name: "price", type: "number" },
  parts: { name: "parts", type: "number" },
  createdAt: { name: "created_at", type: "number" },
  statusAt: { name: "status_at", type: "number" }
}

/** The value of a field. Details answer 0 and 1 for false and true, and null for a missing one. */
export const expression = (field: Field): Sql => operandOf(field).value

/** Whether a record meets a condition. */
export const predicate = (condition: Condition<Field>): Sql => {
  const operand = operandOf(condition.field)
  return condition._tag === "In" ? among(operand, condition.values) : within(operand, condition)
}

/** The value of a field, and the test of its type. */
interface Operand {
  readonly value: Sql
  readonly isOf: (type: "string" | "number" | "boolean") => Sql
}

const operandOf = (field: Field): Operand => (isDetail(field) ? detailOf(keyOf(field)) : columnOf(columns[field]))

const columnOf = ({ name, type }: (typeof columns)[Column]): Operand => ({
  value: { text: name, values: [] },
  isOf: (asked) => (asked === type ? always : never)
})

const jsonTypes = { string: "('text')", number: "('integer', 'real')", boolean: "('true', 'false')" }

const detailOf = (key: string): Operand => ({
  value: { text: "json_extract(details, ?)", values: [pathOf(key)] },
  isOf: (asked) => ({ text: `json_type(details, ?) IN ${jsonTypes[asked]}`, values: [pathOf(key)] })
})

const among = ({ isOf, value }: Operand, candidates: ReadonlyArray<Scalar>): Sql => {
  const texts = candidates.filter((candidate) => typeof candidate === "string")
  const numbers = candidates.filter((candidate) => typeof candidate === "number")
  const booleans = candidates.filter((candidate) => typeof candidate === "boolean").map(Number)
  const isOneOf = (values: ReadonlyArray<string | number>): Sql => ({
    text: `${value.text} IN (SELECT value FROM json_each(?))`,
    values: [...value.values, JSON.stringify(values)]
  })
  return joined("OR", [
    ...(texts.length > 0 ? [joined("AND", [isOf("string"), isOneOf(texts)])] : []),
    ...(numbers.length > 0 ? [joined("AND", [isOf("number"), isOneOf(numbers)])] : []),
    ...(booleans.length > 0 ? [joined("AND", [isOf("boolean"), isOneOf(booleans)])] : []),
    ...(candidates.includes(null) ? [{ text: `${value.text} IS NULL`, values: value.values }] : [])
  ])
}

/** The operators of a range's bounds. */
export const comparisons = { gte: ">=", gt: ">", lte: "<=", lt: "<" } as const

const within = ({ isOf, value }: Operand, range: Range): Sql =>
  joined("AND", [
    { text: `${value.text} IS NOT NULL`, values: value.values },
    ...(["gte", "gt", "lte", "lt"] as const).flatMap((name) => {
      const bound = range[name]
      if (bound === undefined) return []
      const compared = { text: `${value.text} ${comparisons[name]} ?`, values: [...value.values, bound] }
      return [isOf(typeof bound === "string" ? "string" : "number"), compared]
    })
  ])

const always: Sql = { text: "TRUE", values: [] }
const never: Sql = { text: "FALSE", values: [] }

/** All of the terms, or any. None at all are met with AND, and not with OR. */
export const joined = (operator: "AND" | "OR", terms: ReadonlyArray<Sql>): Sql => {
  if (terms.length === 0) return operator === "AND" ? always : never
  return {
    text: `(${terms.map(({ text }) => text).join(` ${operator} `)})`,
    values: terms.flatMap(({ values }) => values)
  }
}

// SQLite reads a quoted label as JSON does, escapes and all.
const pathOf = (key: string): string => `$.${JSON.stringify(key)}`
