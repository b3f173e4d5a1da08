/**
 * The time from starting a process to its first answer: the standalone server, on a database that exists and has an
 * account, as it is published and as `npm start` runs it; compared with a Fastify server and a `node:http` server that
 * have a single route. And the memory that each then occupies. They take turns.
 *
 * `npm run bench -- start [--rounds=9] [--json[=file]]`
 */
import { execFileSync } from "node:child_process"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  SERVER_CORE,
  cpuOf,
  end,
  pidOf,
  printed,
  residentOf,
  startOn,
  stepAside,
  workFolder
} from "./support/processes.ts"
import { figure, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"

const rounds = numberOption("rounds", 9)
const root = join(import.meta.dirname, "..")
/** Milliseconds of rest, so that the previous server's clean-up is over. */
const REST = 500

interface Program {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly ready: RegExp
}

const programs: ReadonlyArray<Program> = [
  {
    name: "Watchword, as published",
    args: [join(root, "packages/standalone/launch.mjs")],
    ready: /serves http:\S+:(\d+)/
  },
  {
    name: "Watchword, from its sources",
    args: [join(root, "examples/standalone/src/main.ts")],
    ready: /serves http:\S+:(\d+)/
  },
  { name: "Fastify, one route", args: [join(root, "bench/rivals/route.ts"), "fastify"], ready: /ready (\d+)/ },
  { name: "node:http, one route", args: [join(root, "bench/rivals/route.ts"), "node"], ready: /ready (\d+)/ }
]

/** Sends any request and waits for the first byte of the answer. */
const firstAnswer = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    )
    socket.on("error", reject)
    socket.once("data", () => {
      socket.destroy()
      resolve()
    })
  })

const start = async ({ args, ready }: Program, folder: string) => {
  const startedAt = performance.now()
  const child = startOn(SERVER_CORE, process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", PORT: "0", DATABASE_URL: "sqlite:start.db" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [, port] = await printed(child, ready)
  await firstAnswer(Number(port))
  const milliseconds = performance.now() - startedAt
  const pid = pidOf(child)
  const cpu = cpuOf(pid) / 1000
  await sleep(REST)
  const resident = residentOf(pid) / 2 ** 20
  await end(child)
  return { milliseconds, cpu, resident }
}

stepAside()
const folder = workFolder()
execFileSync(process.execPath, [join(root, "scripts/bundle-package.mjs")])
const cli = [join(root, "examples/standalone/src/cli.ts"), "account", "create"]
execFileSync(process.execPath, cli, {
  cwd: folder,
  env: { ...process.env, DATABASE_URL: "sqlite:start.db" }
})
for (const program of programs) await start(program, folder)
const measured = programs.map((program) => ({ program, rounds: new Array<Awaited<ReturnType<typeof start>>>() }))
for (let index = 0; index < rounds; index++) {
  for (const { program, rounds } of measured) rounds.push(await start(program, folder))
}
const results = measured.map(({ program: { name }, rounds }) => ({ name, ...medians(rounds), rounds }))
say(`${machineLine()}; medians of ${rounds} starts\n`)
say(
  table(
    ["", "first answer ms", "CPU ms", "RSS MiB"],
    results.map(({ cpu, milliseconds, name, resident }) => [name, figure(milliseconds), figure(cpu), figure(resident)])
  )
)
writeJson({ bench: "start", results })
