/**
 * Inputs of programs, which have the names and the times of JSON.
 */
import { type BadRequest, type Issue, invalid, unknownField } from "@watchword/schemas/Errors"
import { parseTime } from "@watchword/pagination/Fields"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { Face } from "./Wire.ts"

/**
 * Reads an input of a program with the names and the times of its command. An undefined field counts as left out.
 */
export const namesOf = (
  faces: ReadonlyArray<Face>,
  input: Schema.Top
): ((given: unknown) => Result.Result<unknown, BadRequest>) => {
  const byJson = new Map(faces.map((face) => [face.json, face]))
  const known = [...byJson.keys()]
  const times = timesIn(Schema.toType(input).ast)
  return (given) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return Result.succeed(given)
    const issues: Array<Issue> = []
    const named: Record<string, unknown> = {}
    for (const [json, value] of Object.entries(given)) {
      const face = byJson.get(json)
      if (face === undefined) issues.push({ path: json.slice(0, 64), message: unknownField(json, known) })
      else if (value !== undefined)
        named[face.name] = times.has(face.name) ? (timeOf(value) ?? wrong(json, issues)) : value
    }
    return issues.length === 0 ? Result.succeed(named) : Result.fail(invalid(issues.slice(0, 20)))
  }
}

const timeOf = (value: unknown): unknown => {
  if (typeof value !== "string") return undefined
  return Option.match(parseTime(value), { onNone: () => undefined, onSome: (at) => new Date(at) })
}

const wrong = (path: string, issues: Array<Issue>): undefined => {
  issues.push({ path, message: "must be a time in ISO 8601, for example 2027-01-31T12:00:00Z" })
}

/** The fields of an object that are times. */
const timesIn = (ast: SchemaAST.AST): ReadonlySet<PropertyKey> =>
  new Set(
    ast._tag === "Objects" ? ast.propertySignatures.filter(({ type }) => isTime(type)).map(({ name }) => name) : []
  )

const isTime = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union" ? ast.types.some(isTime) : ast._tag === "Declaration" && ast.run === Schema.Date.ast.run
