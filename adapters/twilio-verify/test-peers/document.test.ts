/**
 * Answers of the door against Twilio's own OpenAPI document, which lies next to the repository.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { twilioSids } from "@watchword/twilio-verify"
import { Ajv } from "ajv"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { PHONE, type World, openWorld } from "../test/fixture.ts"

const NAME = "twilio_verify_v2.json"
const FILE = join(import.meta.dirname, "../../../../shared/data", NAME)

let world: World
let ajv: Ajv

beforeAll(async () => {
  if (!existsSync(FILE)) {
    throw new Error(`Put ${NAME} into ../shared/data: spec/json of github.com/twilio/twilio-oai.`)
  }
  ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(withNulls(JSON.parse(readFileSync(FILE, "utf8"))), "twilio")
  world = await openWorld()
})

afterAll(() => world.close())

/** A document of OpenAPI 3.0 in the words of JSON Schema, in which null is a type. */
const withNulls = (part: unknown): object => Object(nulled(part))

const nulled = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(nulled)
  if (typeof part !== "object" || part === null) return part
  const { nullable, ...rest } = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, nulled(value)]))
  return nullable === true && typeof rest["type"] === "string" ? { ...rest, type: [rest["type"], "null"] } : rest
}

const Answer = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

/** Sends a request, and compares its answer with the document. */
const send = async (
  method: "GET" | "POST",
  pattern: string,
  ids: Readonly<Record<string, string>> = {},
  fields?: Readonly<Record<string, string>>
) => {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "")
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${twilioSids(world.account).account}:${world.key}`)}` },
    ...(fields !== undefined && { body: new URLSearchParams(fields) })
  })
  const answer = Schema.decodeUnknownSync(Answer)(await response.text())
  const place = ["paths", pattern, method.toLowerCase(), "responses", String(response.status)]
  const pointer = [...place, "content", "application/json", "schema"]
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/")
  const isValid = ajv.compile({ $ref: `twilio#/${pointer}` })
  expect([pattern, response.status, isValid(answer), isValid.errors]).toEqual([pattern, response.status, true, null])
  return answer
}

const VERIFICATIONS = "/v2/Services/{ServiceSid}/Verifications"
const VERIFICATION = `${VERIFICATIONS}/{Sid}`
const CHECK = "/v2/Services/{ServiceSid}/VerificationCheck"

it("each answer is as Twilio's document describes it", async () => {
  const ServiceSid = world.va
  const created = await send("POST", VERIFICATIONS, { ServiceSid }, { To: PHONE, Channel: "sms" })
  const Sid = String(created["sid"])
  await send("GET", VERIFICATION, { ServiceSid, Sid })
  await send("POST", CHECK, { ServiceSid }, { To: PHONE, Code: "00000" })
  await send("POST", CHECK, { ServiceSid }, { To: PHONE, Code: await world.code() })
  world.pass(31_000)
  const payment = { Amount: "39.99 EUR", Payee: "Acme" }
  const second = await send("POST", VERIFICATIONS, { ServiceSid }, { To: PHONE, Channel: "whatsapp", ...payment })
  await send("POST", VERIFICATION, { ServiceSid, Sid: String(second["sid"]) }, { Status: "canceled" })
  await send("GET", "/v2/Services")
  await send("GET", "/v2/Services/{Sid}", { Sid: ServiceSid })
  const { attempts } = await send("GET", "/v2/Attempts")
  const [first] = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ sid: Schema.String })))(attempts)
  await send("GET", "/v2/Attempts/{Sid}", { Sid: first?.sid ?? "" })
  expect(await send("GET", "/v2/Attempts/Summary")).toMatchObject({ total_attempts: 2 })
})

it("the document would notice another answer", () => {
  const isValid = ajv.compile({ $ref: "twilio#/components/schemas/verify.v2.service.verification" })
  expect(isValid({ sid: "VE1", channel: "telegram" })).toBe(false)
})
