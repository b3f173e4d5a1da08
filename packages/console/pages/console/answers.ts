/**
 * Command answers on the screen, either requested once or followed as they change.
 */
import { type Signal, signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { type Input, type Name, type Output, Refused, Slow, follow, isAway, lastHeard, run } from "./api.ts"

export interface Answer<K extends Name> {
  /** The last answer; undefined before the first. It remains until the next answer arrives. */
  readonly data: Output<K> | undefined
  /** Why the last request was refused. */
  readonly problem: string | null
  readonly isLoading: boolean
  /** Asks again. */
  readonly again: () => void
}

/** When each answer on the screen arrived, by the server's clock; only answers that are requested once. */
const times = new Map<object, number>()

/** The time of the oldest answer on the screen, by the server's clock; null before the server's first answer. */
export const seenAt = (): number | null => {
  const heard = lastHeard()
  return heard === null ? null : Math.min(heard, ...times.values())
}

/** Keeps the time of an answer while its component is on the screen. */
const useTime = (): (() => void) => {
  const { current } = useRef({})
  useEffect(() => () => void times.delete(current), [])
  return () => void times.set(current, lastHeard() ?? 0)
}

/**
 * An answer that is requested when its input changes, when `again` is called, and when the server comes back. The last
 * answer remains until the next one arrives.
 */
export const useAnswer = <K extends Name>(name: K, input: Input<K>): Answer<K> => {
  const state = useSignal<Kept<K>>(nothingYet)
  const turn = useSignal(0)
  const came = useTime()
  const key = JSON.stringify(input)
  const away = isAway.value
  useEffect(() => {
    if (away) return
    const ending = new AbortController()
    state.value = { ...state.value, isLoading: true }
    const ask = async (): Promise<void> => {
      try {
        const data = await run(name, input, ending.signal)
        if (ending.signal.aborted) return
        came()
        state.value = { data, problem: null, isLoading: false }
      } catch (error) {
        if (!ending.signal.aborted) state.value = { ...state.value, problem: problemOf(error), isLoading: false }
      }
    }
    void ask()
    return () => ending.abort()
  }, [name, key, turn.value, away])
  return { ...state.value, again: () => (turn.value += 1) }
}

/** An answer that the server sends again whenever it changes. Nothing is requested while the tab is hidden. */
export const useWatched = <K extends Name>(name: K, input: Input<K>): Answer<K> => {
  const key = JSON.stringify(input)
  const answers = useRef({ key, state: signal<Kept<K>>(nothingYet) })
  // The answer to another input says nothing about this input.
  if (answers.current.key !== key) answers.current = { key, state: signal<Kept<K>>(nothingYet) }
  const { state } = answers.current
  useEffect(() => {
    const ending = new AbortController()
    void keepFollowing(name, input, state, ending.signal)
    return () => ending.abort()
  }, [name, key])
  const again = async (): Promise<void> => {
    await once(name, input, (data) => (state.value = { data, problem: null, isLoading: false }))
  }
  return { ...state.value, again: () => void again() }
}

const nothingYet = { data: undefined, problem: null, isLoading: true } as const

interface Kept<K extends Name> {
  readonly data: Output<K> | undefined
  readonly problem: string | null
  readonly isLoading: boolean
}

/** How long to wait before a stream that has ended is reopened, in milliseconds. */
const PAUSE = 1_000
const LONG_PAUSE = 15_000

const keepFollowing = async <K extends Name>(
  name: K,
  input: Input<K>,
  state: Signal<Kept<K>>,
  ending: AbortSignal
): Promise<void> => {
  const take = (data: Output<K>): void => {
    if (!ending.aborted) state.value = { data, problem: null, isLoading: false }
  }
  const refuse = (problem: string): void => {
    if (!ending.aborted) state.value = { ...state.value, problem, isLoading: false }
  }
  while (!ending.aborted) {
    await seen(ending)
    const hiding = whileSeen(ending)
    let pause = PAUSE
    try {
      await follow(name, input, take, refuse, hiding)
    } catch (error) {
      if (ending.aborted) return
      if (error instanceof Refused) {
        pause = (error.retryAfter ?? 0) * 1000 || LONG_PAUSE
        // If too many clients follow, the current answer is better than no answer.
        const problem = error.status === 429 ? await once(name, input, take) : error.message
        if (problem !== null) refuse(problem)
      }
    }
    if (!document.hidden) await slept(pause, ending)
  }
}

const once = async <K extends Name>(
  name: K,
  input: Input<K>,
  take: (data: Output<K>) => void
): Promise<string | null> => {
  try {
    take(await run(name, input))
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Resolves once the tab is visible. */
const seen = (ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve()
    const look = (): void => {
      if (document.hidden && !ending.aborted) return
      document.removeEventListener("visibilitychange", look)
      ending.removeEventListener("abort", look)
      resolve()
    }
    document.addEventListener("visibilitychange", look)
    ending.addEventListener("abort", look)
  })

/** A signal that ends a stream with the page, or when the tab is hidden. */
const whileSeen = (ending: AbortSignal): AbortSignal => {
  const hiding = new AbortController()
  const look = (): void => {
    if (document.hidden) hiding.abort()
  }
  document.addEventListener("visibilitychange", look, { signal: hiding.signal })
  return AbortSignal.any([ending, hiding.signal])
}

const slept = (milliseconds: number, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    ending.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true }
    )
  })

export const problemOf = (error: unknown): string | null =>
  error instanceof Refused || error instanceof Slow ? error.message : isAway.value ? null : String(error)
