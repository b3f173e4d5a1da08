/**
 * The clock of a simulated day, whose 24 hours take some minutes.
 */
import { setTimeout as delay } from "node:timers/promises"

export class Clock {
  private readonly startedAt = Date.now()
  /** Milliseconds that an hour of the day takes. */
  readonly hourTakes: number

  constructor(minutes: number) {
    this.hourTakes = (minutes * 60_000) / 24
  }

  /** Hours since midnight; beyond 24 on the next day. */
  get hours(): number {
    return (Date.now() - this.startedAt) / this.hourTakes
  }

  /** The time of the day, as `14:20`, and behind midnight as `+00:15`. */
  get time(): string {
    const minutes = Math.floor(this.hours * 60)
    const text = `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
    return this.hours < 24 ? ` ${text}` : `+${text}`
  }

  /** Waits until an hour of the day, which may be over already. */
  async until(hour: number): Promise<void> {
    await delay(Math.max(0, (hour - this.hours) * this.hourTakes))
  }
}

const two = (number: number): string => String(number).padStart(2, "0")
