/**
 * Wrong operator tokens and links: counted, and logged with the address that sent them, but never with the wrong token
 * or link itself.
 */
import * as Logger from "effect/Logger"
import { afterEach, describe, expect, it } from "vitest"
import { endAll, signIn, start } from "./console.ts"

afterEach(endAll)

/** A console behind a proxy, and the lines of its log. */
const logged = async () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
  const console = await start({ trustedProxies: ["127.0.0.1"] }, { observability: Logger.layer([logger]) })
  return { console, lines: () => lines.filter((line) => line.includes("authenticate as an operator")) }
}

const from = (address: string) => ({ "x-forwarded-for": address })

const line = (failures: number, clients: object) =>
  JSON.stringify(["requests failed to authenticate as an operator", { failures, clients }])

describe("a stranger", () => {
  it("that shows wrong tokens is logged by its address, and so is one that shows something else", async () => {
    const { console, lines } = await logged()
    const { token } = await console.grant("support")
    const wrong = `${token.slice(0, -4)}0000`
    for (const shown of [wrong, token.toUpperCase(), "sk_live_0"]) {
      for (let count = 0; count < 3; count++) {
        expect((await console.ask("account/list", { token: shown, headers: from("203.0.113.7") })).status).toBe(401)
      }
    }
    expect((await console.ask("account/list", { token, headers: from("203.0.113.8") })).status).toBe(200)
    // A browser that has not signed in presents no token, so it is not logged.
    expect((await console.ask("account/list", { headers: from("203.0.113.8") })).status).toBe(401)
    expect(lines()).toEqual([])
    const basic = { ...from("203.0.113.9"), authorization: "Basic b3BlcmF0b3I6cGFzc3dvcmQ=" }
    expect((await console.ask("me", { method: "GET", headers: basic })).status).toBe(401)
    expect(lines()).toEqual([line(10, { "203.0.113.7": 9, "203.0.113.9": 1 })])
    const asked = {
      method: "GET",
      path: "/metrics",
      headers: {},
      body: { _tag: "Absent" },
      remoteAddress: null
    } as const
    const metrics = String((await console.service.operations(asked)).body)
    for (const reason of ["is unknown or has expired", "does not have the form of a token"]) {
      expect(metrics).toContain(`watchword_authentication_failures_total{reason="the operator's token ${reason}"`)
    }
  })

  it("that tries to sign in is logged too, also beyond its tries", async () => {
    const { console, lines } = await logged()
    const statuses = new Set<number>()
    for (let count = 0; count < 5; count++) {
      statuses.add((await signIn(console, { token: `wwo_${count}` }, from("203.0.113.7"))).status)
      statuses.add((await signIn(console, { link: "0" }, from("203.0.113.7"))).status)
    }
    expect([...statuses].toSorted()).toEqual([401, 429])
    expect(lines()).toEqual([line(10, { "203.0.113.7": 10 })])
  })
})
