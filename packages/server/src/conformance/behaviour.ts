/**
 * What the interface does over any host, as a suite for vitest. An adapter starts the whole service behind
 * its host and runs it:
 *
 * ```ts
 * import { behaviour } from "@watchword/server/conformance/behaviour"
 *
 * behaviour("my host", async () => ({ baseUrl, account, key, readKey, close }))
 * ```
 *
 * What a host cannot do it says in `host`, see `Abilities`.
 */
import { afterAll, beforeAll, describe } from "vitest"
import { anything } from "./anything.ts"
import { bizchat } from "./bizchat.ts"
import { bodies } from "./bodies.ts"
import { calls } from "./calls.ts"
import { type Target, makeCaller } from "./caller.ts"
import { chatgw } from "./chatgw.ts"
import { messages } from "./messages.ts"
import { requests } from "./requests.ts"

export type { Abilities, Target } from "./caller.ts"

export const behaviour = (name: string, start: () => Promise<Target>): void => {
  describe(`the interface over ${name}`, () => {
    let target: Target
    beforeAll(async () => {
      target = await start()
    })
    afterAll(() => target.close())

    const caller = makeCaller(() => target)
    requests(caller)
    bodies(caller)
    messages(caller)
    calls(caller)
    chatgw(caller)
    bizchat(caller)
    anything(caller)
  })
}
