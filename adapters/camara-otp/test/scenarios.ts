/**
 * The 32 scenarios of CAMARA One-Time Password SMS 1.1, in the standard's order.
 *
 * Source: github.com/camaraproject/OTPValidation at r3.2, code/Test_definitions; the ids are from its tags.
 */
import {
  LANDLINE,
  MAX_SENDS,
  MAX_TRIES,
  MESSAGE,
  PAGER,
  PHONE,
  type Answer,
  type Call,
  type World,
  otherThan
} from "./World.ts"

export interface Scenario {
  readonly call: Call
  readonly id: string
  readonly title: string
  readonly status: number
  /** The code of the error; null for an answer without one. */
  readonly code: string | null
  /** Whether the request has an `x-correlator`, which the answer must repeat. */
  readonly isCorrelated: boolean
  readonly run: (world: World) => Promise<Answer>
}

type Row = readonly [id: string, title: string, expected: string, run: Scenario["run"]]

/** The interval between two codes to one number, and the life of a code, in seconds. */
const INTERVAL = 31
const LIFE = 601

const valid = { phoneNumber: PHONE, message: MESSAGE }

const sending =
  (body: unknown): Scenario["run"] =>
  ({ ask }) =>
    ask({ call: "send-code", body })

const validating =
  (body: unknown): Scenario["run"] =>
  ({ ask }) =>
    ask({ call: "validate-code", body })

/** A verification that no service has. */
const UNKNOWN = { authenticationId: "ea0840f3-3663-4149-bd10-c7c6b8912105", code: "123456" }

/** The last four digits by which a sandbox number plays a refusal. */
const BARRED = "+4915123450403"
const OF_ANOTHER_OPERATOR = "+4915123450404"

const playing =
  (phoneNumber: string): Scenario["run"] =>
  async ({ ask, kit, tokenFor }) =>
    ask({
      call: "send-code",
      body: { ...valid, phoneNumber },
      authorization: `Bearer ${await tokenFor(kit.keys.sandbox)}`
    })

/** A token from before the hour that tokens live. */
const expiredToken = async ({ kit, tokenFor }: World): Promise<string> => {
  const token = await tokenFor()
  await kit.clock.advance(3_601)
  return `Bearer ${token}`
}

const sendCode: ReadonlyArray<Row> = [
  ["01", "a code is sent", "200", sending(valid)],
  [
    "02",
    "a code is sent without x-correlator",
    "200",
    ({ ask }) => ask({ call: "send-code", body: valid, correlator: null })
  ],
  ["400.1", "there is no body", "400 INVALID_ARGUMENT", sending(null)],
  ["400.2", "the body is empty", "400 INVALID_ARGUMENT", sending({})],
  ["400.4", "phoneNumber is not a number", "400 INVALID_ARGUMENT", sending({ ...valid, phoneNumber: "3301" })],
  ["400.5", "message is missing", "400 INVALID_ARGUMENT", sending({ phoneNumber: PHONE })],
  ["400.6", "message has no place for the code", "400 INVALID_ARGUMENT", sending({ ...valid, message: "No code" })],
  [
    "400.7",
    "message is too long",
    "400 INVALID_ARGUMENT",
    sending({ ...valid, message: `{{code}} ${"x".repeat(152)}` })
  ],
  [
    "401.1",
    "there is no access token",
    "401 UNAUTHENTICATED",
    ({ ask }) => ask({ call: "send-code", body: valid, authorization: null })
  ],
  [
    "401.2",
    "the access token has expired",
    "401 UNAUTHENTICATED",
    async (world) => world.ask({ call: "send-code", body: valid, authorization: await expiredToken(world) })
  ],
  [
    "401.3",
    "the access token is not valid",
    "401 UNAUTHENTICATED",
    ({ ask }) => ask({ call: "send-code", body: valid, authorization: "Bearer not-a-token" })
  ],
  [
    "03",
    "the number was sent as many codes as it may have",
    "403 ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED",
    async ({ ask, kit, send }) => {
      for (let sent = 0; sent < MAX_SENDS; sent++) {
        await send()
        await kit.clock.advance(INTERVAL)
      }
      return ask({ call: "send-code", body: valid })
    }
  ],
  [
    "04",
    "the number cannot receive SMS: it is a pager",
    "403 ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED",
    sending({ ...valid, phoneNumber: PAGER })
  ],
  [
    "05",
    "the number is a landline",
    "403 ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED",
    sending({ ...valid, phoneNumber: LANDLINE })
  ],
  ["06", "the number is barred", "403 ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED", playing(BARRED)],
  ["404.1", "the number is of another operator", "404 NOT_FOUND", playing(OF_ANOTHER_OPERATOR)]
]

const EXPIRED = "400 ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"

const validateCode: ReadonlyArray<Row> = [
  ["01", "the code is right", "204", async ({ ask, send }) => ask({ call: "validate-code", body: await send() })],
  [
    "02",
    "the code is right, without x-correlator",
    "204",
    async ({ ask, send }) => ask({ call: "validate-code", body: await send(), correlator: null })
  ],
  ["400.1", "there is no body", "400 INVALID_ARGUMENT", validating(null)],
  ["400.2", "the body is empty", "400 INVALID_ARGUMENT", validating({})],
  ["400.3", "authenticationId is missing", "400 INVALID_ARGUMENT", validating({ code: "123456" })],
  [
    "400.3",
    "code is missing",
    "400 INVALID_ARGUMENT",
    async ({ ask, send }) => {
      const { authenticationId } = await send()
      return ask({ call: "validate-code", body: { authenticationId } })
    }
  ],
  [
    "400.4",
    "code is too long",
    "400 INVALID_ARGUMENT",
    async ({ ask, send }) => {
      const { authenticationId } = await send()
      return ask({ call: "validate-code", body: { authenticationId, code: "12345678901" } })
    }
  ],
  [
    "400.5",
    "the code is wrong",
    "400 ONE_TIME_PASSWORD_SMS.INVALID_OTP",
    async ({ ask, send }) => {
      const sent = await send()
      return ask({ call: "validate-code", body: { ...sent, code: otherThan(sent.code) } })
    }
  ],
  [
    "400.6",
    "the code comes too late",
    EXPIRED,
    async ({ ask, kit, send }) => {
      const sent = await send()
      await kit.clock.advance(LIFE)
      return ask({ call: "validate-code", body: sent })
    }
  ],
  [
    "400.7",
    "another code was sent to the number since",
    EXPIRED,
    async ({ ask, kit, send }) => {
      const first = await send()
      await kit.clock.advance(INTERVAL)
      await send()
      return ask({ call: "validate-code", body: first })
    }
  ],
  [
    "400.8",
    "the code was used already",
    EXPIRED,
    async ({ ask, send }) => {
      const sent = await send()
      await ask({ call: "validate-code", body: sent })
      return ask({ call: "validate-code", body: sent })
    }
  ],
  [
    "400.9",
    "the last try is wrong",
    "400 ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED",
    async ({ ask, send }) => {
      const sent = await send()
      const wrong = { ...sent, code: otherThan(sent.code) }
      for (let tried = 1; tried < MAX_TRIES; tried++) await ask({ call: "validate-code", body: wrong })
      return ask({ call: "validate-code", body: wrong })
    }
  ],
  [
    "401.1",
    "there is no access token",
    "401 UNAUTHENTICATED",
    ({ ask }) => ask({ call: "validate-code", body: UNKNOWN, authorization: null })
  ],
  [
    "401.2",
    "the access token has expired",
    "401 UNAUTHENTICATED",
    async (world) => world.ask({ call: "validate-code", body: UNKNOWN, authorization: await expiredToken(world) })
  ],
  [
    "401.3",
    "the access token is not valid",
    "401 UNAUTHENTICATED",
    ({ ask }) => ask({ call: "validate-code", body: UNKNOWN, authorization: "Bearer not-a-token" })
  ],
  ["404", "authenticationId is unknown", "404 NOT_FOUND", validating(UNKNOWN)]
]

const scenariosOf = (call: Call, rows: ReadonlyArray<Row>): ReadonlyArray<Scenario> =>
  rows.map(([id, title, expected, run]) => {
    const [status, code = null] = expected.split(" ")
    return { call, id, title, status: Number(status), code, isCorrelated: id !== "02", run }
  })

export const scenarios: ReadonlyArray<Scenario> = [
  ...scenariosOf("send-code", sendCode),
  ...scenariosOf("validate-code", validateCode)
]
