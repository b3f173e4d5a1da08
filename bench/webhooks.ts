/**
 * How many events a second one endpoint takes that answers in 100 ms, by its throughput: as it comes, with more
 * requests at once, and with lists. Texts are sent in the process on SQLite without background work first, and then a
 * service on the same file sends their events.
 *
 * `npm run bench -- webhooks [--events=2000] [--answer=100] [--json[=file]]`
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { sqlite } from "@watchword/store-sqlite"
import { cpuOf, workFolder } from "./support/processes.ts"
import { figure, machineLine, numberOption, say, table, writeJson } from "./support/report.ts"
import { accountOf, serviceOn } from "./support/sends.ts"

interface Throughput {
  readonly concurrency?: number
  readonly batch?: number
}

const EVENTS = numberOption("events", 2_000)
const ANSWER = numberOption("answer", 100)
const kinds: ReadonlyArray<readonly [name: string, throughput: Throughput | null]> = [
  ["as it comes", null],
  ["64 at once", { concurrency: 64 }],
  ["lists of 50", { batch: 50 }],
  ["64 at once, lists of 100", { concurrency: 64, batch: 100 }]
]

const got = { events: 0, requests: 0 }
const receiver = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    got.requests++
    const content: unknown = JSON.parse(body)
    setTimeout(() => {
      got.events += Array.isArray(content) ? content.length : 1
      response.writeHead(204).end()
    }, ANSWER)
  })
})
await once(receiver.listen(0, "127.0.0.1"), "listening")
const address = receiver.address()
const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : ""

const folder = workFolder()

const measured = async (name: string, throughput: Throughput | null) => {
  const store = sqlite(join(folder, `${name.replaceAll(/\W/g, "")}.db`))
  const writing = await serviceOn({ store, background: false, webhooks: { allowPrivate: true } })
  const account = await accountOf(writing)
  const { webhook_id: id } = await writing.operator.webhook.add({ account_id: account, url })
  if (throughput !== null) await writing.operator.webhook.throughput({ webhook_id: id, ...throughput })
  for (let sent = 0; sent < EVENTS; sent += 50) {
    const texts = Array.from({ length: 50 }, (_, n) => `+49151234${String(sent + n).padStart(6, "0")}`)
    await Promise.all(texts.map((to) => writing.sms.send(account, { to, text: "Your code is 123456" })))
  }
  await writing.dispose()
  Object.assign(got, { events: 0, requests: 0 })
  const before = { at: performance.now(), cpu: cpuOf(process.pid) }
  const sending = await serviceOn({ store, webhooks: { allowPrivate: true } })
  while (got.events < EVENTS) await sleep(5)
  const seconds = (performance.now() - before.at) / 1_000
  const cpu = (cpuOf(process.pid) - before.cpu) / EVENTS
  await sending.dispose()
  return { name, rate: EVENTS / seconds, requests: got.requests, cpu }
}

const results = []
for (const [name, throughput] of kinds) results.push(await measured(name, throughput))
receiver.close()

const [first] = results
say(`${machineLine()}; ${EVENTS} events to one endpoint that answers in ${ANSWER} ms`)
say(
  table(
    ["throughput", "events/s", "ratio", "requests", "CPU of an event, with its receiver, µs"],
    results.map(({ cpu, name, rate, requests }) => [
      name,
      figure(rate),
      figure(rate / (first?.rate ?? rate)),
      String(requests),
      figure(cpu)
    ])
  )
)
writeJson({ events: EVENTS, answer: ANSWER, results })
