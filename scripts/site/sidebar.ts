/**
 * The navigation of the site, read from the tables of docs/README.md: a page that has no row there is not in it.
 */
import { globSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { pages, read, root, titleOf } from "./pages.ts"

interface Item {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: ReadonlyArray<Item>
}

export const sidebar = (): ReadonlyArray<Item> => {
  const [, ...parts] = read("docs/README.md").split(/^## /m)
  return [
    { text: "Watchword", link: "/" },
    ...parts.map((part) => ({
      text: part.slice(0, part.indexOf("\n")),
      items: linksOf("docs/README.md", part).filter(({ link }) => link !== "/")
    })),
    {
      text: "The book of operators",
      link: "/operators/",
      collapsed: true,
      items: linksOf("docs/operators/README.md", read("docs/operators/README.md"), /^docs\/operators\//)
    },
    { text: "Packages", link: "/#packages", collapsed: true, items: folder("packages") },
    { text: "Examples", items: folder("examples") },
    { text: "Reference", link: "/reference/", collapsed: true, items: reference() }
  ]
}

/** The pages that a text of a document links to, each once, by their own titles. */
const linksOf = (source: string, text: string, only = /^/): ReadonlyArray<Item> => {
  const links = [...text.matchAll(/\]\(([^)#\s]+\.md)/g)].flatMap(([, url = ""]) => {
    const file = posix.normalize(posix.join(posix.dirname(source), url))
    const page = pages.find((page) => page.source === file)
    return page === undefined || !only.test(file) ? [] : [page]
  })
  return [...new Set(links)].map(({ source, target }) => ({ text: titleOf(read(source)), link: linkOf(target) }))
}

const folder = (name: string): ReadonlyArray<Item> =>
  pages
    .filter(({ target }) => target.startsWith(`${name}/`))
    .map(({ source, target }) => ({ text: titleOf(read(source)), link: linkOf(target) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))

const reference = (): ReadonlyArray<Item> =>
  globSync("reference/**/*.md", { cwd: join(root, "site/pages") })
    .sort()
    .map((path) => ({
      text: titleOf(readFileSync(join(root, "site/pages", path), "utf8")) || path,
      link: linkOf(path.replaceAll("\\", "/"))
    }))

const linkOf = (target: string): string => `/${target.replace(/\.md$/, "").replace(/(^|\/)index$/, "$1")}`
