/**
 * A load balancer before the servers: each request goes to the next server whose `/readyz` says 200.
 */
import type { Fetch } from "@watchword/client"

/** The addresses of a server. */
export interface Target {
  readonly customers: string
  readonly operations: string
}

/** How often a balancer asks, in milliseconds; longer than an answer takes, and shorter than `DRAIN_SECONDS`. */
const ASKED_EVERY = 200

export class Front {
  private readonly targets: ReadonlyArray<Target>
  private readonly ready = new Set<Target>()
  private readonly timer: NodeJS.Timeout
  private turn = 0
  /** Requests whose answer was lost. */
  lost = 0

  constructor(targets: ReadonlyArray<Target>) {
    this.targets = targets
    this.timer = setInterval(() => void this.ask(), ASKED_EVERY)
  }

  /** The origin of the next server; of any where none is ready, which then refuses the connection. */
  get next(): string {
    const candidates = this.ready.size > 0 ? [...this.ready] : this.targets
    const chosen = candidates[this.turn++ % candidates.length]
    if (chosen === undefined) throw new Error("there is no server")
    return chosen.customers
  }

  /** `fetch` by way of the balancer, whatever the host of the address is. */
  readonly fetch: Fetch = (url, init) => {
    const { pathname, search } = new URL(url)
    return fetch(this.next + pathname + search, init).catch((error: unknown) => {
      this.lost++
      throw error
    })
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async ask(): Promise<void> {
    await Promise.all(
      this.targets.map(async (target) => {
        if (await isReady(target)) this.ready.add(target)
        else this.ready.delete(target)
      })
    )
  }
}

export const isReady = ({ operations }: Target): Promise<boolean> =>
  fetch(`${operations}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false
  )
