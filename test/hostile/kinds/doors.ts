/**
 * Requests at the doors, with valid credentials and hostile paths, forms and bodies, and with hostile credentials.
 */
import { camaraOtp } from "../../../adapters/camara-otp/src/index.ts"
import { bytes, type HandlePromise } from "@watchword/server/Host"
import { twilioSids, twilioVerify } from "../../../adapters/twilio-verify/src/index.ts"
import { vonageVerify } from "../../../adapters/vonage-verify/src/index.ts"
import * as fc from "fast-check"
import { body, text } from "../inputs.ts"
import type { Kind } from "../Kind.ts"
import { type Subject, kindOf, subject } from "../properties.ts"
import { type World, openWorld } from "../World.ts"

const EXPECTED = new Set([200, 201, 202, 204, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 429, 503])

interface Asked {
  readonly method?: string
  readonly path: string
  readonly type: string
  readonly authorization: string
  readonly given?: Uint8Array
}

/** Asks a door, and returns the fault in its answer. */
const ask = async (
  world: World,
  handle: HandlePromise,
  { authorization, given, method = "POST", path, type }: Asked
): Promise<string | undefined> => {
  const headers = { authorization, "content-type": type, host: "127.0.0.1" }
  const content = given === undefined ? ({ _tag: "Absent" } as const) : bytes(given)
  const { body: answer, status } = await handle({ method, path, headers, body: content, remoteAddress: "192.0.2.1" })
  const said = String(answer ?? "")
  if (!EXPECTED.has(status)) return `answered ${status} ${said.slice(0, 300)}`
  if (said.includes(world.key)) return "the key is in the answer"
  return world.readLog()
}

const FORM = "application/x-www-form-urlencoded"
const JSON_TYPE = "application/json"

const parameters = [
  ..."To Channel Code CustomCode Locale TemplateSid TemplateCustomSubstitutions AppHash DeviceIp Tags Amount".split(
    " "
  ),
  ..."Payee RateLimits ChannelConfiguration Status VerificationSid Tags[a] PageSize Page".split(" ")
]

const form = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...parameters) }, text(10)),
      fc.oneof(fc.constantFrom("+4915123456789", "sms", "whatsapp", "auto", "123456", '{"a":"b"}', "canceled"), text())
    ),
    { maxLength: 12 }
  )
  .map((pairs) =>
    new URLSearchParams(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])).toString()
  )

const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH")

/** Parts of a path, some of them valid. */
const partsOf = (known: ReadonlyArray<string>) =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, text(12)), { maxLength: 6 })
    .map((parts) => `/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`)

const twilio = (world: World): ReadonlyArray<Subject> => {
  const { handle } = twilioVerify(world.service)
  const sids = twilioSids(world.account)
  const authorization = `Basic ${btoa(`${sids.account}:${world.key}`)}`
  const service = `/v2/Services/${sids.service}`
  const paths = partsOf(["v2", "Services", sids.service, "Verifications", "VerificationCheck", "Attempts", "Summary"])
  const calls = fc.constantFrom("Verifications", "VerificationCheck", "Verifications/+4915123456789")
  return [
    subject("forms at Twilio's door", fc.tuple(calls, form), ([call, sent]) =>
      ask(world, handle, { path: `${service}/${call}`, type: FORM, authorization, given: Buffer.from(sent) })
    ),
    subject("bodies at Twilio's door", body({ To: "+4915123456789", Channel: "sms", Tags: { a: "b" } }), (given) =>
      ask(world, handle, { path: `${service}/Verifications`, type: JSON_TYPE, authorization, given })
    ),
    subject("paths at Twilio's door", fc.tuple(method, paths, form), ([asked, path, query]) =>
      ask(world, handle, { method: asked, path: `${path}?${query}`, type: FORM, authorization })
    )
  ]
}

const VONAGE = { brand: "Acme", workflow: [{ channel: "sms", to: "4915123456789" }], code_length: 6, client_ref: "a" }

const vonage = (world: World): ReadonlyArray<Subject> => {
  const { handle } = vonageVerify(world.service)
  const authorization = `Basic ${btoa(`${world.account}:${world.key}`)}`
  const paths = partsOf(["v2", "verify", "c11236f4-00bf-4b89-84ba-88b25df97315", "next-workflow", "next_workflow"])
  return [
    subject("starts at Vonage's door", body(VONAGE), (given) =>
      ask(world, handle, { path: "/v2/verify", type: JSON_TYPE, authorization, given })
    ),
    subject("checks at Vonage's door", fc.tuple(method, paths, body({ code: "123456" })), ([asked, path, given]) =>
      ask(world, handle, { method: asked, path, type: JSON_TYPE, authorization, given })
    )
  ]
}

const camara = (world: World): ReadonlyArray<Subject> => {
  const { handle } = camaraOtp(world.service)
  const authorization = `Bearer ${world.key}`
  const grant = { grant_type: "client_credentials", client_id: world.account, client_secret: "no" }
  return [
    subject(
      "texts at CAMARA's door",
      body({ phoneNumber: "+4915123456789", message: "{{code}} is your code." }),
      (given) => ask(world, handle, { path: "/v1/send-code", type: JSON_TYPE, authorization, given })
    ),
    subject(
      "checks at CAMARA's door",
      body({ authenticationId: "vrf_01KAJ3T8ZZ0000000000000000", code: "123456" }),
      (given) => ask(world, handle, { path: "/v1/validate-code", type: JSON_TYPE, authorization, given })
    ),
    subject("grants at CAMARA's door", fc.tuple(form, fc.boolean()), ([sent, isWhole]) => {
      const given = Buffer.from(isWhole ? `${new URLSearchParams(grant).toString()}&${sent}` : sent)
      return ask(world, handle, { path: "/oauth2/token", type: FORM, authorization: "", given })
    })
  ]
}

/** Credentials of no account: each door refuses them. */
const strangers = (world: World): ReadonlyArray<Subject> => {
  const doors = [
    [twilioVerify(world.service).handle, "/v2/Services"],
    [vonageVerify(world.service).handle, "/v2/verify"],
    [camaraOtp(world.service).handle, "/v1/send-code"]
  ] as const
  const credentials = fc.tuple(fc.constantFrom("Basic ", "Bearer ", "basic", ""), text(), fc.boolean())
  return doors.map(([handle, path]) =>
    subject(`credentials at ${path}`, credentials, async ([scheme, given, isEncoded]) => {
      const value = isEncoded ? Buffer.from(given).toString("base64") : given
      const headers = { authorization: `${scheme}${value}`, "content-type": JSON_TYPE }
      const request = { method: "POST", path, headers, body: bytes(Buffer.from("{}")), remoteAddress: "192.0.2.1" }
      const { status } = await handle(request)
      return status === 401 ? world.readLog() : `answered ${status}`
    })
  )
}

export const doors: Kind = {
  name: "doors",
  share: 4,
  run: async (count, seed) => {
    const world = await openWorld()
    try {
      const subjects = [...twilio(world), ...vonage(world), ...camara(world), ...strangers(world)]
      return await kindOf("doors", 1, subjects).run(count, seed)
    } finally {
      await world.close()
    }
  }
}
