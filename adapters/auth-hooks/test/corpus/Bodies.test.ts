import createConnector from "@logto/connector-http-sms"
import { sendMessageDataGuard } from "@logto/connector-kit"
import { type AuthHook, logto } from "@watchword/auth-hooks/logto"
import { supabase } from "@watchword/auth-hooks/supabase"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import { watchword } from "@watchword/node"
import * as fc from "fast-check"
import { type Server, createServer } from "node:http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Recipients from "../../src/internal/Recipients.ts"
import {
  LOGTO_AUTHORIZATION,
  SUPABASE_SECRET,
  type World,
  ZITADEL_KEY,
  openWorld,
  supabaseHeaders,
  zitadelSignature
} from "../fixture.ts"
import { type Row, rows } from "./Bodies.ts"

let world: World
let server: Server
let url: string

beforeEach(async () => {
  world = await openWorld()
  const hooks: Readonly<Record<string, AuthHook>> = {
    "/logto": logto({ ...world.options, authorization: LOGTO_AUTHORIZATION }),
    "/supabase": supabase({ ...world.options, secret: SUPABASE_SECRET }),
    "/zitadel": zitadel({ ...world.options, signingKey: ZITADEL_KEY })
  }
  server = createServer((request, response) => {
    const hook = hooks[request.url ?? ""]
    return hook === undefined ? response.end() : watchword(hook, { basePath: request.url ?? "" })(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
})

afterEach(async () => {
  await new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  await world.service.dispose()
})

/** Posts a body as its server does, and answers whether the server takes the code for sent. */
const posted = async ({ body, hook }: Row): Promise<boolean> => {
  if (hook === "logto" && Reflect.get(body, "type") !== "Keycloak") {
    const config = { endpoint: `${url}/logto`, authorization: LOGTO_AUTHORIZATION }
    const { sendMessage } = await createConnector({ getConfig: async () => config })
    return sendMessage(sendMessageDataGuard.parse(body)).then(
      () => true,
      () => false
    )
  }
  const bytes = JSON.stringify(body)
  const headers = {
    logto: { authorization: LOGTO_AUTHORIZATION },
    supabase: supabaseHeaders(bytes, new Date(), [SUPABASE_SECRET]),
    zitadel: { "ZITADEL-Signature": zitadelSignature(bytes, new Date(), [ZITADEL_KEY]) }
  }[hook]
  const response = await fetch(`${url}/${hook}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: bytes
  })
  const answer: unknown = await response.json()
  return response.status === 200 && !JSON.stringify(answer).includes("error")
}

describe("a body of an identity server", () => {
  it.each(rows)("$from", async (row) => {
    expect(await posted(row)).toBe(row.to !== null)
    const { messages } = await world.service.sandbox.inbox(world.caller, {})
    if (row.to === null) return expect(messages).toEqual([])
    expect(messages).toMatchObject([{ to: row.to, ...(row.code === null ? {} : { code: row.code }) }])
    expect((await world.service.verify.list(world.caller)).total).toBe(row.code === null ? 0 : 1)
  })
})

describe("a number of an identity server", () => {
  it("that is kept as digits has its plus sign, whatever blanks are in it, and is never another one", () => {
    const number = fc.constantFrom("4915123456789", "447400123456", "16502530000", "33612345678", "919812345678")
    const blanks = fc.array(fc.constantFrom("", " ", "\u00a0", "-"), { minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(number, blanks, fc.boolean(), (digits, gaps, hasPlus) => {
        const spaced = [...digits].map((digit, at) => (at > 3 ? gaps[at] : "") + digit).join("")
        const text = hasPlus ? `+${spaced}` : spaced
        expect(Recipients.digits(text)).toBe(`+${digits}`)
        expect(Recipients.written(text)).toBe(hasPlus ? `+${digits}` : text)
      })
    )
  })
})
