/**
 * Fails a test that ran without an assertion. The linter does not see tests behind functions of ours or
 * `it.effect.each`, nor assertions in a branch or a loop that is never entered.
 */
import { afterEach, beforeEach, chai } from "vitest"

/** The assertions of this process, whose files share chai. Tests that run at once share the count. */
const SHARED = Symbol.for("watchword/assertions")
const shared: { count: number } | undefined = Reflect.get(globalThis, SHARED)
const made = shared ?? { count: 0 }

/** Counts the calls of a method, and keeps itself out of the stack of what it throws. */
const count = (name: string): void => {
  const method: unknown = Reflect.get(chai.Assertion.prototype, name)
  if (typeof method !== "function") return
  Reflect.set(
    chai.Assertion.prototype,
    name,
    function counted(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      made.count += 1
      try {
        return Reflect.apply(method, this, args)
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error, counted)
        throw error
      }
    }
  )
}

if (shared === undefined) {
  Reflect.set(globalThis, SHARED, made)
  // What chai's assertions end in, and vitest's matchers, some of which throw by themselves.
  const methods = Object.getOwnPropertyNames(chai.Assertion.prototype).filter((name) => /^(assert$|to[A-Z])/.test(name))
  for (const name of methods) count(name)
}

const before = new WeakMap<object, number>()

beforeEach(({ task }) => void before.set(task, made.count))

afterEach(({ task }) => {
  if (task.result?.state !== "fail" && made.count === before.get(task)) throw new Error("the test has not asserted")
})
