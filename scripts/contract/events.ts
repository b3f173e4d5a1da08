/**
 * The table of types of events.
 */
import { eventBodies } from "../../packages/schemas/src/Event.ts"
import { heldRows } from "./rows.ts"

/** @param before the table as it was */
export const eventsTable = (before: string): string =>
  heldRows(
    before,
    new Map(
      Object.values(eventBodies).flatMap(({ ast, fields }) =>
        fields.type.literals.map((type) => [type, `${ast.annotations?.["description"] ?? ""}`] as const)
      )
    ),
    0
  )
