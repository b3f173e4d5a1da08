import { parse } from "@watchword/client/phone"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"
import { rows } from "../../schemas/test/corpus/Numbers.ts"

it.each(rows)("reads what people type as the service does: $kind › $from", ({ country, number, text }) => {
  expect(parse(text, country).number).toBe(number)
})

it("needs no Effect, and less than 90 KB", async () => {
  const input = fileURLToPath(import.meta.resolve("@watchword/client/phone"))
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  const [{ code, imports, moduleIds }] = output
  expect(imports).toEqual([])
  expect(moduleIds.filter((id) => /node_modules\/effect\//.test(id))).toEqual([])
  expect(code.length).toBeLessThan(90_000)
})
