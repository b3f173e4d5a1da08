import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { consolePage, handsetPage } from "@watchword/console"
import { describe, expect, it } from "vitest"
import { build } from "../../../scripts/pages.ts"

const textOf = async (gzip: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Response(new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"))).text()

describe.each([
  ["handset", handsetPage],
  ["console", consolePage]
])("the page %s", (page, { files, headers }) => {
  // Versions of zlib compress differently, so this compares the decompressed text, as a browser reads it.
  it("is what its sources make: else npm run pages", async () => {
    const found = await Promise.all(
      [...files].map(async ([name, { gzip, type }]) => ({ name, type, text: await textOf(gzip) }))
    )
    expect(found).toEqual(await build(page))
  })

  /** The names of a script and of the scripts that it imports before it runs. */
  const importedBy = async (name: string): Promise<ReadonlyArray<string>> => {
    const text = await textOf(files.get(name)?.gzip ?? new Uint8Array())
    const imports = [...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, imported]) => imported ?? "")
    return [name, ...(await Promise.all(imports.map(importedBy))).flat()]
  }

  it("loads with at most 40 KB", async () => {
    const sizeOf = (name: string): number => files.get(name)?.gzip.length ?? Number.NaN
    const first = [...new Set(await importedBy(`${page}.js`))]
    const all = ["index.html", `${page}.css`, ...first]
    expect(all.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(40 * 1024)
    // What later pages need, and the first page does not, is loaded with them.
    expect([...files.keys()].filter((name) => name.endsWith(".js") && !first.includes(name)).length > 0).toBe(
      page === "console"
    )
    const html = await textOf(files.get("index.html")?.gzip ?? new Uint8Array())
    expect([...html.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, name]) => name)).toEqual(first.slice(1))
  })

  it("has nothing from elsewhere, and nothing that a strict policy refuses", async () => {
    for (const [name, { gzip }] of files) {
      if (name === "notices.txt") continue
      const text = await textOf(gzip)
      const elsewhere = /https?:\/\/(?!www\.w3\.org\/)[a-z]|\beval\(|new Function|\sstyle="/.exec(text)?.[0]
      expect([name, text.length > 100, elsewhere]).toEqual([name, true, undefined])
    }
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*trusted-types 'none'$/)
  })
})

it("sets no HTML from texts", () => {
  const folder = fileURLToPath(new URL("../pages", import.meta.url))
  const sources = globSync("**/*.{ts,tsx}", { cwd: folder })
  const setting = sources.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|srcdoc|document\.write/i.test(readFileSync(`${folder}/${name}`, "utf8"))
  )
  expect([sources.length > 60, setting]).toEqual([true, []])
})

it("is a package of at most 250 KB", () => {
  const sizes = [...handsetPage.files.values(), ...consolePage.files.values()].map(({ gzip }) =>
    Math.ceil((gzip.length * 4) / 3)
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250 * 1024)
})
