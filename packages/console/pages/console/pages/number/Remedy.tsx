/**
 * A remedy with its links to pages of the console, and its buttons for the number that it is about.
 */
import { ServerText } from "../../ServerText.tsx"
import { Exempt } from "./Acts.tsx"

/** `[label](target)`, as in Markdown. */
const MARK = /\[([^\]]+)\]\(([^)]+)\)/

export const Remedy = (given: { readonly text: string; readonly number: string; readonly done: () => void }) => {
  // Of the parts, each third one is a text, and the label and the target of a mark follow it.
  const parts = given.text.split(MARK)
  return (
    <p class="remedy">
      {parts.map((part, index) => {
        if (index % 3 === 0) return <ServerText key={index} text={part} />
        if (index % 3 === 2) return null
        const target = parts[index + 1] ?? ""
        return target.startsWith("#/") ? (
          <a key={index} href={target}>
            {part}
          </a>
        ) : (
          <Exempt key={index} class="link" number={given.number} done={given.done}>
            {part}
          </Exempt>
        )
      })}
      .
    </p>
  )
}
