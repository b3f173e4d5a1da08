/**
 * The receiver of webhooks, which notes each event and whether it has taken it.
 */
import { type Got, closeReceivers, receive } from "../../../packages/events/test/receiver.ts"

export type Temper = "takes" | "refuses" | "hangs up" | "is silent"

export interface Told extends Got {
  readonly taken: boolean
}

export interface WebhookReceiver {
  readonly url: string
  readonly told: ReadonlyArray<Told>
  temper: Temper
  readonly close: () => Promise<void>
}

export const openReceiver = async (): Promise<WebhookReceiver> => {
  const told: Array<Told> = []
  const receiver = await receive((response, number) => {
    const got = receiver.got[number - 1]
    if (got !== undefined) told.push({ ...got, taken: self.temper === "takes" })
    if (self.temper === "takes") response.writeHead(204).end()
    else if (self.temper === "refuses") response.writeHead(503).end()
    else if (self.temper === "hangs up") response.destroy()
  })
  const self: WebhookReceiver = { url: receiver.url, told, temper: "takes", close: closeReceivers }
  return self
}
