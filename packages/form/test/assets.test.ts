/**
 * The files of the handler's page, and the size of the element.
 */
import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import { build as bundle } from "esbuild"
import { describe, expect, it } from "vitest"
import { build } from "../../../scripts/formAssets.ts"
import { Browser, handlerOf, start } from "./service.ts"

describe("the assets of the page", () => {
  it("are what the sources make: else npm run pages", async () => {
    const world = await start()
    const browser = new Browser(handlerOf(world))
    const served = []
    for (const { name } of await build()) {
      const response = await browser.send("GET", null, {}, `?asset=${name}`)
      served.push({ name, type: response.headers.get("content-type"), text: await response.text() })
    }
    expect(served).toEqual(await build())
    await world.service.dispose()
  })

  it("are not sent twice, and no others are there", async () => {
    const world = await start()
    const browser = new Browser(handlerOf(world))
    const first = await browser.send("GET", null, {}, "?asset=form.js")
    const again = await browser.send(
      "GET",
      null,
      { "if-none-match": first.headers.get("etag") ?? "" },
      "?asset=form.js"
    )
    expect([first.status, again.status]).toEqual([200, 304])
    for (const name of ["constructor", "form.ts", "texts-xx.js", "../form.js", ""]) {
      expect([name, (await browser.send("GET", null, {}, `?asset=${name}`)).status]).toEqual([name, 404])
    }
    const german = await browser.send("GET", null, {}, "?asset=texts-de.js")
    expect(await german.text()).toContain("Telefonnummer")
    await world.service.dispose()
  })

  it("have nothing from elsewhere, and nothing that a strict policy refuses", async () => {
    for (const { name, text } of await build()) {
      if (name === "notices.txt") continue
      const elsewhere = /https?:\/\/(?!www\.w3\.org\/)[a-z]|\beval\(|new Function|\sstyle="|innerHTML/.exec(text)?.[0]
      expect([name, text.length > 100, elsewhere]).toEqual([name, true, undefined])
    }
  })
})

describe("the element, minified and compressed", () => {
  const sizes = async () => {
    const { outputFiles } = await bundle({
      entryPoints: [fileURLToPath(new URL("../src/element.ts", import.meta.url))],
      bundle: true,
      minify: true,
      charset: "utf8",
      format: "esm",
      splitting: true,
      outdir: "out",
      write: false,
      chunkNames: "[name]"
    })
    return new Map(outputFiles.map(({ contents, path }) => [path.replace(/.*\//, ""), gzipSync(contents).length]))
  }

  it("has at most 14 KB with one language, and 42 KB more once a number is entered", async () => {
    const found = await sizes()
    const size = (...names: ReadonlyArray<string>): number =>
      names.reduce((sum, name) => sum + (found.get(name) ?? Number.NaN), 0)
    expect(found.size).toBe(31)
    // The element and the reader of numbers share the chunk.
    expect(size("element.js", "chunk.js", "hi.js")).toBeLessThanOrEqual(14 * 1024)
    expect(size("Numbers.js")).toBeLessThanOrEqual(42 * 1024)
  })
})
