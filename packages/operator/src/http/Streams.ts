/**
 * Answers of commands as server-sent events, again every five seconds while a viewer is there: one query for all viewers of
 * the same answer, and no timer without one.
 *
 * Source: WHATWG HTML §9.2 (server-sent events).
 */
import { type ApiError, TooManyRequests, isApiError } from "@watchword/schemas/Errors"
import type { AnyCommand } from "../command/Command.ts"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { HostStream } from "@watchword/server/Host"

export interface Streams<R> {
  /**
   * The stream of a command's answers. Fails as the command does where its first answer is a failure.
   *
   * @param owner the token or session that it is of: with one more than ten, its oldest gives way
   * @param mayGoOn asked before each event: false ends the stream
   */
  readonly open: (
    command: AnyCommand<R>,
    input: unknown,
    owner: string,
    mayGoOn: Effect.Effect<boolean>
  ) => Effect.Effect<HostStream, unknown>
  /** Ends all streams. */
  readonly close: Effect.Effect<void>
}

const EVERY = 5_000
const COMMENT_EVERY = "15 seconds"
const MOST = 100
const MOST_OF_ONE = 10

/** @param context of the commands */
export const make = <R>(context: Context.Context<R>): Streams<R> => {
  const views = new Map<string, View>()
  const viewersOf = new Map<string, Set<Viewer>>()
  const run = Effect.runForkWith(context)
  let open = 0
  let isClosed = false

  const viewOf = (command: AnyCommand<R>, input: unknown): View => {
    const key = `${command.name.join(" ")} ${JSON.stringify(input)}`
    const found = views.get(key)
    if (found !== undefined) return found
    const look = () =>
      new Promise<Look>((resolve) =>
        run(command.answer(input)).addObserver((exit) => resolve(Exit.match(exit, { onFailure, onSuccess })))
      )
    const view: View = new View(look, () => {
      if (views.get(key) === view) views.delete(key)
    })
    views.set(key, view)
    return view
  }

  const isFull = (owner: string) => isClosed || (open >= MOST && (viewersOf.get(owner)?.size ?? 0) < MOST_OF_ONE)

  /** Counts a viewer of an owner, whose oldest one gives way to one too many. */
  const admit = (owner: string, viewer: Viewer): void => {
    const own = viewersOf.get(owner) ?? new Set()
    viewersOf.set(owner, own)
    const [oldest] = own
    if (own.size >= MOST_OF_ONE) oldest?.end()
    own.add(viewer)
    open++
  }

  const dismiss = (owner: string, viewer: Viewer): void => {
    const own = viewersOf.get(owner)
    own?.delete(viewer)
    if (own?.size === 0) viewersOf.delete(owner)
    open--
  }

  return {
    open: Effect.fnUntraced(function* (command, input, owner, mayGoOn) {
      if (isFull(owner)) return yield* tooMany
      const first = yield* Effect.promise(() => viewOf(command, input).current())
      if (first.cause !== null) return yield* Effect.failCause(first.cause)
      // A host may never ask for the first piece: its client has gone.
      const enter = () => {
        const view = viewOf(command, input)
        const viewer: Viewer = new Viewer(() => {
          dismiss(owner, viewer)
          view.leave(viewer)
        })
        admit(owner, viewer)
        view.join(viewer)
        if (isClosed || open > MOST) viewer.end()
        return viewer
      }
      return piecesOf(enter, first.data, mayGoOn, run)
    }),
    close: Effect.sync(() => {
      isClosed = true
      for (const view of views.values()) view.end()
    })
  }
}

const tooMany = Effect.fail(
  new TooManyRequests({ message: "Too many pages are open; close some.", reason: "too_many_streams", retryAfter: 5 })
)

/** What a look has found: an event's data, or the reason of its failure. */
interface Look {
  readonly event: "answer" | "failure"
  readonly data: string
  readonly cause: Cause.Cause<unknown> | null
}

const onSuccess = ({ json }: { readonly json: unknown }): Look => ({
  event: "answer",
  data: JSON.stringify(json),
  cause: null
})

const onFailure = (cause: Cause.Cause<unknown>): Look => {
  const error = Cause.squash(cause)
  const { code, message }: Pick<ApiError, "code" | "message"> = isApiError(error) ? error : unavailable
  return { event: "failure", data: JSON.stringify({ error: code, message }), cause }
}

const unavailable = { code: "SERVICE_UNAVAILABLE", message: "The service is unavailable for the moment." } as const

/** An answer that some viewers follow. Its timer is set while there is one, and for one turn after an answer at most. */
class View {
  private readonly viewers = new Set<Viewer>()
  private readonly look: () => Promise<Look>
  private readonly close: () => void
  private last: Promise<Look> | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(look: () => Promise<Look>, close: () => void) {
    this.look = look
    this.close = close
  }

  /** The answer, at most five seconds old. */
  current(): Promise<Look> {
    if (this.last !== null) return this.last
    this.last = this.look()
    // Counted from the answer: a database that takes long is asked less often.
    void this.last.then(() => this.wait())
    return this.last
  }

  join(viewer: Viewer): void {
    this.viewers.add(viewer)
    if (this.last === null) this.show()
  }

  leave(viewer: Viewer): void {
    this.viewers.delete(viewer)
    if (this.viewers.size === 0) this.forget()
  }

  end(): void {
    for (const viewer of this.viewers) viewer.end()
    this.forget()
  }

  private wait(): void {
    this.timer = setTimeout(() => this.turn(), EVERY)
  }

  private turn(): void {
    this.last = null
    if (this.viewers.size === 0) this.forget()
    else this.show()
  }

  private show(): void {
    void this.current().then((look) => this.viewers.forEach((viewer) => viewer.show(look)))
  }

  private forget(): void {
    clearTimeout(this.timer)
    this.close()
  }
}

/** One stream, which has the newest answer that its client has not taken yet. */
class Viewer {
  private readonly leave: () => void
  private shown: Look | null = null
  private resume: () => void = ignore
  isOpen = true

  constructor(leave: () => void) {
    this.leave = leave
  }

  show(look: Look): void {
    this.shown = look
    this.resume()
  }

  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.leave()
    this.resume()
  }

  /** The next answer, or null at the end. */
  readonly next: Effect.Effect<Look | null> = Effect.callback((resume) => {
    const give = () => {
      const look = this.shown
      if (this.isOpen && look === null) return
      this.shown = null
      this.resume = ignore
      resume(Effect.succeed(this.isOpen ? look : null))
    }
    this.resume = give
    give()
  })
}

const ignore = (): void => {}

const utf8 = new TextEncoder()
const COMMENT = utf8.encode(":\n\n")
const OVER = { done: true, value: undefined } as const
const silence = Effect.succeed("silence" as const)

type Run = <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>

const piecesOf = (enter: () => Viewer, first: string, mayGoOn: Effect.Effect<boolean>, run: Run): HostStream => ({
  [Symbol.asyncIterator]: () => {
    let viewer: Viewer | null = null
    let last = first

    const piece = (event: string, data: string) => {
      last = data
      return {
        done: false as const,
        value: utf8.encode(Sse.encoder.write({ _tag: "Event", event, id: undefined, data }))
      }
    }

    const over = () => {
      viewer?.end()
      return OVER
    }

    const next = async () => {
      if (viewer === null) {
        viewer = enter()
        return viewer.isOpen ? piece("answer", first) : OVER
      }
      if (!viewer.isOpen) return OVER
      const found = await settled(
        run(Effect.timeoutOrElse(viewer.next, { duration: COMMENT_EVERY, orElse: () => silence }))
      )
      if (found === null || !(await settled(run(mayGoOn)))) return over()
      if (found === "silence" || found.data === last) return { done: false as const, value: COMMENT }
      return piece(found.event, found.data)
    }

    return { next, return: async () => over() }
  }
})

const settled = <A>(fiber: Fiber.Fiber<A>): Promise<A> =>
  new Promise((resolve, reject) =>
    fiber.addObserver((exit) => (Exit.isSuccess(exit) ? resolve(exit.value) : reject(Cause.squash(exit.cause))))
  )
