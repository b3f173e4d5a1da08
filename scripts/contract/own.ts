/**
 * Client methods that differ from their endpoints: methods that name their subject in another way, and methods that
 * combine several endpoints.
 */
import type { Method } from "./client.ts"
import { commentOf } from "./types.ts"

/** How a method differs from its endpoint, and the methods that follow it. */
interface Otherwise extends Partial<Method> {
  readonly declares?: ReadonlyArray<string>
  readonly after?: ReadonlyArray<Method>
}

/** By group, and by endpoint within the group. */
export type Own = Readonly<Record<string, Readonly<Record<string, Otherwise>>>>

export const own: Own = {
  verify: {
    start: {
      comment: commentOf(
        "Sends a code with the first step that is possible, and with the next step if nothing arrives. A number has one " +
          "pending verification for each purpose: another start returns the pending verification and sends its code again. " +
          "For a button that sends the code again use `resend`. A wrong field is a 400, whose `issues` name it. Fails with " +
          "402, 480 or 503 only if no step is possible. The `reason` of a 429 is `resend_too_soon`, `too_many_sends` or a " +
          "guard's reason."
      )
    },
    check: {
      declares: [
        `/** A verification named by its number and its purpose, instead of its id. */
export interface VerifiedNumber {
  /** The number, in E.164 with the plus sign, or with \`default_country\` as people type it. */
  readonly to: string
  /**
   * The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as \`DE\`.
   * With it \`to\` is read as people type it: \`0151 23456789\`. A text that can be read as two numbers is refused.
   */
  readonly default_country?: string
  /** The purpose that the verification was started for; "default" unless given. */
  readonly purpose?: string
}
`,
        `/** The code that the user entered. */
export interface EnteredCode {
  /**
   * The code as the user has entered it: 4 to 10 digits of any script. White space, dashes and invisible marks before,
   * between and after the digits are ignored.
   */
  readonly code: string
  /** The payment that the user approves, the same as at the start. */
  readonly bind?: Bind
}
`
      ],
      type: `(...args: [...C["before"], verification: string | VerifiedNumber, entered: EnteredCode, ...C["keyed"]]) => Promise<VerificationChecked>`,
      code: `(verification, entered, options) => request({ method: "POST", path: "/verifications/check", body: { ...(typeof verification === "string" ? { verification_id: verification } : verification), ...entered }, repeats: "keyed" }, options)`
    },
    next: {
      after: [
        {
          name: "resend",
          isList: false,
          comment: commentOf(
            "Sends the same code again, by the channel that the verification is at. It takes one of its sends: the `reason` " +
              "of a 429 is `resend_too_soon`, whose `retryAfter` is in seconds, `too_many_sends` or that of a guard. A " +
              "verification that has ended is a conflict. It looks the verification up first, for which a key needs the " +
              "scope `verify:read`."
          ),
          type: `(...args: [...C["before"], id: string, ...C["options"]]) => Promise<Verification>`,
          code: `async (id, options) => {
            const path = \`/verifications/\${encodeURIComponent(id)}\`
            const { channel } = await request<Verification>({ method: "GET", path, repeats: "harmless" }, options)
            return request({ method: "POST", path: \`\${path}/next\`, body: { channel }, repeats: "never" }, options)
          }`
        }
      ]
    }
  }
}
