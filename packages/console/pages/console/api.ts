/**
 * The page's requests to the operators' API, which is next to the page.
 */
import { messageOf } from "../kit/failure.ts"
import { signal } from "@preact/signals"
import { eachEvent } from "../kit/events.ts"
import type { Commands } from "./commands.ts"
import { ANSWER, waiting } from "./watch.ts"

/** The name of a command, such as `guard block`. */
export type Name = keyof Commands
export type Input<K extends Name> = Commands[K]["input"]
export type Output<K extends Name> = Commands[K]["output"]

/** The server's refusal, in its own words. */
export class Refused extends Error {
  readonly status: number
  /** Seconds after which it may be asked again. */
  readonly retryAfter: number | null
  constructor(status: number, message: string, retryAfter: number | null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** There was no answer at all, or only a proxy's answer because its server is down. */
class Unreachable extends Error {}

/** The server is there, and has not answered a request for long. */
export class Slow extends Error {}

/** Whether the server does not answer. */
export const isAway = signal(false)

/** Runs when the server no longer knows the user. */
export const onSignedOut: { run: (message: string) => void } = { run: () => {} }

/** The server's clock minus the page's clock, in milliseconds; null before the server's first answer. */
let ahead: number | null = null
/** When the last answer arrived, by the server's clock. */
let heardAt: number | null = null

const heard = (): void => {
  heardAt = serverTime()
}

/** When the last answer arrived, by the server's clock; null before its first answer. */
export const lastHeard = (): number | null => heardAt

/** The current time by the server's clock; null before its first answer. */
export const serverTime = (): number | null => (ahead === null ? null : Date.now() + ahead)

/** Runs a command. */
export const run = async <K extends Name>(name: K, input: Input<K>, signal?: AbortSignal): Promise<Output<K>> =>
  (await post(pathOf(name), input, {}, signal)).json()

/** Runs a command with the input of a form, which the server checks. The answer is lines of text for people. */
export const runInWords = async (name: Name, input: object, seen: number | null): Promise<string> =>
  (await post(pathOf(name), input, { accept: "text/plain", ...unlessChanged(seen) }, undefined, FOREVER)).text()

/** The same, for one text field of the answer. */
export const runForText = async (name: Name, input: object, field: string, seen: number | null): Promise<string> => {
  const answer = await post(pathOf(name), input, unlessChanged(seen), undefined, FOREVER)
  const output: Readonly<Record<string, unknown>> = await answer.json()
  return String(output[field])
}

/** Milliseconds: an act may take as long as it must. */
const FOREVER = Number.POSITIVE_INFINITY

/** Has the server refuse a change if another operator has made a change since then. */
const unlessChanged = (seen: number | null): Readonly<Record<string, string>> =>
  seen === null ? {} : { "if-unmodified-since": new Date(seen).toISOString() }

/**
 * Calls back with each new answer of a command, or with the reason for its failure, until the stream ends or is
 * aborted.
 */
export const follow = async <K extends Name>(
  name: K,
  input: Input<K>,
  take: (output: Output<K>) => void,
  refuse: (message: string) => void,
  signal: AbortSignal
): Promise<void> => {
  const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))
  const path = pathOf(name).replace("/v1/", "/v1/watch/")
  const wait = waiting(knock)
  const ending = AbortSignal.any([signal, wait.signal])
  try {
    const { body } = await ask(`${path}?${query}`, { headers: { accept: "text/event-stream" }, signal: ending })
    if (body === null) return
    const taken = (data: string, event: string): void => {
      if (event === "failure") return refuse(messageOf(JSON.parse(data), 500))
      heard()
      take(JSON.parse(data))
    }
    await eachEvent(body, taken, wait.heard)
  } finally {
    wait.stop()
  }
}

export const post = (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
  longest?: number
) =>
  ask(
    path,
    {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal })
    },
    longest
  )

/**
 * @param path relative to the page, so that any prefix works
 * @param longest the longest wait for an answer, in milliseconds; infinite for an act, which may take its time
 */
export const ask = async (path: string, init: RequestInit = {}, longest?: number): Promise<Response> => {
  const wait = waiting(knock, longest)
  const signal = AbortSignal.any([wait.signal, ...(init.signal == null ? [] : [init.signal])])
  const failed = (error: unknown): null => {
    if (init.signal?.aborted === true) throw error
    if (wait.signal.aborted) throw new Slow("The server has not answered for half a minute. Try again.")
    return null
  }
  const response = await fetch(path, { ...init, signal, cache: "no-store" })
    .catch(failed)
    .finally(wait.stop)
  if (response === null || (response.status >= 502 && response.status <= 504)) {
    isAway.value = true
    throw new Unreachable("The server is not responding.")
  }
  isAway.value = false
  const at = Date.parse(response.headers.get("x-read-at") ?? "")
  if (!Number.isNaN(at)) {
    ahead = at - Date.now()
    heardAt = at
  }
  if (response.ok) return response
  const message = messageOf(await response.json().catch(() => null), response.status)
  if (response.status === 401) onSignedOut.run(message)
  const after = Number(response.headers.get("retry-after") ?? Number.NaN)
  throw new Refused(response.status, message, Number.isNaN(after) ? null : after)
}

const pathOf = (name: Name): string => `operator/v1/${name.replaceAll(" ", "/")}`

/** Whether the server is asked at the moment whether it is there. */
let isAsking = false

/** Asks whether the server is there. */
export const knock = (): void => {
  if (isAsking) return
  isAsking = true
  const silent = (error: unknown): void => {
    // A refusal is an answer too.
    if (!(error instanceof Refused)) isAway.value = true
  }
  void ask("operator/v1/me", { signal: AbortSignal.timeout(ANSWER) })
    .catch(silent)
    .finally(() => (isAsking = false))
}

/** Loads a script of the page: a server that is silent meanwhile is asked whether it is there. */
export const loading = <A>(script: Promise<A>): Promise<A> => script.finally(waiting(knock, FOREVER).stop)

/** In milliseconds. */
const PAUSE = 2_000

/** Polls a server that is down until it answers, so that the page continues. */
isAway.subscribe((away) => {
  if (!away) return
  const timer = setInterval(knock, PAUSE)
  const stop = isAway.subscribe((still) => {
    if (still) return
    clearInterval(timer)
    queueMicrotask(() => stop())
  })
})
