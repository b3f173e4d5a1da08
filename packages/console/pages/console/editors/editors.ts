/**
 * The editors by the names of their fields. A form loads this module when it needs one of them.
 */
import type { Editor } from "./Editor.ts"
import { RulesEditor } from "./RulesEditor.tsx"
import { StepsEditor } from "./StepsEditor.tsx"

export const editors: Readonly<Record<string, Editor>> = { rules: RulesEditor, steps: StepsEditor }
