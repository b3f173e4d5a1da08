/**
 * An app's second factor, by Twilio's codes of errors: sends and checks codes of sign-ins, and reports how many of them
 * arrived.
 */
import twilio from "twilio"

export interface SecondFactor {
  readonly challenge: (user: {
    readonly phone: string
  }) => Promise<{ readonly sid: string } | { readonly wait: string }>
  readonly answer: (sid: string, code: string) => Promise<"signed in" | "wrong code" | "start again" | "locked">
  readonly giveUp: (sid: string) => Promise<string>
  readonly conversion: () => Promise<string>
}

export const secondFactor = (env: Readonly<Record<string, string>>): SecondFactor => {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, VERIFY_SERVICE_SID = "", VERIFY_URL = "" } = env
  const client = twilio(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)
  client.verify.baseUrl = VERIFY_URL // the line
  const service = client.verify.v2.services(VERIFY_SERVICE_SID)
  const codeOf = (error: unknown): number => (error instanceof twilio.RestException ? (error.code ?? 0) : 0)

  return {
    challenge: async ({ phone }) => {
      try {
        const { sid } = await service.verifications.create({ to: phone, channel: "sms" })
        return { sid }
      } catch (error) {
        const code = codeOf(error)
        if (code === 60203) return { wait: "Too many codes; try again in ten minutes." }
        if (code === 60212) return { wait: "A code is on its way." }
        throw error
      }
    },
    answer: async (sid, code) => {
      try {
        const { status } = await service.verificationChecks.create({ verificationSid: sid, code })
        return status === "approved" ? "signed in" : "wrong code"
      } catch (error) {
        const code = codeOf(error)
        if (code === 60202) return "locked"
        if (code === 20404) return "start again"
        throw error
      }
    },
    giveUp: async (sid) => (await service.verifications(sid).update({ status: "canceled" })).status,
    conversion: async () => {
      const summary = await client.verify.v2
        .verificationAttemptsSummary()
        .fetch({ verifyServiceSid: VERIFY_SERVICE_SID })
      return `${summary.totalConverted} of ${summary.totalAttempts}`
    }
  }
}
