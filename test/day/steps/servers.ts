/**
 * Servers end: first one after the other for an upgrade, then one by accident.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Day } from "../Day.ts"
import { hasEnded } from "../Service.ts"

/** Ends each server with SIGTERM and starts it again, as a rolling restart does. */
export const rollingRestart = async ({ clock, customers, must, say, service }: Day): Promise<void> => {
  const before = { ...customers.outcomes }
  for (const server of service.servers) {
    const code = await server.running.stop()
    must(code === 0, `server ${server.name} has drained and ended with ${code}`)
    await server.start()
    say(`Server ${server.name} is ready again`)
    await delay(clock.hourTakes / 4)
  }
  const unanswered = customers.outcomes.unanswered - before.unanswered
  must(
    unanswered === 0,
    `${customers.outcomes.answered - before.answered} sends were answered meanwhile, ${unanswered} not`
  )
}

/** Kills a server under load, and lets the other server settle the sends in progress. */
export const killed = async (day: Day): Promise<void> => {
  const { alerting, carriers, clock, customers, front, must, say, service } = day
  const [, server] = service.servers
  const before = { lost: front.lost, unanswered: customers.outcomes.unanswered }
  alerting?.expect("WatchwordServerDown")
  carriers.smsSlow(1000)
  customers.burst(20)
  await delay(500)
  await server.running.kill()
  carriers.smsSlow(10)
  must(hasEnded(server.running), `Server ${server.name} is killed with SIGKILL; the other one goes on`)
  if (alerting !== null)
    must(await alerting.fires("WatchwordServerDown", 30_000), "an alert says that a server is gone")
  else await delay(clock.hourTakes)
  await server.start()
  say(`Server ${server.name} is started again by its supervisor`)
  must(
    customers.outcomes.unanswered === before.unanswered,
    `${front.lost - before.lost} requests lost their answer and were repeated with their idempotency key`
  )
}
