/**
 * Signatures of callers' numbers: certificates of our own authorities, tokens signed by jose.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { describe, expect } from "vitest"
import { certified, selfSigned } from "../../../../../test/certificate.ts"
import { test, timed } from "../../../../../test/live.ts"
import * as Identity from "../../../src/internal/sip/inbound/Identity.ts"
import { until } from "../fixture.ts"
import { CALLER, OURS, listening } from "./fixture.ts"
import { type Signing, certificateServer, identity, secondsNow } from "./passport.ts"

const root = certified({ name: "Root" })
const policy = certified({ name: "Policy", by: root, isAuthority: true })
const carrier = certified({ name: "Carrier", by: policy, isAuthority: false })
const web = selfSigned()
const day = 24 * 60 * 60 * 1000

/** A gateway that knows the root, and a server that has the carrier's certificates at `/carrier.pem`. */
const signing = Effect.fnUntraced(function* (parameters = `receives=${OURS}`) {
  const server = yield* certificateServer(web)
  server.files.set("/carrier.pem", carrier.cert + policy.cert)
  const ours = yield* listening({
    parameters,
    options: { identity: { roots: root.cert, hosts: [server.host], ca: web.cert } }
  })
  const usual: Signing = {
    by: carrier,
    x5u: `https://${server.host}/carrier.pem`,
    orig: CALLER.slice(1),
    dest: OURS.slice(1)
  }
  const sign = (more: Partial<Signing> = {}) => Effect.promise(() => identity({ ...usual, ...more }))
  const assuranceOf = Effect.fnUntraced(function* (headers: ReadonlyArray<string>, from = CALLER) {
    const { length } = ours.heard
    const call = yield* ours.call({ from, headers })
    yield* until(ours.trunk, () => call.status !== 0)
    expect(call.status).toBe(486)
    const [heard] = ours.heard.slice(length)
    return [heard?.from, heard?.assurance]
  })
  return { server, usual, sign, assuranceOf }
})

const certain = [CALLER, "network"]
const claimed = [CALLER, "claimed"]

describe("a caller whom its network vouches for", () => {
  const forms = [
    ["in a field of its own", (value: string) => [`Identity: ${value}`]],
    ["by the compact name", (value: string) => [`y: ${value}`]],
    ["folded", (value: string) => [`Identity: ${value.replaceAll(";", "\r\n ;")}`]],
    ["in a list behind another", (value: string) => [`Identity: a.b.c;info=<https://x/>;ppt=div, ${value}`]],
    ["in the second of two fields", (value: string) => ["Identity: rubbish", `Identity: ${value}`]],
    ["with a quoted type", (value: string) => [`Identity: ${value.replace("ppt=shaken", 'ppt="shaken"')}`]],
    ["with blanks", (value: string) => [`Identity:   ${value.replaceAll(";", " ; ").replaceAll("=<", " = <")}  `]],
    ["with padding", (value: string) => [`Identity: ${value.replace(";", "==;")}`]],
    ["with no parameter but the address", (value: string) => [`Identity: ${value.replace(/;alg.*/, "")}`]]
  ] as const
  for (const [what, headers] of forms) {
    test(
      `${what} is certain`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, sign } = yield* signing()
        expect(yield* assuranceOf(headers(yield* sign()))).toEqual(certain)
      })
    )
  }

  const claims: ReadonlyArray<readonly [string, Partial<Signing>]> = [
    ["numbers with a plus", { orig: CALLER, dest: OURS }],
    ["numbers with separators", { orig: "+49 151-2345 6789" }],
    ["several callees", { claims: { dest: { tn: ["12025550100", OURS.slice(1)] } } }],
    ["a callee that is no list", { claims: { dest: { tn: OURS.slice(1) } } }],
    ["a time of a minute ago", { iat: secondsNow() - 58 }],
    ["a time that is a little ahead", { iat: secondsNow() + 3 }]
  ]
  for (const [what, more] of claims) {
    test(
      `by ${what} is certain`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, sign } = yield* signing()
        expect(yield* assuranceOf([`Identity: ${yield* sign(more)}`])).toEqual(certain)
      })
    )
  }

  test(
    "is the one that is asserted, where From has another number",
    Effect.fnUntraced(function* () {
      const { assuranceOf, sign } = yield* signing()
      const headers = [`Identity: ${yield* sign()}`, `P-Asserted-Identity: <tel:${CALLER}>`]
      expect(yield* assuranceOf(headers, "+4916012345678")).toEqual(certain)
    })
  )

  test(
    "has the certificate fetched once",
    Effect.fnUntraced(function* () {
      const { assuranceOf, server, sign } = yield* signing()
      for (let times = 0; times < 3; times++) {
        expect(yield* assuranceOf([`Identity: ${yield* sign()}`])).toEqual(certain)
      }
      expect(server.requests).toEqual(["/carrier.pem"])
    })
  )
})

describe("a certificate", () => {
  const usual = { orig: CALLER.slice(1), dest: OURS.slice(1) }
  const callers = [E164.make(CALLER)]
  const to = E164.make(OURS)
  const minute = 60_000

  /** The caller for whom a fresh Identity vouches at a later time, and the server of its certificate. */
  const over = Effect.fnUntraced(function* (pem: string, by = carrier, roots = root.cert) {
    const server = yield* certificateServer(web)
    server.files.set("/carrier.pem", pem)
    const { vouched } = Identity.make({ roots, hosts: [server.host.toUpperCase()], ca: web.cert })
    const x5u = `https://${server.host}/carrier.pem`
    const at = Effect.fnUntraced(function* (after: number) {
      yield* TestClock.setTime(Date.now() + after)
      const iat = secondsNow() + Math.floor(after / 1000)
      const value = yield* Effect.promise(() => identity({ ...usual, by, x5u, iat }))
      return yield* vouched([value], callers, to)
    })
    return { at, server }
  })

  timed(
    "is fetched again after an hour, and a missing one after half a minute",
    Effect.fnUntraced(function* () {
      const { at, server } = yield* over(carrier.cert + policy.cert)
      expect([yield* at(0), yield* at(59 * minute)]).toEqual([CALLER, CALLER])
      const both = [at(61 * minute), at(61 * minute)]
      expect(yield* Effect.all(both, { concurrency: "unbounded" })).toEqual([CALLER, CALLER])
      expect(server.requests).toHaveLength(2)
      const missing = yield* over("")
      expect([yield* missing.at(0), yield* missing.at(minute / 4)]).toEqual([null, null])
      missing.server.files.set("/carrier.pem", carrier.cert + policy.cert)
      expect(yield* missing.at(minute)).toBe(CALLER)
      expect(missing.server.requests).toHaveLength(2)
    })
  )

  timed(
    "is not good for longer than itself, its issuer or its root",
    Effect.fnUntraced(function* () {
      const to = new Date(Date.now() + 10 * minute)
      const short = certified({ name: "Short", by: root, isAuthority: false, to })
      const issuer = certified({ name: "Issuer", by: root, isAuthority: true, to })
      const below = certified({ name: "Below", by: issuer, isAuthority: false })
      const shortRoot = certified({ name: "Short root", to })
      const under = certified({ name: "Under", by: shortRoot, isAuthority: false })
      const all = [
        yield* over(short.cert, short),
        yield* over(below.cert + issuer.cert, below),
        yield* over(under.cert, under, shortRoot.cert)
      ]
      for (const { at } of all) expect([yield* at(9 * minute), yield* at(11 * minute)]).toEqual([CALLER, null])
    })
  )
})

describe("an Identity that is left aside", () => {
  const wrong: ReadonlyArray<readonly [string, Partial<Signing>]> = [
    ["of partial attestation", { claims: { attest: "B" } }],
    ["of another type", { header: { ppt: "div" } }],
    ["with a critical extension", { header: { crit: ["b64"], b64: true } }],
    ["of another caller", { orig: "4915123456780" }],
    ["to another number", { dest: "493023125001" }],
    ["that is old", { iat: secondsNow() - 70 }],
    ["that is of the future", { iat: secondsNow() + 30 }],
    ["with a time in words", { claims: { iat: String(secondsNow()) } }],
    ["without a caller", { claims: { orig: { uri: "sip:x@y" } } }]
  ]
  for (const [what, more] of wrong) {
    test(
      `is one ${what}, and nothing is fetched for it`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, server, sign } = yield* signing()
        expect(yield* assuranceOf([`Identity: ${yield* sign(more)}`])).toEqual(claimed)
        expect(server.requests).toEqual([])
      })
    )
  }

  const broken: ReadonlyArray<readonly [string, (value: string) => string]> = [
    ["whose signature is another's", (value) => value.replace(/\.[\w-]{4}([\w-]+);/, ".AAAA$1;")],
    ["in the compact form, which does not say who vouches how far", (value) => value.replace(/\.[\w-]+\./, "..")],
    ["cut off", (value) => value.slice(0, 200)],
    ["with the address of another certificate", (value) => value.replace(/info=<[^>]*>/, "info=<https://x.example/>")],
    ["without the address", (value) => value.replace(/;info=<[^>]*>/, "")],
    ["of an unknown algorithm", (value) => value.replace("alg=ES256", "alg=RS256")],
    ["that is nothing", () => ";;,,<>"],
    ["that is long", () => "a.".repeat(20_000)]
  ]
  for (const [what, change] of broken) {
    test(
      `is one ${what}`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, sign } = yield* signing()
        expect(yield* assuranceOf([`Identity: ${change(yield* sign())}`])).toEqual(claimed)
      })
    )
  }

  const other = certified({ name: "Root" })
  const stranger = certified({ name: "Stranger", by: other, isAuthority: false })
  const chains: ReadonlyArray<readonly [string, () => { readonly by: typeof carrier; readonly pem: string }]> = [
    ["without the certificate in between", () => ({ by: carrier, pem: carrier.cert })],
    ["by an authority with the name of ours", () => ({ by: stranger, pem: stranger.cert })],
    ["by an authority of its own that comes along", () => ({ by: stranger, pem: stranger.cert + other.cert })],
    [
      "by a carrier that is not an authority",
      () => {
        const by = certified({ name: "Sub", by: carrier, isAuthority: false })
        return { by, pem: by.cert + carrier.cert + policy.cert }
      }
    ],
    [
      "by a certificate that has expired",
      () => {
        const by = certified({ name: "Old", by: root, isAuthority: false, to: new Date(Date.now() - day / 2) })
        return { by, pem: by.cert }
      }
    ],
    [
      "by a certificate of tomorrow",
      () => {
        const by = certified({ name: "New", by: root, isAuthority: false, from: new Date(Date.now() + day / 2) })
        return { by, pem: by.cert }
      }
    ],
    [
      "below a certificate that has expired",
      () => {
        const old = certified({ name: "Old", by: root, isAuthority: true, to: new Date(Date.now() - day / 2) })
        const by = certified({ name: "Leaf", by: old, isAuthority: false })
        return { by, pem: by.cert + old.cert }
      }
    ]
  ]
  for (const [what, chain] of chains) {
    test(
      `is one that is certified ${what}`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, server, sign } = yield* signing()
        const { by, pem } = chain()
        server.files.set("/carrier.pem", pem)
        expect(yield* assuranceOf([`Identity: ${yield* sign({ by })}`])).toEqual(claimed)
        expect(server.requests).toEqual(["/carrier.pem"])
      })
    )
  }

  const files: ReadonlyArray<readonly [string, string | undefined]> = [
    ["is missing", undefined],
    ["is no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
    ["is empty", ""],
    ["is elsewhere", "/elsewhere.pem"],
    ["is too long", carrier.cert + policy.cert + " ".repeat(70_000)]
  ]
  for (const [what, file] of files) {
    test(
      `is one whose certificate ${what}`,
      Effect.fnUntraced(function* () {
        const { assuranceOf, server, sign } = yield* signing()
        server.files.set("/elsewhere.pem", carrier.cert + policy.cert)
        if (file === undefined) server.files.delete("/carrier.pem")
        else server.files.set("/carrier.pem", file)
        expect(yield* assuranceOf([`Identity: ${yield* sign()}`])).toEqual(claimed)
        expect(server.requests).toEqual(["/carrier.pem"])
      })
    )
  }

  test(
    "is one whose certificate is at a host that is not on the list, which is not asked",
    Effect.fnUntraced(function* () {
      const { assuranceOf, server, sign } = yield* signing()
      const elsewhere = yield* certificateServer(web)
      elsewhere.files.set("/carrier.pem", carrier.cert + policy.cert)
      const addresses = [
        `https://${elsewhere.host}/carrier.pem`,
        `http://${server.host}/carrier.pem`,
        `https://${server.host}@${elsewhere.host}/carrier.pem`,
        "file:///etc/passwd",
        "carrier.pem"
      ]
      for (const x5u of addresses) expect(yield* assuranceOf([`Identity: ${yield* sign({ x5u })}`])).toEqual(claimed)
      expect([server.requests, elsewhere.requests]).toEqual([[], []])
    })
  )

  test(
    "is any, where no roots are set",
    Effect.fnUntraced(function* () {
      const { server, usual } = yield* signing()
      const ours = yield* listening({ parameters: `receives=${OURS}` })
      const headers = [`Identity: ${yield* Effect.promise(() => identity(usual))}`]
      const call = yield* ours.call({ headers })
      yield* until(ours.trunk, () => call.status !== 0)
      expect([ours.heard[0]?.assurance, server.requests]).toEqual(["claimed", []])
    })
  )
})
