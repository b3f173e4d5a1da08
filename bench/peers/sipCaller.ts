/**
 * The SIP gateway in a process of its own: places calls through the trunk at the port in `TRUNK_PORT`, and tells its
 * parent what each took.
 */
import { CallGateway } from "@watchword/call/CallGateway"
import { sip } from "@watchword/call/sip"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

/** Calls to place, and either to cancel as they ring or to leave ringing until all do. */
export interface Task {
  readonly what: "round" | "ringing"
  readonly calls: number
  readonly atOnce: number
}

export interface Round {
  readonly perSecond: number
  /** Microseconds a call. */
  readonly cpu: number
}

export interface Ringing {
  /** Bytes of heap a call. */
  readonly heap: number
}

const caller = E164.make("+4930901820123")
const callee = E164.make("+4915123456789")

/** Places calls, so many at a time, and cancels each as soon as it rings. */
const round = Effect.fnUntraced(function* (gateway: CallGateway["Service"], { atOnce, calls }: Task) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  let placed = 0
  let rang = 0
  const worker = Effect.gen(function* () {
    while (placed < calls) {
      placed++
      const delivery = nextDeliveryId(Date.now())
      const dialled = yield* gateway.dial({ delivery, caller, callee, maxRing: 30 }, () => Effect.void)
      if (dialled._tag === "Ringing") rang++
      yield* gateway.hangup(delivery, "NO_ANSWER")
    }
  })
  yield* Effect.all(
    Array.from({ length: atOnce }, () => worker),
    { concurrency: "unbounded", discard: true }
  )
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  if (rang !== calls) return yield* Effect.die(new Error(`only ${rang} of ${calls} rang`))
  return { perSecond: calls / seconds, cpu: (user + system) / calls } satisfies Round
})

const heap = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Heap for each of many calls that ring. */
const ringing = Effect.fnUntraced(function* (gateway: CallGateway["Service"], { atOnce, calls }: Task) {
  const before = heap()
  const deliveries = yield* Effect.forEach(
    Array.from({ length: calls }, () => nextDeliveryId(Date.now())),
    (delivery) =>
      Effect.as(
        gateway.dial({ delivery, caller, callee, maxRing: 600 }, () => Effect.void),
        delivery
      ),
    { concurrency: atOnce }
  )
  // The last messages are still on their way.
  yield* Effect.sleep("1 second")
  const bytes = (heap() - before) / calls
  yield* Effect.forEach(deliveries, (delivery) => gateway.hangup(delivery, "NO_ANSWER"), { discard: true })
  return { heap: bytes } satisfies Ringing
})

const program = Effect.gen(function* () {
  const gateway = yield* CallGateway
  yield* gateway.events(() => Effect.void)
  const run = Effect.runPromiseWith(yield* Effect.context())
  process.on("message", async (task: Task) => {
    process.send?.(await (task.what === "round" ? run(round(gateway, task)) : run(ringing(gateway, task))))
  })
  process.send?.("ready")
  return yield* Effect.never
})

process.once("disconnect", () => process.exit())
await program.pipe(
  Effect.provide([
    sip({ url: `sip:bench:secret@127.0.0.1:${process.env["TRUNK_PORT"]};keepalive=0` }),
    Logger.layer([])
  ]),
  Effect.scoped,
  Effect.runPromise
)
