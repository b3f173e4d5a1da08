/**
 * Fails a test that ran without an assertion. The linter cannot see tests behind our own functions or
 * `it.effect.each`, nor notice an assertion in a branch or a loop that is never entered.
 */
import { afterEach, beforeEach, chai } from "vitest"

/** The assertions of this process; its test files share one chai. Concurrent tests share the count. */
const SHARED = Symbol.for("watchword/assertions")
const shared: { count: number } | undefined = Reflect.get(globalThis, SHARED)
const made = shared ?? { count: 0 }

/** Counts the calls of a method, and keeps itself out of the stack traces of errors that the method throws. */
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
  // All of chai's assertions call `assert`; some of vitest's matchers throw on their own, so they are counted too.
  const methods = Object.getOwnPropertyNames(chai.Assertion.prototype).filter((name) => /^(assert$|to[A-Z])/.test(name))
  for (const name of methods) count(name)
}

const before = new WeakMap<object, number>()

beforeEach(({ task }) => void before.set(task, made.count))

afterEach(({ task }) => {
  if (task.result?.state !== "fail" && made.count === before.get(task)) throw new Error("the test has not asserted")
})
