/**
 * An editor of a field whose value has parts: it keeps the value in a hidden input of the field's name.
 */
import type { ComponentType } from "preact"

export interface EditorProps {
  /** The name of the field. */
  readonly name: string
  readonly label: string
  /** The value at first, as in JSON; undefined for a new one. */
  readonly first: unknown
  /** The fields of the input that the page knows. */
  readonly given: object
}

export type Editor = ComponentType<EditorProps>
