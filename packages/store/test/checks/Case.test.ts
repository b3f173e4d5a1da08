import { type CaseOf, Violation, bind, collect, group, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"

const counting: ReadonlyArray<CaseOf<{ count: number }>> = group("count", [
  { name: "starts at zero", check: (counter) => Effect.sync(() => same("count", counter.count++, 0)) },
  { name: "is not shared", check: (counter) => Effect.sync(() => same("count", counter.count++, 0)) },
  { name: "is one", check: (counter) => Effect.sync(() => same("count", counter.count, 1)) }
])

it("bind opens an implementation for each case, and closes it after a failure too", async () => {
  let open = 0
  const start = Effect.acquireRelease(
    Effect.sync(() => {
      open++
      return { count: 0 }
    }),
    () => Effect.sync(() => void open--)
  )
  const cases = bind(start, counting)
  expect(cases.map(({ name }) => name)).toEqual(["count: starts at zero", "count: is not shared", "count: is one"])
  const exits = await Effect.runPromise(Effect.forEach(cases, ({ check }) => Effect.exit(check)))
  expect(exits.map(Exit.isSuccess)).toEqual([true, true, false])
  expect(open).toBe(0)
})

it("collect records events, those that the handler fails with too", async () => {
  type Handle = (event: string) => Effect.Effect<void, Error>
  let emit: Handle = () => Effect.void
  const subscribe = (handle: Handle) =>
    Effect.acquireRelease(
      Effect.sync(() => void (emit = handle)),
      () => Effect.sync(() => void (emit = () => Effect.void))
    )
  const scope = Scope.makeUnsafe()
  const handle = (event: string) => (event === "b" ? Effect.fail(new Violation({ message: event })) : Effect.void)
  const events = await Effect.runPromise(Scope.provide(collect(subscribe, handle), scope))
  await Effect.runPromise(emit("a"))
  await expect(Effect.runPromise(emit("b"))).rejects.toThrow("b")
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await Effect.runPromise(emit("c"))
  expect(events).toEqual(["a", "b"])
})
