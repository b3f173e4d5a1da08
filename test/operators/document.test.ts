/**
 * The OpenAPI document of the operators' API.
 */
import { Validator } from "@seriousme/openapi-schema-validator"
import * as Schema from "effect/Schema"
import { afterEach, expect, it } from "vitest"
import { commands } from "@watchword/operator/commands"
import { endAll, start } from "./console.ts"

afterEach(endAll)

const Document = Schema.Struct({
  servers: Schema.Array(Schema.Struct({ url: Schema.String })),
  paths: Schema.Record(Schema.String, Schema.Struct({ post: Schema.Record(Schema.String, Schema.Unknown) })),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Schema.Unknown) })
})

it("is valid, has every command that is not local, and points at components that are there", async () => {
  const console = await start()
  const { token } = await console.grant("support")
  const { json, text } = await console.ask("openapi.json", { method: "GET", token })
  expect(await new Validator().validate(structuredClone(json))).toMatchObject({ valid: true })
  const { components, paths, servers } = Schema.decodeUnknownSync(Document)(json)
  const served = commands.filter(({ absent }) => absent.http === undefined)
  expect(Object.keys(paths)).toEqual(served.map(({ name }) => `/${name.join("/")}`))
  expect(Object.values(paths).map(({ post }) => post["x-role"])).toEqual(served.map(({ role }) => role))
  expect(new URL(`${servers[0]?.url}/guard/block`, "https://x/ops/operator/v1/openapi.json").pathname).toBe(
    "/ops/operator/v1/guard/block"
  )
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref)
  expect(refs.filter((ref) => !(ref.replace("#/components/schemas/", "") in components.schemas))).toEqual([])
})

it("says what a command takes, by the names of JSON", async () => {
  const console = await start()
  const { token } = await console.grant("support")
  const { json } = await console.ask("openapi.json", { method: "GET", token })
  expect(json).toMatchObject({
    paths: {
      "/guard/block": {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: { required: ["place", "for"], properties: { account_id: expect.anything() } }
              }
            }
          }
        }
      }
    }
  })
})
