/**
 * Calls that are declined, and calls that are ended.
 */
import { type CaseOf, group, same } from "@watchword/store/checks"
import { STATUS_HEADER } from "../../Host.ts"
import { error, success } from "./answers.ts"
import { type Client, test } from "./client.ts"

const request = (callee: string) => ({ callee, caller: "+4930901820123" })

export const calls: ReadonlyArray<CaseOf<Client>> = group("call", [
  test("a call that is declined is answered 603 where the host can send that", async ({ host, number, postJson }) => {
    const answer = await postJson("/call/flash", request(number("0603")))
    const sent = host.statusBeyond599
    error(answer, sent ? 603 : 486, "DECLINE")
    same("status header", answer.headers[STATUS_HEADER], sent ? undefined : "603")
  }),

  test("a call is ended once", async ({ ask, credentials, number, postJson }) => {
    const { uuid } = success(await postJson("/call/flash", request(number())))
    const end = { method: "DELETE", path: `/call/flash/${String(uuid)}`, headers: credentials() }
    const { status, text } = await ask(end)
    same("status and body", [status, text], [204, ""])
    error(await ask(end), 404, "NOT_FOUND")
  })
])
