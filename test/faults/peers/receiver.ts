/**
 * The receiver of webhooks, which notes each event and whether it has taken it.
 */
import { text } from "node:stream/consumers"
import { listen } from "../../provider.ts"

export type Temper = "takes" | "refuses" | "hangs up" | "is silent"

export interface Told {
  readonly id: string
  readonly body: string
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
  const server = await listen(async (request, response) => {
    const body = await text(request)
    const { temper } = self
    told.push({ id: String(request.headers["webhook-id"]), body, taken: temper === "takes" })
    if (temper === "takes") response.writeHead(204).end()
    else if (temper === "refuses") response.writeHead(503).end()
    else if (temper === "hangs up") response.destroy()
  })
  const self: WebhookReceiver = { ...server, told, temper: "takes" }
  return self
}
