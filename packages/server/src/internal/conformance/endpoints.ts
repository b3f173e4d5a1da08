/**
 * Keys, scopes, methods and accounts at the endpoints of a channel.
 */
import { type CaseOf, group, same } from "@watchword/store/checks"
import { UNKNOWN, error, success } from "./answers.ts"
import type { Channel } from "./channels.ts"
import { type Client, JSON_TYPE, each, test } from "./client.ts"

export const endpoints = ({ id, name, outcomes, paths, request }: Channel): ReadonlyArray<CaseOf<Client>> => {
  const all = [
    ["POST", paths.send],
    ["POST", paths.list],
    ["POST", paths.report],
    ["GET", paths.record(UNKNOWN)]
  ] as const
  const readable: ReadonlyArray<string> = name === "sms" ? [paths.list, paths.record(UNKNOWN)] : []

  return group(name, [
    ...each(
      all,
      ([method, path]) => `${method} ${path} needs a key, and one with the scope`,
      async ({ ask, credentials, target }, [method, path]) => {
        const question = { method, path, ...(method === "POST" ? { body: "{}" } : {}) }
        error(await ask({ ...question, headers: JSON_TYPE }), 401, "UNAUTHORIZED")
        const wrong = { ...JSON_TYPE, ...credentials(`${target.key}x`) }
        error(await ask({ ...question, headers: wrong }), 401, "UNAUTHORIZED")
        if (readable.includes(path)) return
        const reading = { ...JSON_TYPE, ...credentials(target.readKey) }
        error(await ask({ ...question, headers: reading }), 403, "FORBIDDEN")
      }
    ),

    ...each(
      ["PUT", "PATCH"],
      (method) => `${method} is no method of its endpoints`,
      async ({ ask, credentials, wrongMethod }, method) => {
        for (const [, path] of all) wrongMethod(await ask({ method, path, headers: credentials() }), method)
      }
    ),

    test("a report needs a key alone, and an account that is named must be the key's", async ({
      ask,
      number,
      postJson,
      target
    }) => {
      const sent = success(await postJson(paths.send, request(number())))
      const body = JSON.stringify({ [id.reportedAs]: sent[id.field], status: outcomes.good[0] })
      const headers = { ...JSON_TYPE, "x-api-key": target.key }
      const question = { method: "POST", path: paths.report, body }
      success(await ask({ ...question, headers }))
      error(await ask({ ...question, headers: { ...headers, "x-account-id": "acc_x" } }), 401, "UNAUTHORIZED")
    }),

    test("answers have a correlation id, given or made", async ({ postJson }) => {
      const given = "0C9D7E3A-1111-4222-8333-444455556666"
      const answer = await postJson(paths.list, {}, { "x-request-id": given })
      same("given id", answer.headers["x-request-id"], given)
      const [one, other] = [await postJson(paths.list, {}), await postJson(paths.list, {})]
      same("number of made ids", new Set([one, other].map(({ headers }) => headers["x-request-id"])).size, 2)
    }),

    ...each(
      paths.callback === undefined ? [] : [paths.callback],
      (path) => `${path} is no endpoint without a gateway`,
      async ({ ask, noEndpoint }, path) => {
        const query = "?hub.mode=subscribe&hub.verify_token=&hub.challenge=1"
        noEndpoint(await ask({ method: "GET", path: path + query }), { method: "GET", path })
        for (const method of ["POST", "PUT", "DELETE"]) {
          noEndpoint(await ask({ method, path, headers: JSON_TYPE, body: "{}" }), { method, path })
        }
      }
    )
  ])
}
