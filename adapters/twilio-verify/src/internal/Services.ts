/**
 * Services: each workflow of an account is one, and its default workflow too. Apps read them, and operators change
 * them by commands.
 */
import type { HostResponse } from "@watchword/server/Host"
import { Accounts } from "@watchword/ledger/Accounts"
import { AccountId, timeOfUlid } from "@watchword/schemas/Ids"
import { Templates, Workflows } from "@watchword/verify/operator"
import * as Effect from "effect/Effect"
import { invalid, json, notFound, time } from "./Answers.ts"
import type { Answered, Asked, Services, VerifyService } from "./Asked.ts"
import { accountSid, isSameSid, serviceSid, templateSid } from "./Sids.ts"

export const make = (account: string): Services => {
  const owner = AccountId.make(account)
  const byDefault = serviceOf(account, null)

  const workflows = Effect.map(
    Effect.all([Workflows.list(owner), Workflows.list(null)]),
    ([own, common]) => new Set([...own.keys(), ...common.keys()])
  )
  const templates = Effect.map(Effect.all([Templates.list(owner), Templates.list(null)]), ([own, common]) =>
    [...own, ...common].map(({ name }) => name)
  )
  const all = Effect.map(workflows, (names) => [byDefault, ...[...names].map((name) => serviceOf(account, name))])

  return {
    all,
    find: (sid, path) =>
      isSameSid(sid, byDefault.sid)
        ? Effect.succeed(byDefault)
        : Effect.flatMap(all, (services) => {
            const found = services.find((service) => isSameSid(service.sid, sid))
            return found === undefined ? Effect.fail(notFound(path)) : Effect.succeed(found)
          }),
    accountName: Accounts.use((accounts) => accounts.get(owner)).pipe(
      Effect.map(({ account: { name } }) => name ?? "Watchword"),
      Effect.catchTag("NOT_FOUND", () => Effect.succeed("Watchword"))
    ),
    templateOf: (given) =>
      /^HJ[0-9a-f]{32}$/i.test(given)
        ? Effect.flatMap(templates, (names) => {
            const found = names.find((name) => isSameSid(templateSid(name), given))
            return found === undefined
              ? Effect.fail(invalid("TemplateSid is not the id of a template."))
              : Effect.succeed(found)
          })
        : Effect.succeed(given)
  }
}

const serviceOf = (account: string, workflow: string | null): VerifyService => ({
  sid: serviceSid(account, workflow),
  workflow,
  purpose: purposeOf(account, workflow)
})

/** Of its own for each service, so that no two of them, and no caller of our interface, share a verification. */
const purposeOf = (account: string, workflow: string | null): string => {
  if (workflow === null) return "twilio"
  const purpose = `twilio-${workflow}`
  return purpose.length <= LONGEST_PURPOSE ? purpose : `twilio-${serviceSid(account, workflow).slice(2)}`
}

const LONGEST_PURPOSE = 64

export const fetch = (asked: Asked, service: VerifyService): Answered =>
  Effect.map(asked.services.accountName, (name) => json(200, written(asked, name, service)))

export const list = (asked: Asked): Answered =>
  Effect.gen(function* () {
    const { services, urlOf } = asked
    const name = yield* services.accountName
    const all = (yield* services.all).map((service) => written(asked, name, service))
    return listed("services", all, urlOf("/v2/Services"))
  })

/** A list that fits on one page. */
const listed = (key: string, items: ReadonlyArray<object>, url: string): HostResponse =>
  json(200, {
    [key]: items,
    meta: {
      key,
      page: 0,
      page_size: 50,
      first_page_url: `${url}?PageSize=50&Page=0`,
      previous_page_url: null,
      next_page_url: null,
      url: `${url}?PageSize=50&Page=0`
    }
  })

const written = ({ account, urlOf }: Asked, name: string, { sid, workflow }: VerifyService) => {
  const url = urlOf(`/v2/Services/${sid}`)
  return {
    sid,
    account_sid: accountSid(account),
    friendly_name: (workflow === null ? name : `${name} ${workflow}`).slice(0, LONGEST_NAME),
    code_length: 6,
    lookup_enabled: false,
    psd2_enabled: true,
    skip_sms_to_landlines: true,
    dtmf_input_required: false,
    tts_name: null,
    do_not_share_warning_enabled: false,
    custom_code_enabled: true,
    push: { apn_credential_sid: null, fcm_credential_sid: null, include_date: false },
    totp: null,
    default_template_sid: null,
    whatsapp: null,
    passkeys: null,
    verify_event_subscription_enabled: false,
    date_created: time(createdAt(account)),
    date_updated: time(createdAt(account)),
    url,
    links: {
      verifications: `${url}/Verifications`,
      verification_checks: `${url}/VerificationCheck`,
      rate_limits: `${url}/RateLimits`
    }
  }
}

const LONGEST_NAME = 30

const createdAt = (account: string): number => timeOfUlid(account.slice(-26))
