/**
 * A field with an editor of its own, which the first form that needs it loads.
 */
import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { loading } from "./api.ts"
import type { Editor, EditorProps } from "./editors/Editor.ts"
import { Waiting } from "./Head.tsx"

/** The fields that have an editor. */
const EDITED = new Set(["rules", "steps"])

export const isEdited = (name: string): boolean => EDITED.has(name)

/** @param given.instead for a page whose server has been updated since, so that the editor is not there any more */
export const Edited = ({ instead, ...props }: EditorProps & { readonly instead: JSX.Element }) => {
  const editor = useSignal<Editor | "none" | null>(null)
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { editors } = await loading(import("./editors/editors.ts"))
      editor.value = editors[props.name] ?? "none"
    }
    load().catch(() => (editor.value = "none"))
  }, [])
  const Loaded = editor.value
  if (Loaded === null) return <Waiting lines={3} />
  return Loaded === "none" ? instead : <Loaded {...props} />
}
