/**
 * Commands for pages and programs: names, roles and the fields of inputs.
 */
import type { AnyCommand, Role } from "../command/Command.ts"
import type { Face } from "../command/Wire.ts"
import { includes } from "../identity/Identity.ts"

/** A command without what runs it. */
export type Shown = Pick<AnyCommand<never>, "name" | "description" | "role" | "isWatchable" | "fields" | "localFields">

/** The commands of a role. */
export const listed = (commands: ReadonlyArray<Shown>, own: Role) => ({
  commands: commands
    .filter(({ role }) => includes(own, role))
    .map(({ description, fields, isWatchable, localFields, name, role }) => ({
      name: name.join(" "),
      description,
      role,
      watchable: isWatchable,
      fields: fields.filter(({ json }) => !localFields.includes(json)).map(shown)
    }))
})

const shown = ({ choices, description, example, isNullable, isOptional, json, kind }: Face) => ({
  name: json,
  description,
  kind,
  optional: isOptional,
  nullable: isNullable,
  example: example ?? null,
  choices: choices ?? null
})

/** An input as JSON has it, of a path with a query such as `?limit=10&mode=live`. */
export const inputOf = (fields: ReadonlyArray<Face>, path: string): unknown =>
  Object.fromEntries(
    [...new URLSearchParams(path.split("?").slice(1).join("?"))].map(([name, text]) => {
      const field = fields.find(({ json }) => json === name)
      return [name, field === undefined ? text : valueOf(field.kind, text)]
    })
  )

const valueOf = (kind: Face["kind"], text: string): unknown => {
  if (kind === "flag") return text === "true" ? true : text === "false" ? false : text
  if (kind === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  return kind === "list" ? text.split(",") : text
}
