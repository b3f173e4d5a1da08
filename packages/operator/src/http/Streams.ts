/**
 * Answers of commands as events, again every five seconds while a viewer is there: one query for all viewers of the
 * same answer, and no timer without one.
 */
import { type ApiError, TooManyRequests, isApiError } from "@watchword/schemas/Errors"
import type { AnyCommand } from "../command/Command.ts"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { EventStream } from "@watchword/server/http"

export interface Streams<R> {
  /**
   * The answers of a command. Fails as the command does where its first answer is a failure.
   *
   * @param owner the token or session that they are for: of eleven streams, its oldest gives way
   */
  readonly open: (command: AnyCommand<R>, input: unknown, owner: string) => Effect.Effect<EventStream.Events, unknown>
  /** Ends all streams. */
  readonly close: Effect.Effect<void>
}

const EVERY = 5_000
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
    const view: View = makeView(look, () => {
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
    open: Effect.fnUntraced(function* (command, input, owner) {
      if (isFull(owner)) return yield* tooMany
      const first = yield* Effect.promise(() => viewOf(command, input).current())
      if (first.cause !== null) return yield* Effect.failCause(first.cause)
      const enter = Effect.map(Queue.sliding<Look, Cause.Done>(1), (looks) => {
        const view = viewOf(command, input)
        const end = () => {
          if (!Queue.endUnsafe(looks)) return
          dismiss(owner, viewer)
          view.leave(viewer)
        }
        const viewer: Viewer = { looks, end }
        admit(owner, viewer)
        view.join(viewer)
        if (isClosed || open > MOST) viewer.end()
        return viewer
      })
      return eventsOf(enter, first)
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

/** The result of a look: an event, and the reason if it failed. */
interface Look extends EventStream.Event {
  readonly cause: Cause.Cause<unknown> | null
}

const onSuccess = ({ json }: { readonly json: unknown }): Look => ({
  event: "answer",
  id: undefined,
  data: JSON.stringify(json),
  cause: null
})

const onFailure = (cause: Cause.Cause<unknown>): Look => {
  const error = Cause.squash(cause)
  const { code, message }: Pick<ApiError, "code" | "message"> = isApiError(error) ? error : unavailable
  return { event: "failure", id: undefined, data: JSON.stringify({ error: code, message }), cause }
}

const unavailable = { code: "SERVICE_UNAVAILABLE", message: "The service is temporarily unavailable." } as const

/** One stream, which has the newest answer that its client has not taken yet. */
interface Viewer {
  readonly looks: Queue.Queue<Look, Cause.Done>
  readonly end: () => void
}

/** An answer that some viewers follow. */
interface View {
  /** At most five seconds old. */
  readonly current: () => Promise<Look>
  readonly join: (viewer: Viewer) => void
  readonly leave: (viewer: Viewer) => void
  readonly end: () => void
}

/** Its timer is set while there is a viewer, and for one turn after an answer at most. */
const makeView = (look: () => Promise<Look>, close: () => void): View => {
  const viewers = new Set<Viewer>()
  let last: Promise<Look> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const current = () => {
    if (last !== null) return last
    last = look()
    // Counted from the answer: a database that takes long is asked less often.
    void last.then(() => (timer = setTimeout(turn, EVERY)))
    return last
  }
  const turn = () => {
    last = null
    if (viewers.size === 0) forget()
    else show()
  }
  const show = () => void current().then((look) => viewers.forEach(({ looks }) => Queue.offerUnsafe(looks, look)))
  const forget = () => {
    clearTimeout(timer)
    close()
  }

  return {
    current,
    join: (viewer) => {
      viewers.add(viewer)
      if (last === null) show()
    },
    leave: (viewer) => {
      viewers.delete(viewer)
      if (viewers.size === 0) forget()
    },
    end: () => {
      for (const viewer of viewers) viewer.end()
      forget()
    }
  }
}

/** @param enter is asked with the first event: a host may never ask for it, because its client has gone */
const eventsOf = (enter: Effect.Effect<Viewer>, first: Look): EventStream.Events => {
  let viewer: Viewer | null = null
  const begin = Effect.map(enter, (entered) => {
    viewer = entered
    return entered.looks.state._tag === "Open" ? first : null
  })
  return {
    after: (last) =>
      viewer === null
        ? begin
        : Effect.match(Queue.take(viewer.looks), {
            onFailure: () => null,
            onSuccess: (look) => (look.data === last?.data ? "silence" : look)
          }),
    end: Effect.sync(() => viewer?.end())
  }
}
