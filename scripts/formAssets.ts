/**
 * Builds the script and the style of packages/form's own page into a module of assets, which is committed, as the
 * console's pages are. The page loads what reads numbers as a file of its own, once a number is entered.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { noticesOf } from "./notices.ts"

const folder = join(import.meta.dirname, "../packages/form")

/** The module with the assets, and where it belongs. */
export const file = join(folder, "src/internal/generated/assets.ts")

export interface File {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** The files, as the sources make them. */
export const build = async (): Promise<ReadonlyArray<File>> => {
  const [form, numbers] = [await bundled("src/element.ts"), await bundled("src/internal/numbers/Numbers.ts")]
  const css = readFileSync(join(folder, "page/form.css"), "utf8")
  return [
    { name: "form.css", type: "text/css; charset=utf-8", text: minified(css) },
    { name: "form.js", type: "text/javascript; charset=utf-8", text: form.code },
    { name: "numbers.js", type: "text/javascript; charset=utf-8", text: numbers.code },
    {
      name: "notices.txt",
      type: "text/plain; charset=utf-8",
      text: await noticesOf([...form.modules, ...numbers.modules])
    }
  ]
}

/** The module that has them. */
export const moduleOf = (files: ReadonlyArray<File>): string =>
  [
    "/** Files of the form's page. Written by scripts/formAssets.ts. */",
    "export interface File {",
    "  readonly type: string",
    "  readonly etag: string",
    "  /** In base 64. */",
    "  readonly gzip: string",
    "}",
    "",
    "// oxfmt-ignore",
    "export const files: Readonly<Record<string, File>> = {",
    files.map(entry).join(",\n"),
    "}",
    ""
  ].join("\n")

const entry = ({ name, text, type }: File): string => {
  const etag = createHash("sha256").update(text).digest("hex").slice(0, 32)
  const gzip = gzipSync(text, { level: 9 }).toString("base64")
  return `  "${name}": { type: "${type}", etag: '"${etag}"', gzip: "${gzip}" }`
}

/** The name under which the page requests a module; null if the module is bundled. */
const assetOf = (specifier: string): string | null => {
  if (specifier.endsWith("numbers/Numbers.ts")) return "numbers.js"
  const [, language] = /^\.\/([a-z]{2})\.ts$/.exec(specifier) ?? []
  return language === undefined || language === "en" ? null : `texts-${language}.js`
}

const bundled = async (input: string) => {
  const bundle = await rolldown({
    input: join(folder, input),
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [
      {
        name: "assets",
        resolveDynamicImport: (specifier) => {
          const asset = typeof specifier === "string" ? assetOf(specifier) : null
          return asset === null ? null : { id: `asset:${asset}`, external: true }
        }
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const [{ code, moduleIds }] = output
  // Relative to the module's own address, whose query says which file it is.
  const text = code.replaceAll(
    /import\((["'`])asset:([a-z.-]+)\1\)/g,
    'import(new URL("?asset=$2",import.meta.url).href)'
  )
  if (output.length > 1 || text.includes("asset:")) throw new Error(`${input} is not one file`)
  return { code: text, modules: moduleIds }
}

/** CSS without comments and what stands between its words for people. */
const minified = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim()
