/**
 * What the OpenAPI document says of fields and parameters, beside what their schemas check.
 */

interface Field {
  readonly description: string
  /** Of texts, and of texts that may be null. */
  readonly format?: "date-time" | "uuid" | "uri"
}

const time = (description: string): Field => ({ description: `${description} ISO 8601 in UTC.`, format: "date-time" })
const text = (description: string): Field => ({ description })

/** By the name of a field, or where names mean several things by that of its schema as well. */
const fields: Readonly<Record<string, Field>> = {
  account_id: text("The account that it is about."),
  app_hash: text("The hash of an Android app, for its SMS Retriever."),
  approved_at: time("When it was approved; null until then."),
  at: time("When it was sent, or will be."),
  attempt: text("Of verification.attempted: the number of the send among the attempts, from 1 on."),
  attempts: text("The sends of the code, oldest first."),
  available: text("The available balance in EUR."),
  billsec: text("Whole seconds from the answer to the end."),
  callback_url: text("Where the gateway posts the events of this message."),
  callee: text("The number that is called, in E.164."),
  caller: text("The number that the phone shows, in E.164."),
  channel: text("The channel."),
  checks_left: text("How many wrong codes may still be entered."),
  client_ip: text("The address of the user's device, for guards."),
  client_ref: text("The client's name for the user or the session, for guards."),
  code: text("The code."),
  code_length: text("How many digits the code has."),
  country: text("The country of the number, by ISO 3166-1; null for numbers of none."),
  created_at: time("When it was made."),
  data: text("What the event is about."),
  delivery_id: text("The id of its delivery record; null where nothing was sent."),
  delivery_status: text("How far the message got."),
  destination_country: text("The English name of the callee's country; null for numbers of none."),
  destination_country_code: text("The callee's country, by ISO 3166-1; null for numbers of none."),
  duration: text("Whole seconds from the first ringing to the end."),
  error: text("The stable code of the error."),
  error_code: text("The platform's code of an error; null without one."),
  expires_at: time("When it ends by itself."),
  from: text("The sender that the phone shows."),
  hangup_cause: text("Why the call ended, by FreeSWITCH's names; null while it lasts."),
  has_next_page: text("Whether there is a page behind this one."),
  has_previous_page: text("Whether there is a page before this one."),
  id: text("The id."),
  is_refunded: text("Whether the price was paid back."),
  issues: text("Each field that is wrong, and how to mend it."),
  list: text("The records of this page."),
  locale: text("The language, as a BCP 47 tag."),
  max_attempts: text("How many wrong codes may be entered."),
  max_ring_time: text("The longest that the phone rings, in seconds."),
  max_sends: text("How often the code may be sent."),
  message: text("A sentence for people."),
  messageId: { description: "The id of the message.", format: "uuid" },
  messages: text("The messages, newest first."),
  metadata: text("Texts of the client's own, which come back with the verification."),
  mode: text("Whether it is live, or of the sandbox."),
  next: text("The step that is taken by itself; null where none will be."),
  parts: text("How many parts the text was split into; each is priced."),
  path: text("The field, as a path."),
  pdd: text("Seconds from the start of the call to the first ringing."),
  phone_number: text("The number, in E.164."),
  price: text("The price in EUR."),
  purpose: text("What the verification is for; a number has one pending verification for each purpose."),
  q850: text("The Q.850 cause that the network gave; null without one."),
  reason: text("Why, as a word for programs."),
  reasons: text("Why the guard refused it, as words for programs."),
  remaining: text("What is left of each limit, by its reason."),
  remaining_balance: text("The available balance afterwards, in EUR."),
  replace: text("Whether a pending verification of the number ends, and this one starts in its place."),
  reported_status: text("The outcome that the account reported; null before."),
  request_cost: text("The price in EUR."),
  request_id: text("The gateway's id of the request."),
  resend_at: time("From when on the code may be sent again."),
  retry_after: text("Seconds after which the same request may succeed."),
  sender_username: text("The username of the sending channel."),
  sends_left: text("How often the code may still be sent."),
  sip_status: text("The final status of the SIP dialog; null without one."),
  start_stamp: time("When the call began."),
  status: text("How it stands."),
  step: text("The number of the current step, from 1 on."),
  template: text("The name of the template of the text."),
  test_number: text("Whether the number is a test number, to which nothing is sent."),
  text: text("The text of the message."),
  threshold: text("The balance in EUR below which this is told."),
  timeout: text("Seconds without news after which the next step is taken."),
  timestamp: time("When the status was reached."),
  tlvs: text("Optional parameters of SMPP, as texts by their hexadecimal tags."),
  to: text("The number of the recipient, in E.164."),
  total: text("How many records match, on all pages."),
  total_pages: text("How many pages there are."),
  trusted: text("Whether the client knows the user; guards count such sends apart."),
  ttl: text("Seconds after which the message is of no use."),
  type: text("What happened."),
  updated_at: text("When the status was reached, in Unix seconds."),
  uuid: text("The id of the delivery record."),
  valid: text("Whether the code is right."),
  variables: text("Values for the template's own places."),
  verification_id: text("The id of the verification."),
  verification_status: text("The result of the codes that were entered; null before."),
  version: text("It rises with each change of the same verification or message."),
  web_origin: text("The https origin of the page to which browsers offer the code."),
  webhook_id: text("The webhook."),
  workflow: text("The steps in their order, or the name of a workflow of the account.")
}

/** The correlation id of errors, which has the name of what chats call their own request. */
const correlation: Field = { description: "The correlation id, which the header has too.", format: "uuid" }

/** A field's schema with a description, and the format of its text. What the schema says itself stays. */
export const described = (name: string, schema: object, isError: boolean): object => {
  const field = isError && name === "request_id" ? correlation : fields[name]
  if (field === undefined) return schema
  const { description, format } = field
  return { description, ...(format === undefined ? schema : formatted(schema, format)) }
}

const formatted = (schema: object, format: string): object => {
  if ("type" in schema && schema.type === "string") return { format, ...schema }
  if (!("anyOf" in schema) || !Array.isArray(schema.anyOf)) return schema
  return { ...schema, anyOf: schema.anyOf.map((each: object) => formatted(each, format)) }
}

/** What is said of a parameter of a path. */
export const describedParameter = (name: string): string => fields[name]?.description ?? `The ${name}.`
