/**
 * Values of a JSON document by their paths: `messages.*.id`.
 */
import { at } from "./Fields.ts"

/** The values at a path, in the document's order; missing values are left out. */
export const valuesAt = (value: unknown, path: string): ReadonlyArray<unknown> =>
  path
    .split(".")
    .reduce<ReadonlyArray<unknown>>(
      (found, name) => found.flatMap((each) => (name === "*" ? (Array.isArray(each) ? each : []) : [at(each, name)])),
      [value]
    )
    .filter((each) => each !== undefined)

/** The first value at a path; undefined without one, or without a path. */
export const first = (value: unknown, path: string | undefined): unknown =>
  path === undefined ? undefined : valuesAt(value, path)[0]
