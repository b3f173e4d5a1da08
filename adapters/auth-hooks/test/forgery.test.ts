/** A request that does not come from the identity server is answered 401, and nothing else happens. */
import { logto } from "@watchword/auth-hooks/logto"
import { supabase } from "@watchword/auth-hooks/supabase"
import { zitadel } from "@watchword/auth-hooks/zitadel"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  LOGTO_AUTHORIZATION,
  type Posted,
  SUPABASE_SECRET,
  type World,
  ZITADEL_KEY,
  logtoPost,
  openWorld,
  request,
  supabasePost,
  zitadelPost
} from "./fixture.ts"

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.service.dispose())

const NOW = Date.now()

const kinds = [
  {
    name: "supabase",
    hook: () => supabase({ ...world.options, secret: SUPABASE_SECRET, now: () => NOW }),
    post: (at: Date) => supabasePost("123456", { at }),
    isSigned: true
  },
  {
    name: "zitadel",
    hook: () => zitadel({ ...world.options, signingKey: ZITADEL_KEY, now: () => NOW }),
    post: (at: Date) => zitadelPost("123456", { at }),
    isSigned: true
  },
  {
    name: "logto",
    hook: () => logto({ ...world.options, authorization: LOGTO_AUTHORIZATION }),
    post: () => logtoPost("123456"),
    isSigned: false
  }
]

const changed = (text: string, place: number, by: number): string => {
  const at = place % text.length
  // Picks another character of the same class, because a character that is invalid in a header would not arrive.
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  const letter = letters[(letters.indexOf(text[at] ?? "") + by) % letters.length] ?? "A"
  return text.slice(0, at) + (letter === text[at] ? "-" : letter) + text.slice(at + 1)
}

/**
 * Whether two spellings encode the same signature: hexadecimal in either case, or different bits after its last byte.
 */
const isSame = (name: string, one: string, other: string): boolean =>
  name === "ZITADEL-Signature"
    ? one.toLowerCase() === other.toLowerCase()
    : name === "webhook-signature" &&
      one.startsWith("v1,") &&
      one.endsWith("=") &&
      Buffer.from(one.slice(3), "base64").equals(Buffer.from(other.slice(3), "base64"))

const nothingWasSent = async () => {
  expect(await world.shown()).toEqual([])
  expect((await world.service.verify.list(world.caller)).total).toBe(0)
}

const answerOf = ({ hook }: (typeof kinds)[number]) => {
  const { fetch } = hook()
  return async (posted: Posted): Promise<number> => (await fetch(request(posted))).status
}

describe.each(kinds)("a request that is not of $name", (kind) => {
  it("has another header, or none", async () => {
    const answer = answerOf(kind)
    const { body, headers } = kind.post(new Date(NOW))
    for (const name of Object.keys(headers)) {
      expect(await answer({ body, headers: { ...headers, [name]: "" } })).toBe(401)
      const { [name]: _, ...others } = headers
      expect(await answer({ body, headers: others })).toBe(401)
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 60 }), async (place, by) => {
        for (const [name, value] of Object.entries(headers)) {
          const other = changed(value, place, by)
          if (isSame(name, other, value)) continue
          expect(await answer({ body, headers: { ...headers, [name]: other } })).toBe(401)
        }
      }),
      { numRuns: 100 }
    )
    await nothingWasSent()
  })

  it("does not post", async () => {
    const response = await kind.hook().fetch(new Request("http://hooks.example/"))
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  })
})

describe.each(kinds.filter(({ isSigned }) => isSigned))("a signed request that is not of $name", (kind) => {
  it("has another body", async () => {
    const answer = answerOf(kind)
    const { body, headers } = kind.post(new Date(NOW))
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 60 }), async (place, by) => {
        expect(await answer({ headers, body: changed(body, place, by) })).toBe(401)
      }),
      { numRuns: 100 }
    )
    expect(await answer({ headers, body: "" })).toBe(401)
    await nothingWasSent()
  })

  it("is a replay of more than five minutes ago, or from the future", async () => {
    const answer = answerOf(kind)
    for (const seconds of [-301, 301]) expect(await answer(kind.post(new Date(NOW + seconds * 1_000)))).toBe(401)
    await nothingWasSent()
  })
})

describe.each(kinds.filter(({ isSigned }) => isSigned))("bodies that strangers send to the hook of $name", (kind) => {
  it("keep none of the server's own out, however much they hold", async () => {
    const { fetch } = kind.hook()
    const { body, headers } = kind.post(new Date(NOW))
    const stalled = Array.from({ length: 200 }, () => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(262_143)) })
      const half = { method: "POST", headers, body, duplex: "half" }
      return fetch(new Request("http://hooks.example/", half))
    })
    // Requests that were dropped in favor of later ones have been answered.
    expect((await Promise.race(stalled)).status).toBe(503)
    expect((await fetch(request({ headers, body }))).status).toBe(200)
  })
})
