/**
 * Bodies that identity servers post to their hook receivers, and the expected result of each. The Logto bodies are
 * posted by Logto's own connector, from its core's input.
 */
export interface Row {
  /** The server, its version, and the reason for the post. */
  readonly from: string
  readonly source: string
  readonly hook: "logto" | "supabase" | "zitadel"
  readonly body: object
  /** The number that receives the code; null if the body is refused with a 400. */
  readonly to: string | null
  /** The code that the phone receives over the channels; null if the server sends its own text. */
  readonly code: string | null
}

const CONNECTOR = "@logto/connector-http-sms 0.2.1 and the types of @logto/connector-kit 5.1.1, run"
const DIGITS = "logto-io/logto#8380, 2026-02: numbers are kept as digits, `phoneRegEx` of core-kit"

const logto = (why: string, type: string, to: string, more: Partial<Row> = {}): Row => ({
  from: `Logto, connector HTTP SMS 0.2.1: ${why}`,
  source: CONNECTOR,
  hook: "logto",
  body: { to, type, payload: { code: "123456", locale: "de" }, ip: "192.0.2.7" },
  to: `+${to}`,
  code: "123456",
  ...more
})

const keycloak = (why: string, to: string, reads: string | null, source: string): Row => ({
  from: `Keycloak, plugin netzbegruenung sms-authenticator: ${why}`,
  source: `netzbegruenung/keycloak-mfa-plugins, ApiSmsService.java: ${source}`,
  hook: "logto",
  body: { to, type: "Keycloak", payload: { code: "123456" } },
  to: reads,
  code: "123456"
})

const ID = "6481a5c1-3d37-4a56-9f6a-bee08c554965"
const SUPABASE = "https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook, example of the payload"

const supabase = (why: string, user: object, sms: object, to: string | null, source = SUPABASE): Row => ({
  from: `Supabase Auth: ${why}`,
  source,
  hook: "supabase",
  body: { metadata: { ip_address: "192.0.2.7" }, user: { id: ID, aud: "authenticated", ...user }, sms },
  to,
  code: "123456"
})

const zitadel = (
  why: string,
  { args, eventType, phone, text = "" }: Readonly<{ args: object; eventType: string; phone: string; text?: string }>,
  reads: Pick<Row, "code" | "source" | "to">
): Row => ({
  from: `ZITADEL: ${why}`,
  hook: "zitadel",
  body: {
    contextInfo: { eventType, provider: { id: "285181292935381355", description: "" }, recipientPhoneNumber: phone },
    templateData: { title: "ZITADEL", text },
    args
  },
  ...reads
})

const PROVIDERS = "https://zitadel.com/docs/guides/manage/customize/notification-providers"
const CHALLENGED = "session.otp.sms.challenged"
const ADDED = "user.human.phone.code.added"

export const rows: ReadonlyArray<Row> = [
  logto("sign-in, Germany", "SignIn", "4915123456789", { source: DIGITS }),
  logto("registration, United Kingdom", "Register", "447400123456"),
  logto("forgotten password, United States", "ForgotPassword", "16502530000"),
  logto("generic, Denmark", "Generic", "4520123456", {
    source: "logto-io/logto#8377, 2026-02-24: `To=45…` of its Twilio connector"
  }),
  logto("permission of a user, Hong Kong", "UserPermissionValidation", "85251234567"),
  logto("another identifier, Kazakhstan", "BindNewIdentifier", "77011234567"),
  logto("second factor, Côte d'Ivoire", "MfaVerification", "2250701234567"),
  logto("second factor bound, Italy with its zero", "BindMfa", "390612345678"),
  logto("Mexico, kept before its plan of 2019", "SignIn", "5215512345678", {
    source: `${DIGITS}; google/libphonenumber#3535: the 1 is gone since 2019`,
    to: "+525512345678"
  }),
  logto("the console's test, plus typed", "Generic", "+4915123456789", {
    source: "https://docs.logto.io/integrations/http-sms: the example has a plus sign",
    to: "+4915123456789"
  }),
  logto("a national number, which nothing names a country of", "SignIn", "015123456789", { to: null }),
  logto("an invitation, which is a link", "OrganizationInvitation", "4915123456789", {
    body: {
      to: "4915123456789",
      type: "OrganizationInvitation",
      payload: { link: "https://id.example/invitation" }
    },
    to: null
  }),
  keycloak("country code set", "+4915123456789", "+4915123456789", "`countrycode` +49 replaces 0, 49 and 0049"),
  keycloak(
    "no country code, number from abroad",
    "+49 1512 3456789",
    "+4915123456789",
    "without `countrycode` the attribute is posted as it is"
  ),
  keycloak(
    "no country code, national number",
    "015123456789",
    null,
    "without `countrycode` the attribute is posted as it is"
  ),
  keycloak(
    "no country code, its zero forgotten: a number of Texas",
    "15123456789",
    null,
    "without `countrycode` the attribute is posted as it is"
  ),
  supabase("before the field sms.phone", { phone: "4915123456789" }, { otp: "123456" }, "+4915123456789"),
  supabase(
    "with sms.phone, a second factor on another phone",
    { phone: "33612345678" },
    { otp: "123456", phone: "4915123456789", sms_type: "phone_factor" },
    "+4915123456789",
    "supabase/auth#2160, 2025-09-09"
  ),
  supabase(
    "a change of number",
    { phone: "", new_phone: "4915123456789" },
    { otp: "123456" },
    "+4915123456789",
    "supabase/auth, models.User: phone_change is `new_phone` in JSON"
  ),
  supabase("with a plus sign", { phone: "+4915123456789" }, { otp: "123456" }, "+4915123456789"),
  supabase(
    "Mexico, kept before its plan of 2019",
    { phone: "5215512345678" },
    { otp: "123456" },
    "+525512345678",
    "supabase/auth keeps digits; google/libphonenumber#3535: the 1 is gone since 2019"
  ),
  zitadel(
    "a second factor by SMS, argument oTP",
    { args: { oTP: "123456", expiry: 300_000_000_000 }, eventType: CHALLENGED, phone: "+4915123456789" },
    { source: PROVIDERS, to: "+4915123456789", code: "123456" }
  ),
  zitadel(
    "a second factor by SMS, argument otp",
    { args: { otp: "123456" }, eventType: CHALLENGED, phone: "+4915123456789" },
    { source: `${PROVIDERS}, example`, to: "+4915123456789", code: "123456" }
  ),
  zitadel(
    "a new phone, code of digits",
    { args: { code: "123456" }, eventType: ADDED, phone: "+4915123456789" },
    {
      source: "zitadel/zitadel, internal/notification/types/phone_verification_code.go",
      to: "+4915123456789",
      code: "123456"
    }
  ),
  zitadel(
    "a new phone, code of letters",
    {
      args: { code: "W50XNG" },
      eventType: ADDED,
      phone: "+4915123456789",
      text: "A new phone number has been added. Please use the following code to verify it W50XNG."
    },
    { source: "zitadel/zitadel#8540, 2024-09-06", to: "+4915123456789", code: null }
  ),
  zitadel(
    "a number with blanks",
    { args: { oTP: "123456" }, eventType: CHALLENGED, phone: "+49 1512 3456789" },
    { source: `${PROVIDERS}; a number that was imported as it was written`, to: "+4915123456789", code: "123456" }
  ),
  zitadel(
    "a number that is no number of any country",
    { args: { oTP: "123456" }, eventType: CHALLENGED, phone: "015123456789" },
    { source: `${PROVIDERS}; a national number, which nothing names a country of`, to: null, code: "123456" }
  )
]
