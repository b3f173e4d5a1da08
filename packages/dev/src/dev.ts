/**
 * The development server: the whole service on its sandbox, for the first hour of an app. It has no gateway, and no
 * setting that would give it one.
 */
import { spawn } from "node:child_process"
import * as Docs from "@watchword/server/Docs"
import type { HandlePromise } from "@watchword/server/Host"
import { Observer as WebhookObserver } from "@watchword/events/Events"
import { faults } from "@watchword/sandbox/simulator"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { Hurry } from "@watchword/verify/Verify"
import { type Verification, type Watchword, WatchwordError, createWatchword, memory } from "watchword"
import { telegramLogin } from "watchword/telegramLogin"
import { onStopSignal } from "@watchword/node"
import * as Application from "./Application.ts"
import * as Carriers from "./Carriers.ts"
import * as Codes from "./Codes.ts"
import * as Doors from "./Doors.ts"
import * as Emulator from "./Emulator.ts"
import * as Tools from "./Tools.ts"
import * as Feed from "./Feed.ts"
import * as Folder from "./Folder.ts"
import * as Form from "./Form.ts"
import * as Keyboard from "./Keyboard.ts"
import * as Lines from "./Lines.ts"
import * as Loopback from "./Loopback.ts"
import * as Mcp from "./Mcp.ts"
import { documents } from "./documents.ts"
import * as Pages from "./Pages.ts"
import * as Program from "./Program.ts"
import { seeded } from "./Seeding.ts"

export interface Options {
  readonly port: number
  /** Where all events are posted, signed; null for nowhere. */
  readonly forward: string | null
  /** Whether records are kept in a database of the folder. */
  readonly db: boolean
  readonly emulator: boolean
  /** Where the handset is an SMSC, and a SIP peer; null for neither. */
  readonly smpp: Carriers.Place | null
  readonly sip: Carriers.Place | null
  /** Hosts that requests may name in addition to loopback hosts. */
  readonly hostNames: ReadonlyArray<string>
  readonly json: boolean
  /** Carrier settings that are set, but not read here. */
  readonly ignored: ReadonlyArray<string>
  /** The program that is started with it. */
  readonly command: ReadonlyArray<string>
  readonly version: string
}

const BASE_PATH = "/v1"

/** Runs until it is stopped; resolves to the exit code. */
export const run = async (options: Options): Promise<number> => {
  const token = options.emulator ? Emulator.readToken(Emulator.tokenFile()) : null
  const folder = Folder.open(process.cwd())
  try {
    return await serve(options, folder, token)
  } finally {
    folder.release()
  }
}

const serve = async (options: Options, folder: Folder.Folder, token: string | null): Promise<number> => {
  const { credentials } = folder
  const caller = { account: credentials.account, sandbox: true } as const
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error))
  /** The events that keys and tools play: a send that fails, a step before its time. */
  const played = { isArmed: false, isHurried: false }
  const failNext = () => void (played.isArmed = true)
  const step = (id: string) => hurried(played, () => service.verify.next(caller, id))
  const tools = Tools.make(() => ({ service, caller, feed, codes, events, step, failNext }))
  const reached: { at?: string } = {}
  const service: Watchword = await createWatchword({
    store: seeded({ credentials, forward: options.forward }, await storeOf(options, folder)),
    secret: credentials.secret,
    webhooks: { allowPrivate: true },
    telegramLogin: telegramLogin(null, { publicUrl: () => reached.at }),
    pages: Layer.mergeAll(Docs.layer({ baseUrl: BASE_PATH }), Pages.layer(BASE_PATH, credentials, documents())),
    observability: Layer.mergeAll(
      Layer.succeed(References.MinimumLogLevel, "Warn"),
      Layer.succeed(Hurry, () => played.isHurried),
      Layer.succeed(WebhookObserver, Lines.posts(options.json, print)),
      faults({
        next: () => {
          if (!played.isArmed) return null
          played.isArmed = false
          return new TemporaryUnavailable({ message: "The next send was to fail." })
        },
        refused: (refusal) => print(Lines.refusal(options.json, refusal))
      })
    )
  })
  const events = Tools.keepEvents(service)
  const agents = Mcp.make(tools, options.version)
  const form = Form.make(service, caller)
  const operations: HandlePromise = (request) => {
    const [, page] = /^\/(mcp|form)(?:\?|$)/.exec(request.path) ?? []
    if (page === "form") return form(request)
    return (page === "mcp" ? agents.handle : service.operations)(request)
  }
  const doors = await Doors.open(service, Doors.doorNames, { origin: null, call: null })
  const handles = { handle: service.handle, operations: Doors.before(doors, operations) }
  const listening = await Loopback.listen(options.port, handles, BASE_PATH, options.hostNames).catch(async (error) => {
    await service.dispose()
    throw error
  })
  const url = `http://127.0.0.1:${listening.port}`
  reached.at = `${url}${BASE_PATH}`
  folder.claim(url)
  const feed = Feed.follow(service, caller, failed)
  const codes = Codes.follow(feed)
  feed.on(Lines.printer(options.json, print))
  if (token !== null) emulate(feed, Emulator.make({ host: "127.0.0.1", port: EMULATOR, token }), failed)
  const parts = { service, caller, feed }
  const carriers = [
    ...(options.smpp === null ? [] : [["SMPP", await Carriers.smsc(options.smpp, parts)] as const]),
    ...(options.sip === null ? [] : [["SIP", await Carriers.sip(options.sip, parts)] as const])
  ]

  const environment = {
    WATCHWORD_URL: `${url}${BASE_PATH}`,
    WATCHWORD_ACCOUNT_ID: credentials.account,
    WATCHWORD_API_KEY: credentials.key,
    WATCHWORD_WEBHOOK_SECRET: credentials.webhook_secret
  }
  const stopped = Promise.withResolvers<number>()
  const keys = keysOf({
    ...parts,
    credentials,
    options,
    failNext,
    step,
    events,
    url,
    say,
    quit: () => stopped.resolve(0)
  })
  const application = await Application.open(service, credentials.account, folder.privateKey)
  const atDoors = await Doors.linesOf(Doors.doorNames, url, { ...credentials, key: null, application, workflows: [] })
  introduce({ options, listening, url, environment, keys, say, carriers, atDoors })
  const letGo = Keyboard.listen(keys, failed)
  const program = options.command.length === 0 ? null : Program.start(options.command, environment, say)
  program?.ended.then(stopped.resolve)
  onStopSignal(() => stopped.resolve(0))
  const code = await stopped.promise
  letGo()
  program?.stop()
  feed.stop()
  for (const [, carrier] of carriers) await carrier.close()
  await listening.close()
  await agents.close()
  await service.dispose()
  return code
}

/** The console of the first emulator of a machine. */
const EMULATOR = 5554

const storeOf = async ({ db }: Options, { database }: Folder.Folder) =>
  db ? (await import("@watchword/store-sqlite")).sqlite(database) : memory()

const introduce = (given: {
  readonly options: Options
  readonly listening: Loopback.Listening
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
  readonly keys: ReadonlyArray<Keyboard.Key>
  readonly say: (line: string) => void
  readonly carriers: ReadonlyArray<readonly [string, Carriers.Carrier]>
  /** The ids of an app that speaks another interface. */
  readonly atDoors: ReadonlyArray<string>
}): void => {
  const { atDoors, carriers, environment, keys, listening, options, say, url } = given
  const { WATCHWORD_URL: _, ...lines } = environment
  for (const name of options.ignored)
    say(`${name} is set but ignored: a development server sends nothing from this machine.`)
  if (listening.isOther) say(`Port ${options.port} is in use; this is ${listening.port}.`)
  say(
    `Watchword's phones are at ${url}/handset/, a form at ${url}/form, ` +
      `its interface at ${url}${BASE_PATH}, tools for agents at ${url}/mcp`
  )
  for (const [name, { port }] of carriers) say(`The handset takes ${name} at 127.0.0.1:${port}`)
  if (options.forward !== null) say(`Events are posted to ${options.forward}`)
  say(["", ...Object.entries(lines).map(([name, value]) => `${name}=${value}`), ""].join("\n"))
  say(["Apps for another verify API keep their SDK, with the API key above and these:", ...atDoors, ""].join("\n"))
  if (process.stdin.isTTY) say(Keyboard.help(keys))
}

interface Running {
  readonly service: Watchword
  readonly caller: { readonly account: string; readonly sandbox: true }
  readonly feed: Feed.Feed
}

const keysOf = (
  given: Running & {
    readonly credentials: Folder.Credentials
    readonly options: Options
    readonly failNext: () => void
    readonly step: (id: string) => Promise<Verification>
    readonly events: Tools.Events
    readonly url: string
    readonly say: (line: string) => void
    readonly quit: () => void
  }
): ReadonlyArray<Keyboard.Key> => {
  const { caller, credentials, events, failNext, feed, options, quit, say, service, step, url } = given
  return [
    { key: "o", does: "opens the handset", press: () => openBrowser(`${url}/handset/`, say) },
    {
      key: "c",
      does: "clears",
      press: async () => {
        await service.sandbox.clear(caller)
        process.stdout.write("\u001b[2J\u001b[H")
      }
    },
    {
      key: "f",
      does: "fails the next send",
      press: () => {
        failNext()
        say("The next send fails.")
      }
    },
    { key: "t", does: "takes the next step", press: () => takeStep(feed, step, say) },
    {
      key: "r",
      does: "replays the last event",
      press: async () => {
        if (options.forward === null) return say("No event is posted anywhere: --forward says where.")
        const last = events.last()
        if (last === null) return say("There was no event yet.")
        await service.operator.webhook.replay({
          webhook_id: credentials.webhook_id,
          since: new Date(last.timestamp).toISOString()
        })
        say("The last event is posted again; a line says how it was answered.")
      }
    },
    { key: "q", does: "quits", press: quit }
  ]
}

/** Lets steps be taken before their time while a call lasts. */
const hurried = async <A>(played: { isHurried: boolean }, call: () => Promise<A>): Promise<A> => {
  played.isHurried = true
  try {
    return await call()
  } finally {
    played.isHurried = false
  }
}

/** Takes the next step of the newest verification. */
const takeStep = async (
  feed: Feed.Feed,
  step: (id: string) => Promise<Verification>,
  say: (line: string) => void
): Promise<void> => {
  const verification = feed.pending()
  if (verification === null) return say("No verification is pending.")
  try {
    const { channel } = await step(verification.id)
    say(`The next step went by ${channel}.`)
  } catch (error) {
    if (!(error instanceof WatchwordError)) throw error
    say(`No step was taken: ${error.message}`)
  }
}

const openBrowser = (url: string, say: (line: string) => void): void => {
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open"
  spawn(command, [url], { stdio: "ignore", detached: true })
    .on("error", () => say(`Open ${url}`))
    .unref()
}

/** Texts and calls go to the emulator too, once they are on a phone. */
const emulate = (feed: Feed.Feed, emulator: Emulator.Emulator, failed: (error: unknown) => void): void => {
  const seen = new Set<string>()
  feed.on((event) => {
    if (event.type === "message" && event.message.text !== null && event.message.state !== "kept") {
      const { from, id, text } = event.message
      if (seen.has(id)) return
      seen.add(id)
      emulator.text(from ?? "Watchword", text ?? "").catch(failed)
    }
    if (event.type === "call") {
      const { caller, state } = event.call
      if (caller === null) return
      const told = state === "ringing" ? emulator.ring(caller) : emulator.hangUp(caller)
      told.catch(failed)
    }
  })
}
