/** A clock of a service that tests move. */
import type { Clock } from "watchword"

const { clearTimeout, setTimeout } = globalThis
const realNow = Date.now.bind(Date)

/** A clock that runs by itself and can be moved forward. */
export const movable = () => {
  let ahead = 0
  const now = () => realNow() + ahead
  const waiting = new Set<() => void>()
  const after: Clock["after"] = (milliseconds, run) => {
    const at = now() + milliseconds
    let timer = setTimeout(() => {}, 0)
    const look = () => {
      clearTimeout(timer)
      if (now() < at) timer = setTimeout(look, at - now())
      else {
        waiting.delete(look)
        run()
      }
    }
    waiting.add(look)
    look()
    return () => {
      waiting.delete(look)
      clearTimeout(timer)
    }
  }
  const advance = (milliseconds: number) => {
    ahead += milliseconds
    for (const look of waiting) look()
  }
  return { clock: { now, after }, advance }
}
