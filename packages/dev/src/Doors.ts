/**
 * Doors: other interfaces in front of a service, each at its own path. A package is loaded only if its door is used.
 */
import type { HandlePromise } from "@watchword/server/Host"
import type { Watchword } from "watchword"
import type { Application } from "./Application.ts"

/** How a server mounts a door. */
export interface Mounting {
  /** The public address of the server, without a path; null for the host of each request. */
  readonly origin: string | null
  /** `flash` has a door place flash calls where an app asks for a spoken code. */
  readonly call: "flash" | null
}

/** An account as an app has it: `null` instead of the key where the key is not known. */
export interface Credentials {
  readonly account: string
  readonly key: string | null
  /** The application of the account whose private key the server has made; left out where apps have their own. */
  readonly application?: Application
  /** The names of the account's workflows, in addition to its default. */
  readonly workflows: ReadonlyArray<string>
}

interface Door {
  /** The path at which a server mounts it. */
  readonly path: string
  readonly open: (service: Watchword, mounting: Mounting) => Promise<HandlePromise>
  /** The ids of an account by their names, with the lines of SDKs that differ. @param url the address of the door */
  readonly ids: (
    credentials: Credentials,
    url: string
  ) => Promise<ReadonlyArray<readonly [name: string, value: string]>>
}

/** All doors by their names in the setting `DOORS`, in the order in which they are printed. */
const doors = {
  twilio: {
    path: "/twilio",
    open: async (service, { call, origin }) => {
      const { twilioVerify } = await import("@watchword/twilio-verify")
      const options = { ...(origin !== null && { url: `${origin}/twilio` }), ...(call !== null && { call }) }
      return twilioVerify(service, options).handle
    },
    ids: async ({ account, key, workflows }, url) => {
      const { twilioSids } = await import("@watchword/twilio-verify")
      const sids = twilioSids(account)
      const password = key ?? "the API key"
      return [
        ["TWILIO_ACCOUNT_SID", sids.account],
        ["TWILIO_AUTH_TOKEN", password],
        ["VERIFY_SERVICE_SID", sids.service],
        ...workflows.map((name) => [`VERIFY_SERVICE_SID of ${name}`, twilioSids(account, name).service] as const),
        ["Node", `client.verify.baseUrl = "${url}"`],
        ["Python", `client.verify.base_url = "${url}"`]
      ]
    }
  },
  vonage: {
    path: "/vonage",
    open: async (service, { call }) => {
      const { vonageVerify } = await import("@watchword/vonage-verify")
      return vonageVerify(service, call === null ? {} : { call }).handle
    },
    ids: async ({ account, application, key }, url) => [
      ...(application === undefined
        ? ([
            ["VONAGE_API_KEY", account],
            ["VONAGE_API_SECRET", key ?? "the API key"],
            ["an application", `watchword door key ${account} --application ID --public-key FILE`]
          ] as const)
        : ([
            ["VONAGE_APPLICATION_ID", application.id],
            ["VONAGE_PRIVATE_KEY", application.privateKey]
          ] as const)),
      ["Node", `new Vonage({ applicationId, privateKey }, { apiHost: "${url}" })`]
    ]
  },
  camara: {
    path: "/one-time-password-sms",
    open: async (service) => {
      const { camaraOtp } = await import("@watchword/camara-otp")
      return camaraOtp(service).handle
    },
    ids: async ({ account, key }, url) => [
      ["client id", account],
      ["client secret", key ?? "the API key"],
      ["token endpoint", `${url}/oauth2/token`],
      ["API root", url.replace(/\/one-time-password-sms$/, "")]
    ]
  }
} as const satisfies Readonly<Record<string, Door>>

export type DoorName = keyof typeof doors

const isDoorName = (name: string): name is DoorName => Object.hasOwn(doors, name)

export const doorNames: ReadonlyArray<DoorName> = Object.keys(doors).filter(isDoorName)

/** Where a server has some doors. */
export const pathsOf = (names: ReadonlyArray<DoorName>): ReadonlyArray<string> => names.map((name) => doors[name].path)

/** The handler of some doors; null for a request to another path. */
export type Doors = (path: string) => HandlePromise | null

/** Opens doors over a service, whose other interfaces are at other paths. */
export const open = async (service: Watchword, names: ReadonlyArray<DoorName>, mounting: Mounting): Promise<Doors> => {
  const opened = await Promise.all(
    names.map(async (name) => {
      const { open, path } = doors[name]
      return { path, handle: await open(service, mounting) }
    })
  )
  return (target) => {
    const door = opened.find(({ path }) => target.startsWith(path) && /^(?:[/?]|$)/.test(target.slice(path.length)))
    if (door === undefined) return null
    const { handle, path } = door
    return (request) => handle({ ...request, path: `/${request.path.slice(path.length).replace(/^\/+/, "")}` })
  }
}

/** Requests to doors, and all others as before. */
export const before =
  (doors: Doors, others: HandlePromise): HandlePromise =>
  (request) =>
    (doors(request.path) ?? others)(request)

/** The ids of an account at some doors, as lines for people. */
export const linesOf = async (
  names: ReadonlyArray<DoorName>,
  origin: string,
  credentials: Credentials
): Promise<ReadonlyArray<string>> => {
  const lines = await Promise.all(
    names.map(async (name) => {
      const { ids, path } = doors[name]
      const all = await ids(credentials, `${origin}${path}`)
      return [`${name} at ${origin}${path}`, ...all.map(([id, value]) => `  ${id.padEnd(21)} ${value}`)]
    })
  )
  return lines.flat()
}

/** The same for programs. */
export const idsOf = async (
  names: ReadonlyArray<DoorName>,
  origin: string,
  credentials: Credentials
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> =>
  Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const { ids, path } = doors[name]
        return [name, Object.fromEntries(await ids(credentials, `${origin}${path}`))] as const
      })
    )
  )
