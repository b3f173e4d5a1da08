/**
 * An HTTP API that does as its script says: it reads calls, answers them, and posts reports until they are taken.
 */
import { once } from "node:events"
import { type IncomingMessage, type ServerResponse, createServer } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as delay } from "node:timers/promises"
import type { Answer, Answering, ApiOptions, Call, Reply, Script, Timed } from "./Script.ts"

const HOST = "127.0.0.1"

/** Milliseconds after which a report that was not taken is sent again. */
const RETRY = 100

/** A report on its way. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const own: Answering = () => ({})

export abstract class Api<Message, Report extends Timed> {
  /** Its behaviour; each property can be replaced while it runs. */
  abstract readonly script: Script<Message, Report>
  /** The calls that came, in order. */
  readonly calls: Array<Call> = []
  /** The statuses that reports were answered with, in order. */
  readonly acknowledgements: Array<number> = []
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy())
  })
  private readonly options: ApiOptions
  protected readonly keep: number
  private readonly next: Array<Answer | Answering> = []
  private readonly ending = new AbortController()
  private readonly reporting = new Set<Promise<void>>()
  private readonly watchers = new Set<() => void>()

  constructor(options: ApiOptions) {
    this.options = options
    this.keep = options.keep ?? Infinity
  }

  async listen(): Promise<void> {
    this.server.listen(this.options.port ?? 0, this.options.host ?? HOST)
    await once(this.server, "listening")
  }

  get port(): number {
    const address = this.server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  /** The address for a client: `http://127.0.0.1:8080`. */
  url(): string {
    return `http://${HOST}:${this.port}`
  }

  /** Answers the next calls so, one each, before the script is asked. */
  once(...answers: ReadonlyArray<Answer | Answering>): void {
    this.next.push(...answers)
  }

  /** Waits until something is so; asked again whenever anything happened here. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const watcher = () => {
          this.watchers.delete(watcher)
          resolve()
        }
        this.watchers.add(watcher)
      })
    }
  }

  /** Posts any request, right or wrong, and resolves to the status of its answer. */
  async post({ body, headers, url }: Post): Promise<number> {
    const response = await fetch(url, { method: "POST", headers, body, signal: this.ending.signal })
    await response.arrayBuffer()
    this.remember(this.acknowledgements, response.status)
    this.changed()
    return response.status
  }

  /** Closes the port and every connection, and gives reports up. */
  async stop(): Promise<void> {
    this.ending.abort()
    if (this.server.listening) {
      this.server.close()
      this.server.closeAllConnections()
      await once(this.server, "close")
    }
    await Promise.all(this.reporting)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** Processes a call, and answers it. */
  protected abstract take(call: Call): Reply

  /** A report as it is posted, or null if its message wants none. */
  protected abstract postOf(message: Message, report: Report): Post | null

  /** Where the reports of a message go that names an address, or none. */
  protected callbackUrlOf(named: string | null): string | null {
    const { callbackUrl } = this.options
    return (typeof callbackUrl === "function" ? callbackUrl() : callbackUrl) ?? named
  }

  protected remember<A>(list: Array<A>, item: A): void {
    list.push(item)
    if (list.length > this.keep) list.shift()
  }

  /** Begins to report on a message that was taken. */
  protected begin(message: Message): void {
    const reports = this.script.reports(message)
    if (reports.length === 0) return
    const reporting = this.reportAll(message, reports).catch(() => {})
    this.reporting.add(reporting)
    void reporting.finally(() => this.reporting.delete(reporting))
  }

  private async reportAll(message: Message, reports: ReadonlyArray<Report>): Promise<void> {
    for (const report of reports) {
      await this.pause(report.after ?? 0)
      while (!(await this.isTaken(message, report))) await this.pause(this.options.retry ?? RETRY)
    }
  }

  private async isTaken(message: Message, report: Report): Promise<boolean> {
    const post = this.postOf(message, report)
    if (post === null) return true
    const status = await this.post(post).catch(() => null)
    if (this.ending.signal.aborted) return true
    this.script.acknowledged(message, status)
    this.changed()
    return status !== null && status >= 200 && status < 300
  }

  /** Waits, and rejects where the API is stopped. */
  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.ending
    signal.throwIfAborted()
    if (milliseconds > 0) await delay(milliseconds, undefined, { ref: false, signal })
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request)
    this.remember(this.calls, call)
    let taken: Reply | null = null
    const take = () => (taken ??= this.take(call))
    const next = this.next.shift() ?? this.script.answer
    this.changed()
    const answer = typeof next === "function" ? await next(call, take) : next
    switch (answer) {
      case "silence":
        return
      case "drop":
        return void request.socket.destroy()
      case "break off":
        response.writeHead(200, { ...JSON_TYPE, "content-length": "100" })
        return void response.write('{"ok":true,', () => request.socket.destroy())
    }
    const { after = 0, body, headers, status } = answer
    const reply = status === undefined && body === undefined ? take() : { status: status ?? 200, body: body ?? "" }
    this.changed()
    await this.pause(after)
    response
      .writeHead(reply.status, { ...JSON_TYPE, ...("headers" in reply ? reply.headers : {}), ...headers })
      .end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body))
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher()
  }
}

const JSON_TYPE = { "content-type": "application/json" }

const callOf = async (request: IncomingMessage): Promise<Call> => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return { path: request.url ?? "", headers, body: fieldsOf(headers["content-type"] ?? "", await text(request)) }
}

const fieldsOf = (type: string, body: string): Call["body"] => {
  if (type.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(body))
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
