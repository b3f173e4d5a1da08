/**
 * The inbox of the sandbox, for the messages of a channel.
 */
import { type CaseOf, group, like } from "@watchword/store/checks"
import { ULID, badRequest, success } from "./answers.ts"
import type { Channel } from "./channels.ts"
import { type Client, test } from "./client.ts"

export const inbox = ({ name, paths, request }: Channel): ReadonlyArray<CaseOf<Client>> =>
  group(`${name}: the inbox of the sandbox`, [
    test("has what was sent to a number, and waits for it", async ({ get, number, postJson }) => {
      const to = number()
      const path = `/sandbox/inbox?to=${to}&channel=${name}`
      like("inbox", success(await get(path)), { messages: [] })
      const waiting = get(`${path}&wait=30`)
      success(await postJson(paths.send, request(to)))
      const messages = [{ id: ULID, channel: name, to, code: /^\d{4,8}$/ }]
      like("inbox that was waited for", success(await waiting), { messages })
      like("inbox", success(await get(`/sandbox/inbox?to=${encodeURIComponent(to)}`)), { messages })
    }),

    test("names a parameter that is wrong", async ({ get }) => {
      badRequest(await get("/sandbox/inbox?wait=31"), "wait")
      badRequest(await get("/sandbox/inbox?phone=%2B4915123456789"), "phone")
    })
  ])
