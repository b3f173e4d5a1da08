/**
 * Builds the pages of packages/console into modules of assets, which are committed, so that a clone starts without a
 * build.
 *
 * `npm run pages` writes them; a test fails if they differ from the build of the sources.
 */
import { createHash } from "node:crypto"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import * as formAssets from "./formAssets.ts"
import { noticesOf } from "./notices.ts"

const folder = join(import.meta.dirname, "../packages/console/pages")

export interface File {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** The expected files of a page. */
export const build = async (page: string): Promise<ReadonlyArray<File>> => {
  const { modules, scripts } = await bundled(page)
  const styles = ["styles/tokens.css", "styles/kit.css", ...globSync(`${page}/*.css`, { cwd: folder }).sort()]
  return [
    { name: "index.html", type: "text/html; charset=utf-8", text: preloading(read(`${page}/index.html`), scripts) },
    ...scripts.map(({ code, name }) => ({ name, type: "text/javascript; charset=utf-8", text: code })),
    { name: `${page}.css`, type: "text/css; charset=utf-8", text: minified(styles.map(read).join("\n")) },
    { name: "notices.txt", type: "text/plain; charset=utf-8", text: await noticesOf(modules) }
  ]
}

/** The module that contains the files. */
const moduleOf = (files: ReadonlyArray<File>): string =>
  [
    "/** Files of the page. Written by scripts/pages.ts. */",
    `import { type Asset, asset } from "../Asset.ts"`,
    "",
    "// oxfmt-ignore",
    "export const files: ReadonlyMap<string, Asset> = new Map([",
    ...files.map((file) => `  ["${file.name}", ${entry(file)}],`),
    "])",
    ""
  ].join("\n")

const fileOf = (page: string): string => join(folder, "../src/internal/generated", `${page}.ts`)

const pages = ["handset", "console"]

const read = (path: string): string => readFileSync(join(folder, path), "utf8")

/**
 * The page's script, first, and the scripts that it loads later. Their names have a hash of their content, so an open
 * page never loads a script of another version.
 */
const bundled = async (page: string) => {
  const bundle = await rolldown({
    input: { [page]: join(folder, page, "main.tsx") },
    platform: "browser",
    transform: { target: "es2022" }
  })
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === "chunk")
  return {
    scripts: chunks.map(({ code, fileName, imports }) => ({ code, imports, name: fileName })),
    modules: [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds))]
  }
}

type Script = Awaited<ReturnType<typeof bundled>>["scripts"][number]

/** The page without white space between its tags. It loads the scripts that the first one imports together with it. */
const preloading = (html: string, [first]: ReadonlyArray<Script>): string =>
  html
    .replaceAll(/\n\s*/g, "")
    .replace(
      "</head>",
      `${first?.imports.map((name) => `<link rel="modulepreload" href="${name}" />`).join("") ?? ""}</head>`
    )

/** CSS without comments and without the white space between its tokens. */
const minified = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim()

const entry = ({ text, type }: File): string => {
  const bytes = Buffer.from(text)
  const zipped = gzipSync(bytes, { level: 9 })
  const etag = createHash("sha256").update(bytes).digest("hex").slice(0, 32)
  return `asset("${type}", '"${etag}"', ${bytes.length}, "${zipped.toString("base64")}")`
}

if (import.meta.main) {
  for (const page of pages) writeFileSync(fileOf(page), moduleOf(await build(page)))
  writeFileSync(formAssets.file, formAssets.moduleOf(await formAssets.build()))
}
