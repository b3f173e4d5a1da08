/**
 * The examples of docs/testing.md that start the other side of a wire.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { format } from "node:util"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const PAGE = fileURLToPath(new URL("../../../docs/testing.md", import.meta.url))
/** Inside the package, so that the examples resolve its dependencies. */
const FOLDER = fileURLToPath(new URL(`../build/docs-${process.pid}`, import.meta.url))

const sections = (await readFile(PAGE, "utf8")).split(/^## /m)
const examples = ["Carriers", "Platforms and providers"].flatMap((title) => {
  const section = sections.find((each) => each.startsWith(`${title}\n`)) ?? ""
  return [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], nth) => [`${title} ${nth + 1}`, code])
})

beforeAll(() => mkdir(FOLDER, { recursive: true }))
afterAll(() => rm(FOLDER, { recursive: true }))

describe("an example of the page about tests", () => {
  it.each(examples)("prints what it says: %s", async (name = "", code = "") => {
    const printed: Array<string> = []
    const log = vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(format(...values)))
    const file = `${FOLDER}/${name.replaceAll(" ", "-")}.ts`
    await writeFile(file, code)
    await import(pathToFileURL(file).href)
    log.mockRestore()
    const said = [...code.matchAll(/^ *console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line]) => line)
    expect(said.length).toBeGreaterThan(0)
    expect(printed).toEqual(said)
  })

  it("is there for each kind of peer", () => {
    const code = examples.map(([, code]) => code).join("\n")
    for (const peer of ["smsc", "trunk", "telegramApi", "whatsAppApi", "twilioApi"])
      expect(code).toContain(`await ${peer}(`)
  })
})
