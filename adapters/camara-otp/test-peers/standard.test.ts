/**
 * The standard's own files, next to the repository: its scenarios are ours, and its OpenAPI document describes each
 * answer.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bundleFromString, createConfig } from "@redocly/openapi-core"
import { Ajv } from "ajv"
import { beforeAll, describe, expect, it } from "vitest"
import { scenarios } from "../test/scenarios.ts"
import { openWorld } from "../test/World.ts"

const FOLDER = join(import.meta.dirname, "../../../../shared/data")
const RELEASE = "camara-r3.2-one-time-password-sms"
const FILES = {
  document: `${RELEASE}.yaml`,
  "send-code": `${RELEASE}-sendCode.feature`,
  "validate-code": `${RELEASE}-validateCode.feature`
} as const

const textOf = (name: keyof typeof FILES): string => readFileSync(join(FOLDER, FILES[name]), "utf8")

/** A part of the document, by the keys on its path. */
const partOf = (document: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((part, key) => Object(part)[key], document)

let document: unknown

beforeAll(async () => {
  const missing = Object.values(FILES).filter((name) => !existsSync(join(FOLDER, name)))
  if (missing.length > 0) {
    throw new Error(
      `Put ${missing.join(", ")} into ../shared/data: the files of github.com/camaraproject/OTPValidation at r3.2.`
    )
  }
  const config = await createConfig({})
  const { bundle } = await bundleFromString({ source: textOf("document"), config, dereference: true })
  document = bundle.parsed
})

describe.each(["send-code", "validate-code"] as const)("the scenarios of %s", (call) => {
  it("are the standard's, in its order", () => {
    const ids = [...textOf(call).matchAll(/^ *@OTPvalidationAPI_([\d.]+)_/gm)].map(([, id]) => id)
    expect(scenarios.filter((scenario) => scenario.call === call).map(({ id }) => id)).toEqual(ids)
  })
})

describe("an answer to", () => {
  const ajv = new Ajv({ strict: false })

  it.each(scenarios)(
    "$call $id is as the document describes it: $title",
    async ({ call, isCorrelated, run, status }) => {
      const world = await openWorld()
      const answer = await run(world)
      await world.dispose()
      expect(answer.status).toBe(status)
      const described = partOf(document, "paths", `/${call}`, "post", "responses", String(status))
      expect(described).toBeDefined()
      const schema = partOf(described, "content", "application/json", "schema")
      if (schema === undefined) return expect(answer.body).toBeNull()
      const isValid = ajv.compile(Object(schema))
      expect([isValid(answer.body), isValid.errors]).toEqual([true, null])
      const header = ajv.compile(Object(partOf(described, "headers", "x-correlator", "schema")))
      if (isCorrelated) expect(header(answer.correlator)).toBe(true)
    }
  )
})
