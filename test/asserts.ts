/**
 * Fails a test that ran without an assertion. The linter does not see tests behind functions of ours or `it.effect.each`, nor
 * assertions in a branch or a loop that is never entered.
 */
import { afterEach, beforeEach, chai } from "vitest"

/** Assertions so far. Tests that run at once share the count. */
const made = { count: 0 }

/** What chai's assertions end in, and vitest's matchers, some of which throw by themselves. */
const counted = Object.getOwnPropertyNames(chai.Assertion.prototype).filter((name) => /^(assert$|to[A-Z])/.test(name))

for (const name of counted) {
  const method: unknown = Reflect.get(chai.Assertion.prototype, name)
  if (typeof method !== "function") continue
  Reflect.set(chai.Assertion.prototype, name, function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    made.count += 1
    return Reflect.apply(method, this, args)
  })
}

const before = new WeakMap<object, number>()

beforeEach(({ task }) => void before.set(task, made.count))

afterEach(({ task }) => {
  if (task.result?.state !== "fail" && made.count === before.get(task)) throw new Error("the test has not asserted")
})
