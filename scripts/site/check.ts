/**
 * Requirements for the built site: all links lead to a page, nothing is loaded from elsewhere, the text is in the first
 * response, and the first load is small.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { gzipSync } from "node:zlib"

/** The maximum compressed size in octets of everything that a page loads. */
const FIRST_LOAD = 200 * 1024

export interface Checked {
  readonly pages: number
  /** The heaviest page and its size in octets. */
  readonly heaviest: readonly [page: string, size: number]
  readonly problems: ReadonlyArray<string>
}

export const check = (folder: string): Checked => {
  const pages = new Map(
    globSync("**/*.html", { cwd: folder }).map((path) => [
      path.replaceAll("\\", "/"),
      readFileSync(join(folder, path), "utf8")
    ])
  )
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(allOf(html, / id="([^"]+)"/g))]))
  const sizes = new Map<string, number>()
  const sizeOf = (path: string): number => {
    const size = sizes.get(path) ?? gzipSync(readFileSync(join(folder, path))).length
    sizes.set(path, size)
    return size
  }

  const brokenLinks = (path: string, html: string): ReadonlyArray<string> =>
    allOf(html, /<(?:a|img)\b[^>]*? (?:href|src)="([^"]*)"/g).filter((url) => {
      if (/^(?:[a-z]+:)/.test(url)) return false
      const [to = "", hash = ""] = decodeURI(url.replaceAll("&amp;", "&")).split("#")
      const there = fileOf(
        to === "" ? `/${path}` : posix.join("/", posix.dirname(path), to.startsWith("/") ? "" : to, ""),
        to
      )
      if (!existsSync(join(folder, there))) return true
      return hash !== "" && pages.has(there) && ids.get(there)?.has(hash) !== true
    })

  const problems: Array<string> = []
  let heaviest: readonly [string, number] = ["", 0]
  for (const [path, html] of pages) {
    const wrong = (what: string) => problems.push(`${path}: ${what}`)
    for (const url of new Set(brokenLinks(path, html))) wrong(`leads nowhere: ${url}`)
    for (const url of loadedBy(html).filter((url) => !url.startsWith("/"))) wrong(`loads from elsewhere: ${url}`)
    if (path !== "404.html" && !/<h1[^>]*>\s*[^<\s]/.test(html.replaceAll(/<h1([^>]*)>(?:<[^/][^>]*>)+/g, "<h1$1>"))) {
      wrong("has no heading in its HTML")
    }
    const files = [path, ...loadedBy(html).map((url) => url.slice(1))].filter((file) => existsSync(join(folder, file)))
    const size = files.reduce((sum, file) => sum + sizeOf(file), 0)
    if (size > FIRST_LOAD) wrong(`loads ${size} octets first, and may load ${FIRST_LOAD}`)
    if (size > heaviest[1]) heaviest = [path, size]
  }
  for (const path of globSync("assets/**/*.css", { cwd: folder })) {
    const found = allOf(readFileSync(join(folder, path), "utf8"), /url\(["']?((?:https?:)?\/\/[^)"']+)/g)
    for (const url of found) problems.push(`${path}: loads from elsewhere: ${url}`)
  }
  return { pages: pages.size, heaviest, problems }
}

/** The file of an address: its own path if it begins at the root, else the path joined to the page's folder. */
const fileOf = (joined: string, url: string): string => {
  const path = (url.startsWith("/") ? url : joined).replace(/^\//, "")
  if (path === "" || path.endsWith("/")) return `${path}index.html`
  return /\.\w+$/.test(posix.basename(path)) ? path : `${path}.html`
}

/** The addresses that a browser fetches with the page. */
const loadedBy = (html: string): ReadonlyArray<string> => [
  ...new Set([
    ...allOf(html, /<script\b[^>]*? src="([^"]+)"/g),
    ...allOf(html, /<link\b(?=[^>]*rel="(?:preload )?(?:stylesheet|modulepreload|preload)")[^>]*? href="([^"]+)"/g)
  ])
]

const allOf = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, url = ""]) => url)
