/**
 * The table of types of events.
 */
import { eventBodies, eventTexts } from "../../packages/schemas/src/Event.ts"
import { heldRows } from "./rows.ts"

const texts: ReadonlyMap<string, string> = new Map(Object.entries(eventTexts))

/** @param before the table as it was */
export const eventsTable = (before: string): string =>
  heldRows(
    before,
    new Map(
      Object.entries(eventBodies).flatMap(([name, { fields }]) =>
        fields.type.literals.map((type) => [type, texts.get(name) ?? ""] as const)
      )
    ),
    0
  )
