/**
 * Random requests: each is answered, and in the form of the interface.
 */
import { type CaseOf, type Question, type SeededRandom, group, holds, seededRandom } from "@watchword/store/checks"
import type { ErrorCode } from "@watchword/schemas/Errors"
import { error, foreign } from "./answers.ts"
import { type Client, each } from "./client.ts"

const REFUSALS: ReadonlyArray<readonly [status: number, code: ErrorCode | "METHOD_NOT_ALLOWED"]> = [
  [400, "BAD_REQUEST"],
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [405, "METHOD_NOT_ALLOWED"]
]

/** The statuses of a host that does not pass on every request. */
const FOREIGN = [204, 400, 404, 413, 414, 415]

const SEEDS = [1, 2, 3]
const REQUESTS = 50

export const random: ReadonlyArray<CaseOf<Client>> = group(
  "random requests",
  each(
    SEEDS,
    (seed) => `are answered with success or an error (seed ${seed})`,
    async ({ ask, host, target }, seed) => {
      const isLimited = !(host.undecodablePaths && host.everyPath && host.everyMethod && host.rawBodies)
      const random = seededRandom(seed)
      for (let nth = 0; nth < REQUESTS; nth++) {
        const question = randomQuestion(random, target)
        const answer = await ask(question)
        if (answer.status === 200) continue
        if (isLimited && answer.headers["x-request-id"] === undefined) foreign(answer, FOREIGN)
        else {
          const refusal = REFUSALS.find(([status]) => status === answer.status)
          holds(
            `${question.method} ${question.path} was answered ${answer.status} ${answer.text}`,
            refusal !== undefined
          )
          error(answer, ...refusal)
        }
      }
    }
  )
)

const randomQuestion = (
  random: SeededRandom,
  { account, key }: { readonly account: string; readonly key: string }
): Question => {
  const header = () => text(random, 40, " ", "~")
  const mostly = (value: string) => (random.below(10) > 0 ? value : header())
  const optional = {
    "x-request-id": random.below(2) === 0 ? globalThis.crypto.randomUUID() : header(),
    "idempotency-key": header(),
    "x-forwarded-for": header(),
    "content-type": random.below(2) === 0 ? "application/json" : header(),
    "content-encoding": header(),
    cookie: header()
  }
  const headers = Object.fromEntries(random.some(Object.entries(optional)))
  return {
    method: random.oneOf(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]),
    path: random.oneOf([
      "/sms",
      "/sms/sdr",
      "/sms/webhook",
      "/sms/x/sdr",
      "/verifications",
      "/verifications/check",
      "/verifications/x/next",
      "/verifications/list",
      `/${text(random, 60, "!", "~").replaceAll("#", "")}`
    ]),
    headers: { "x-api-key": mostly(key), "x-account-id": mostly(account), ...headers },
    ...(random.below(4) === 0 ? {} : { body: body(random) })
  }
}

const body = (random: SeededRandom): string | Uint8Array =>
  random.oneOf([
    () => JSON.stringify(json(random, 3)),
    () => text(random, 20, "\0", "ÿ"),
    () => Uint8Array.from({ length: random.below(200) }, () => random.below(256)),
    () => JSON.stringify({ to: json(random, 1), text: json(random, 1), id: json(random, 1), code: json(random, 1) }),
    () => JSON.stringify({ to: "+4915123456789", workflow: json(random, 2), metadata: json(random, 2) })
  ])()

const json = (random: SeededRandom, depth: number): unknown =>
  random.oneOf<() => unknown>([
    () => null,
    () => random.below(2) === 0,
    () => (random.below(2_000_001) - 1_000_000) / random.oneOf([1, 1000, 1e-300]),
    () => text(random, 10, " ", "~"),
    () => (depth === 0 ? [] : Array.from({ length: random.below(4) }, () => json(random, depth - 1))),
    () =>
      depth === 0
        ? {}
        : Object.fromEntries(
            Array.from({ length: random.below(4) }, () => [
              random.oneOf([
                "to",
                "text",
                "code",
                "workflow",
                "metadata",
                "__proto__",
                "filter",
                text(random, 5, " ", "~")
              ]),
              json(random, depth - 1)
            ])
          )
  ])()

/** Up to `limit` - 1 characters between two. */
const text = (random: SeededRandom, limit: number, first: string, last: string): string => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  const codes = Array.from({ length: random.below(limit) }, () => from + random.below(to - from + 1))
  return String.fromCharCode(...codes)
}
