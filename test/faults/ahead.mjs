/**
 * Sets the clock of a process ahead by the milliseconds of `CLOCK_AHEAD`: `node --import ahead.mjs`. Timers run as
 * always.
 */
const ahead = Number(process.env.CLOCK_AHEAD)
const now = Date.now.bind(Date)

globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(now() + ahead)
    else super(...parts)
  }

  static now() {
    return now() + ahead
  }
}
