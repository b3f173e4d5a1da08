/**
 * Builds the pages of packages/console into modules of assets, which are committed: a clone starts without a build.
 *
 * `npm run pages` writes them; a test says when they are not what the sources make.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { noticesOf } from "./notices.ts"

const folder = join(import.meta.dirname, "../packages/console")

/** The module of a page's assets, as it is to be. */
export const build = async (page: string): Promise<string> => {
  const { code, modules } = await bundled(join(folder, "pages", page, "main.tsx"))
  const style = minified(["tokens", "kit", page].map((name) => read("styles", `${name}.css`)).join("\n"))
  const files = [
    ["index.html", "text/html; charset=utf-8", read(page, "index.html").replaceAll(/\n\s*/g, "")],
    [`${page}.js`, "text/javascript; charset=utf-8", code],
    [`${page}.css`, "text/css; charset=utf-8", style],
    ["notices.txt", "text/plain; charset=utf-8", await noticesOf(modules)]
  ] as const
  return [
    "/** Files of the page. Written by scripts/pages.ts. */",
    `import { type Asset, asset } from "../Asset.ts"`,
    "",
    "// oxfmt-ignore",
    "export const files: ReadonlyMap<string, Asset> = new Map([",
    ...files.map(([name, type, text]) => `  ["${name}", ${entry(type, text)}],`),
    "])",
    ""
  ].join("\n")
}

export const fileOf = (page: string): string => join(folder, "src/internal/generated", `${page}.ts`)

export const pages = ["handset"]

const read = (...path: ReadonlyArray<string>): string => readFileSync(join(folder, "pages", ...path), "utf8")

const bundled = async (input: string) => {
  const bundle = await rolldown({ input, platform: "browser", transform: { target: "es2022" } })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const [{ code, moduleIds }] = output
  return { code, modules: moduleIds }
}

/** CSS without comments and what stands between its words for people. */
const minified = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim()

const entry = (type: string, text: string): string => {
  const bytes = Buffer.from(text)
  const zipped = gzipSync(bytes, { level: 9 })
  // The byte of the operating system differs between machines.
  zipped[9] = 255
  const etag = createHash("sha256").update(bytes).digest("hex").slice(0, 32)
  return `asset("${type}", '"${etag}"', ${bytes.length}, "${zipped.toString("base64")}")`
}

if (import.meta.main) for (const page of pages) writeFileSync(fileOf(page), await build(page))
