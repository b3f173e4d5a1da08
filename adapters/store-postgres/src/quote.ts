import { escapeIdentifier } from "pg"

/** A name of a schema or a channel as SQL. */
export const quote = (name: string): string => escapeIdentifier(name)
