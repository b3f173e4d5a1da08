/**
 * Fields of the chat gateway's endpoints that programs have under the names of all other records. The wire has the
 * names of the Telegram Gateway API, and its times in Unix seconds.
 */

/** The names in programs, by the names on the wire. */
export const NAMES: Readonly<Record<string, string>> = { phone_number: "to", request_cost: "price" }

/** The fields with Unix seconds, which programs have as ISO 8601 in UTC. */
export const TIMES: ReadonlySet<string> = new Set(["updated_at"])

/** Fields of records that lists sort and filter by, by their names in programs. */
const LISTED: Readonly<Record<string, string>> = { price: "request_cost" }

/** For `JSON.parse`: an object of an answer as programs have it. */
export const fromWire = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [NAMES[name] ?? name, timeOf(name, field)]))
    : value

const timeOf = (name: string, value: unknown): unknown =>
  TIMES.has(name) && typeof value === "number" ? new Date(value * 1000).toISOString() : value

/** The JSON of an error under the names of programs. An error about a list may name all of its fields. */
export const inPrograms = (json: string): string =>
  Object.entries(NAMES).reduce((text, [name, other]) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), other), json)

/** The body of a list as the wire has it. */
export const toWire = (body: {
  readonly sort_by?: string | undefined
  readonly filter?: object | undefined
}): object => ({
  ...body,
  ...(body.sort_by === undefined ? {} : { sort_by: LISTED[body.sort_by] ?? body.sort_by }),
  ...(body.filter === undefined
    ? {}
    : {
        filter: Object.fromEntries(Object.entries(body.filter).map(([name, value]) => [LISTED[name] ?? name, value]))
      })
})
