/**
 * Writes the documents as pages of the site. Links lead to the pages of other documents, or to the repository for every
 * other file. Each page names its source, for the edit link.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { type Page, pages, read, relative, root, titleOf } from "./pages.ts"
import { sidebar } from "./sidebar.ts"

export const folder = join(root, "site/pages")

/** Pictures that pages show, and their folder on the site. */
const PICTURES = ["docs/pictures", "pictures"] as const

/** The repository's web address, from package.json or DOCS_REPOSITORY; undefined until it has one. */
export const repository = (): string | undefined => {
  const { repository }: { repository?: string | { url: string } } = JSON.parse(read("package.json"))
  const url = process.env["DOCS_REPOSITORY"] ?? (typeof repository === "string" ? repository : repository?.url)
  return url === undefined || url === "" ? undefined : url.replace(/^git\+/, "").replace(/\.git$/, "")
}

/** Writes all pages except the reference, which stays unchanged. */
export const gather = (): void => {
  const broken = pages.flatMap(write)
  if (broken.length > 0) throw new Error(`These links of documents lead nowhere:\n${broken.join("\n")}`)
  const [from, to] = PICTURES
  rmSync(join(folder, to), { recursive: true, force: true })
  cpSync(join(root, from), join(folder, to), { recursive: true })
  writeFileSync(join(folder, "sidebar.json"), JSON.stringify(sidebar(), undefined, 2))
}

/** Writes one page, and returns the document's links that lead to no file. */
export const write = ({ source, target }: Page): ReadonlyArray<string> => {
  const broken: Array<string> = []
  const text = outsideCode(read(source), (prose) =>
    prose
      .replaceAll(/<!--[^]*?-->\n?/g, "")
      .replaceAll(
        /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
        (link, image: string, label: string, url: string) => {
          if (/^(?:[a-z]+:|#|\/)/.test(url)) return link
          const [path = "", hash] = url.split("#")
          const file = posix.normalize(posix.join(posix.dirname(source), path))
          if (!existsSync(join(root, file))) broken.push(`${source}: ${url}`)
          const there = targetOf(file)
          if (there !== undefined) return `${image}[${label}](${relative(target, there)}${hash ? `#${hash}` : ""})`
          const web = repository()
          return web === undefined ? label : `[${label}](${web}/blob/main/${file}${hash ? `#${hash}` : ""})`
        }
      )
  )
  const path = join(folder, target)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `---\nsource: ${JSON.stringify(source)}\ntitle: ${JSON.stringify(titleOf(text))}\n---\n\n${text}`)
  return broken
}

const targetOf = (file: string): string | undefined => {
  const [from, to] = PICTURES
  if (file.startsWith(`${from}/`)) return `${to}${file.slice(from.length)}`
  return pages.find(({ source }) => source === file || source === `${file}/README.md`)?.target
}

/** The text with changed prose; code, in fences or between backticks, stays unchanged. */
const outsideCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("")
