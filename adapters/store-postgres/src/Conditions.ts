/**
 * Conditions and orders of lists as SQL on a delivery `d`. Names of columns come from this file, all values are bound.
 */
import type { Condition, Scalar } from "@watchword/pagination/Fields"
import { type Field, isDetail, keyOf } from "@watchword/store/Delivery"
import { type Column, columns, comparisons } from "@watchword/store/sql"
import { json, writable } from "./Rows.ts"

/** Binds a value, and answers its parameter. */
export type Bind = (value: unknown) => string

type Range = Extract<Condition<Field>, { readonly _tag: "Range" }>

/** Values bound for one query, in their order. */
export const binding = (): { readonly values: ReadonlyArray<unknown>; readonly bind: Bind } => {
  const values: Array<unknown> = []
  const bind: Bind = (value) => `$${values.push(typeof value === "string" ? writable(value) : value)}`
  return { values, bind }
}

/** A key that records are sorted by. */
export interface SortKey {
  readonly expression: string
  /** The direction, and where null is. */
  readonly way: string
}

/** The keys of an order: null first, then false and true as 0 and 1 among numbers, then texts. Ids break ties. */
export const sortKeys = (bind: Bind, field: Field, direction: "ASC" | "DESC"): ReadonlyArray<SortKey> => {
  const way = direction === "ASC" ? "ASC NULLS FIRST" : "DESC NULLS LAST"
  const byId = { expression: "d.id", way: direction }
  if (!isDetail(field)) return [{ expression: nameOf(field), way }, byId]
  const { number, text, type, value } = detail(bind, keyOf(field))
  const kind = `CASE ${type} WHEN 'string' THEN 2 WHEN 'number' THEN 1 WHEN 'boolean' THEN 1 ELSE 0 END`
  const truth = `CASE ${type} WHEN 'boolean' THEN (${value})::boolean::integer END`
  return [
    { expression: kind, way: direction },
    { expression: `coalesce(${number}, ${truth})`, way },
    { expression: text, way },
    byId
  ]
}

/** Whether a record meets a condition. */
export const predicate = (bind: Bind, condition: Condition<Field>): string => {
  const { field } = condition
  if (isDetail(field)) {
    const operand = detail(bind, keyOf(field))
    return condition._tag === "In"
      ? detailAmong(bind, operand, condition.values)
      : detailWithin(bind, operand, condition)
  }
  return condition._tag === "In" ? among(bind, field, condition.values) : within(bind, field, condition)
}

export const all = (terms: ReadonlyArray<string>): string => (terms.length === 0 ? "TRUE" : terms.join(" AND "))

const nameOf = (column: Column): string => `d.${columns[column].name}`

const among = (bind: Bind, column: Column, candidates: ReadonlyArray<Scalar>): string => {
  const name = nameOf(column)
  const { type } = columns[column]
  const wanted = candidates.filter((candidate) => typeof candidate === type)
  const list = () =>
    type === "string"
      ? `${bind(wanted.map((text) => writable(String(text))))}::text[]`
      : `${bind(wanted.filter(Number.isSafeInteger))}::bigint[]`
  const one = wanted.length === 0 ? "FALSE" : `${name} = ANY (${list()})`
  return candidates.includes(null) ? `(${one} OR ${name} IS NULL)` : one
}

const bounds = ["gte", "gt", "lte", "lt"] as const

const within = (bind: Bind, column: Column, range: Range): string => {
  const name = nameOf(column)
  const { type } = columns[column]
  return all([
    `${name} IS NOT NULL`,
    ...bounds.flatMap((bound) => {
      const value = range[bound]
      if (value === undefined) return []
      if (typeof value !== type) return ["FALSE"]
      return [`${name} ${comparisons[bound]} ${bind(value)}::${type === "string" ? "text" : "numeric"}`]
    })
  ])
}

/** A detail as conditions see it. Each expression is null for values of other types. */
interface Detail {
  /** Null when it is absent, JSON's null when it is null. */
  readonly value: string
  readonly type: string
  readonly number: string
  readonly text: string
}

const detail = (bind: Bind, key: string): Detail => {
  const value = `d.details -> ${bind(key)}::text`
  const type = `jsonb_typeof(${value})`
  return {
    value,
    type,
    number: `CASE ${type} WHEN 'number' THEN (${value})::numeric END`,
    text: `CASE ${type} WHEN 'string' THEN (${value}) #>> '{}' END COLLATE "C"`
  }
}

const detailAmong = (bind: Bind, { value }: Detail, candidates: ReadonlyArray<Scalar>): string =>
  `coalesce(${value}, 'null') = ANY (${bind(candidates.map((candidate) => json(candidate)))}::jsonb[])`

const detailWithin = (bind: Bind, { number, text, value }: Detail, range: Range): string =>
  all([
    `coalesce(${value}, 'null') <> 'null'`,
    ...bounds.flatMap((bound) => {
      const limit = range[bound]
      if (limit === undefined) return []
      const measured = typeof limit === "string" ? [text, "text"] : [number, "numeric"]
      return [`coalesce(${measured[0]} ${comparisons[bound]} ${bind(limit)}::${measured[1]}, FALSE)`]
    })
  ])
