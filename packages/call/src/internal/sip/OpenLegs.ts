/**
 * The number of open call legs by Call-ID.
 */
export class OpenLegs {
  private readonly counts = new Map<string, number>()
  private readonly closed: () => void

  /** @param closed is called whenever the last leg has been closed */
  constructor(closed: () => void) {
    this.closed = closed
  }

  get isEmpty(): boolean {
    return this.counts.size === 0
  }

  has(callId: string): boolean {
    return this.counts.has(callId)
  }

  open(callId: string): void {
    this.counts.set(callId, (this.counts.get(callId) ?? 0) + 1)
  }

  close(callId: string): void {
    const left = (this.counts.get(callId) ?? 0) - 1
    if (left > 0) this.counts.set(callId, left)
    else this.counts.delete(callId)
    if (this.isEmpty) this.closed()
  }
}
