/**
 * The operators' API in workerd: commands, and an answer that is followed while it changes.
 */
import { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle } from "./workerd.ts"

const anna = { "x-example-user": "anna" }

describe("the operators' API in a Worker", () => {
  let worker: Miniflare
  let origin: string
  beforeAll(async () => {
    worker = new Miniflare({
      modules: true,
      script: await bundle("consoleWorker.ts"),
      compatibilityDate: "2026-07-01",
      d1Databases: { DB: "watchword" },
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false }
    })
    ;({ origin } = await worker.ready)
    await fetch(`${origin}/migrate`)
  })
  afterAll(() => worker.dispose())

  const run = (command: string, input: object, headers: Readonly<Record<string, string>> = anna) =>
    fetch(`${origin}/ops/operator/v1/${command}`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
      body: JSON.stringify(input)
    })

  it("runs commands of those whom the Worker's own sign-in names, and writes them down", async () => {
    expect((await run("account/list", {}, {})).status).toBe(401)
    const { status } = await run("account/create", { name: "Acme" })
    expect(status).toBe(200)
    expect(await (await run("operator/log", {})).json()).toMatchObject({
      entries: [{ who: "anna", command: "account create", outcome: "done" }]
    })
  })

  it("sends an answer again once it has changed, to each of several viewers", async () => {
    const follow = async () => {
      const url = `${origin}/ops/operator/v1/watch/guard/look`
      const headers = { ...anna, accept: "text/event-stream", "sec-fetch-site": "same-origin" }
      const { body, status } = await fetch(url, { headers })
      expect(status).toBe(200)
      if (body === null) throw new Error("there is no stream")
      return body.pipeThrough(new TextDecoderStream()).getReader()
    }
    const viewers = [await follow(), await follow(), await follow()]
    for (const viewer of viewers) {
      const { value } = await viewer.read()
      expect(value).toContain('"blocks":[]')
    }
    expect((await run("guard/block", { place: "NG", for: "1h", account_id: null })).status).toBe(200)
    for (const viewer of viewers) {
      let text = ""
      while (!text.includes('"place":"NG"')) text += (await viewer.read()).value ?? ""
    }
    await Promise.all(viewers.map((viewer) => viewer.cancel()))
  })
})
