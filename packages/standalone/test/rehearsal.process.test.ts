/**
 * Rehearsals with carriers by the operator's command: through a running server, through one of two, and without any.
 */
import { writeFile } from "node:fs/promises"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { trunk as startTrunk } from "@watchword/sandbox/trunk"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { type Environment, type Running, answerOf, command, failingCommand, start } from "./Standalone.ts"

const { file } = folderForEach()
const TO = "+4915123456789"
let carrier: Smsc
let running: Array<Running> = []

beforeEach(async () => {
  carrier = await smsc({ script: { receipt: (submit) => receipt(submit) } })
})

afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()))
  running = []
  await carrier.stop()
})

const serve = async (environment: Environment): Promise<Running> => {
  const server = await start(environment)
  running.push(server)
  return server
}

const database = () => ({ DATABASE_URL: `sqlite:${file("test.db")}`, DEMO: "no" })

const rehearse = (environment: Environment, ...args: ReadonlyArray<string>) =>
  answerOf(environment, "carrier", "try", ...args, "--wait", "4s")

/** On a pseudo-terminal the command would ask; without one it names the missing input. */
const refusal = async (environment: Environment, ...args: ReadonlyArray<string>) =>
  (await failingCommand(environment, "carrier", "try", ...args)).stderr

describe("carrier try", { timeout: 60_000 }, () => {
  it("goes through a running server, shows what came in, and leaves no record, entry or full number", async () => {
    const environment = { ...database(), SMPP_URL: carrier.url() }
    const server = await serve(environment)
    await until(() => carrier.bound.length === 1)
    const { code, stdout } = await rehearse(environment, "127.0.0.1", TO, "--yes", "--shown", "¡_|Ж € 漢|two")
    expect(stdout).toContain(
      "Three texts of four parts to +491********89 with 127.0.0.1, through a running server: the carrier's cost is unknown here"
    )
    expect(stdout).toMatch(
      /→ submit_sm source=5\/0 "Watchword" destination=1\/1 "4915\*{7}89" esm_class=0x00 data_coding=0/
    )
    expect(stdout).toMatch(/← submit_sm_resp ESME_ROK message_id="1"\n +taken/)
    expect(stdout).toMatch(/← deliver_sm .*text="id:1 .*\n +DELIVRD is delivered, of text 1, by its id/)
    expect(stdout).toContain("one for each part")
    expect(stdout).toContain("the phone shows the parts apart")
    expect(code).toBe(0)
    // By the server's own bind.
    expect(carrier.binds).toHaveLength(1)
    expect(carrier.submits.map(({ text }) => text.slice(0, 16))).toEqual([
      "Watchword 1 of 3",
      "Watchword 2 of 3",
      "Watchword 3 of 3",
      carrier.submits[3]?.text.slice(0, 16)
    ])
    expect(stdout + server.printed()).not.toContain(TO.slice(1))
    expect(server.printed()).not.toMatch(/unmatched|match/)
    const logged = JSON.stringify(await command(environment, "operator", "log"))
    expect(logged).toContain("carrier try")
    expect(logged).not.toContain(TO.slice(1))
    expect((await answerOf(environment, "why", TO)).stdout).toContain("no request for this number was recorded")
    expect((await answerOf(environment, "audit")).stdout).toContain("every rule holds")

    // The phone's display may be given later.
    const later = await answerOf(environment, "carrier", "try", "127.0.0.1", "--shown", "@ _ $ £ é")
    expect(later.stdout).toContain("the phone shows the signs as they were sent")
    expect(carrier.submits).toHaveLength(4)
  })

  it("says the costs of CARRIERS, rehearses a trunk, and names what cannot be rehearsed", async () => {
    const trunk = await startTrunk({
      script: {
        invite: (call) => {
          call.respond(100)
          call.respond(183)
        }
      }
    })
    try {
      const carriers = {
        acme: { sms: carrier.url(), cost: { "*": 0.061, "49": 0.05 } },
        bell: { call: trunk.url(), cost: { "*": 0.01 } },
        tw: { sms: { twilio: { accountSid: "AC0123456789abcdef0123456789abcdef", authToken: "secret" } } }
      }
      await writeFile(file("carriers.json"), JSON.stringify({ carriers }))
      const environment = { ...database(), CARRIERS: file("carriers.json") }
      await serve(environment)
      await until(() => carrier.bound.length === 1)
      expect(await refusal(environment, "acme", TO)).toContain(
        "with acme, through a running server: the carrier charges 0.2 EUR, and no account pays. Give --yes to send."
      )
      expect(await refusal(environment, "acme", "--yes")).toContain("A rehearsal needs the number of your own phone")
      expect(await refusal(environment, "acme", "+49 12", "--yes")).toContain(
        "to must be a phone number that is possible for its country"
      )
      expect(await refusal(environment, "acne", TO, "--yes")).toContain(
        "carrier is no carrier of a running server; use acme, bell, tw."
      )
      expect(await refusal(environment, "tw", TO, "--yes")).toContain("tw is a provider with an HTTP API")
      expect(await refusal(environment, "bell", TO, "--yes")).toContain("--from must be your own number")
      expect(await refusal(environment, "acme", TO, "--yes", "--shown", "a|b|c|d")).toContain("--shown has 4 answers")
      await answerOf(environment, "carrier", "drain", "acme")
      expect(await refusal(environment, "acme", TO, "--yes")).toContain(
        "acme is drained: `watchword carrier resume acme` first"
      )
      expect(carrier.submits).toEqual([])

      const from = ["--from", "+4930901820123"]
      const { stdout } = await rehearse(environment, "bell", TO, ...from, "--yes", "--shown", "030 901820123")
      expect(stdout).toContain(
        "A call that rings for six seconds to +491********89 with bell, through a running server: the carrier charges 0.01 EUR"
      )
      expect(stdout).toMatch(/← SIP\/2.0 183/)
      expect(stdout).toContain("the phone shows the number that was sent")
      expect(trunk.calls).toHaveLength(1)
      expect(trunk.requests("CANCEL")).toHaveLength(1)
    } finally {
      await trunk.stop()
    }
  })

  it("binds by itself where no server runs, and five times a day", async () => {
    const environment = { ...database(), SMPP_URL: carrier.url("carrier=acme") }
    await answerOf(environment, "account", "create")
    const { stdout } = await rehearse(environment, "acme", TO, "--yes")
    expect(stdout).toContain("through this command's own connection, because no server is running")
    expect(stdout).toContain("one for each part")
    expect(carrier.submits).toHaveLength(4)
    await until(() => carrier.bound.length === 0)
    for (const _ of [2, 3, 4, 5]) await rehearse(environment, "acme", TO, "--yes")
    expect(await refusal(environment, "acme", TO, "--yes")).toContain("There were 5 rehearsals in the last day")
    expect(carrier.submits).toHaveLength(20)
  })

  it("is not sent again after its server was killed in the middle", async () => {
    const environment = { ...database(), SMPP_URL: carrier.url("carrier=acme") }
    const server = await serve(environment)
    await until(() => carrier.bound.length === 1)
    carrier.script.submit = () => "silence"
    const rehearsal = rehearse(environment, "acme", TO, "--yes")
    await carrier.until(() => carrier.submits.length === 1)
    await server.kill()
    carrier.script.submit = () => ({})
    await serve(environment)
    const { stdout } = await rehearsal
    expect(stdout).toContain("The server that took the rehearsal has ended")
    expect(carrier.submits).toHaveLength(1)
  })
})

describe("two servers on one PostgreSQL", { timeout: 120_000 }, () => {
  let postgres: PostgresServer

  beforeAll(async () => {
    postgres = await startPostgres()
  })

  afterAll(async () => {
    await postgres.stop()
  })

  it("send a rehearsal once, by one of them", async () => {
    const environment = {
      DATABASE_URL: postgres.url,
      VERIFY_SECRET: "0123456789abcdef0123456789abcdef",
      SMPP_URL: carrier.url("carrier=acme")
    }
    await serve(environment)
    await serve(environment)
    await until(() => carrier.bound.length === 2)
    const { stdout } = await rehearse(environment, "acme", TO, "--yes")
    expect(stdout).toContain("one for each part")
    expect(carrier.submits).toHaveLength(4)
  })
})
