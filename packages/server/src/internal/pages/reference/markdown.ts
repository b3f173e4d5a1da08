/**
 * The Markdown of descriptions as markup: paragraphs, headings, lists, fenced code, code, bold and links.
 */
import { escaped } from "../dress.ts"

/** @param code how a fenced block is shown */
export const markdown = (source: string, code: (text: string) => string): string =>
  source
    .split(/^(```\w*\n[^]*?\n```)$/m)
    .flatMap((part) => {
      const [, fenced] = /^```\w*\n([^]*?)\n```$/.exec(part) ?? []
      return fenced === undefined ? part.split(/\n{2,}/).map(block) : [code(fenced)]
    })
    .filter(Boolean)
    .join("\n")

const block = (source: string): string => {
  const trimmed = source.trim()
  if (trimmed === "") return ""
  const [, heading] = /^#+ (.*)$/.exec(trimmed) ?? []
  if (heading !== undefined) return `<h2>${inline(heading)}</h2>`
  const items = trimmed.split(/^[-*] /m)
  if (items.length > 1 && items[0] === "")
    return `<ul>${items
      .slice(1)
      .map((item) => `<li>${inline(item.trim())}</li>`)
      .join("")}</ul>`
  return `<p>${inline(trimmed)}</p>`
}

/** One line of it. */
export const inline = (source: string): string =>
  source
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 2
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : escaped(part)
            .replaceAll(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
            .replaceAll(/\[([^\]]+)\]\(((?:https?:\/\/|#)[^)\s]+)\)/g, '<a href="$2">$1</a>')
    )
    .join("")
