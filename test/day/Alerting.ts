/**
 * The alerts of the day: reported as they fire and resolve, and compared with the alerts that each step expects.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Alert, Prometheus } from "./Prometheus.ts"

export interface Fired {
  readonly name: string
  /** The subject of the alert, such as a gateway; empty for alerts without such a label. */
  readonly about: string
  readonly from: string
  to: string | null
}

export class Alerting {
  readonly fired: Array<Fired> = []
  private readonly firing = new Map<string, Fired>()
  private readonly expected = new Set<string>()
  private readonly prometheus: Prometheus
  private readonly stop = new AbortController()
  private readonly watching: Promise<void>

  /**
   * @param time the time of the day
   * @param tell is called for each alert that fires or resolves
   */
  constructor(prometheus: Prometheus, time: () => string, tell: (line: string) => void) {
    this.prometheus = prometheus
    this.watching = this.watch(time, tell)
  }

  /** Names an alert that should fire from now on. */
  expect(name: string): void {
    this.expected.add(name)
  }

  /** Alerts that fired but should not have. */
  get unexpected(): ReadonlyArray<Fired> {
    return this.fired.filter(({ name }) => !this.expected.has(name))
  }

  /** Waits until an alert fires; resolves to false if it does not fire in time. */
  fires(name: string, milliseconds: number): Promise<boolean> {
    return this.until(() => this.fired.some((fired) => fired.name === name), milliseconds)
  }

  /** Waits until an alert no longer fires; resolves to false if it still fires when the time is over. */
  resolved(name: string, milliseconds: number): Promise<boolean> {
    return this.until(() => ![...this.firing.values()].some((fired) => fired.name === name), milliseconds)
  }

  async end(): Promise<void> {
    this.stop.abort()
    await this.watching
  }

  private async until(holds: () => boolean, milliseconds: number): Promise<boolean> {
    for (const end = Date.now() + milliseconds; !holds() && Date.now() < end;) await delay(100)
    return holds()
  }

  private async watch(time: () => string, tell: (line: string) => void): Promise<void> {
    while (!this.stop.signal.aborted) {
      const alerts = await this.prometheus.alerts()
      const now = new Map(alerts.filter(({ state }) => state === "firing").map((alert) => [keyOf(alert), alert]))
      for (const [key, { annotations, labels }] of now) {
        if (this.firing.has(key)) continue
        const about = labels["gateway"] ?? labels["phase"] ?? ""
        const fired: Fired = { name: labels["alertname"] ?? "", about, from: time(), to: null }
        this.firing.set(key, fired)
        this.fired.push(fired)
        tell(`ALERT ${fired.name} (${labels["severity"]}) fires: ${annotations["summary"]}`)
      }
      for (const [key, fired] of this.firing) {
        if (now.has(key)) continue
        this.firing.delete(key)
        fired.to = time()
        tell(`ALERT ${fired.name} is resolved${fired.about === "" ? "" : `: ${fired.about}`}`)
      }
      await delay(250)
    }
  }
}

const keyOf = ({ labels }: Alert): string => JSON.stringify(labels)
