/**
 * Options of the handler.
 */
import type { StartVerification, Verification } from "@watchword/client"
import type { Texts } from "../Texts.ts"

/** How codes are sent: workflow, length, validity, template and whatever else a start takes. */
export type StartOptions = Omit<
  StartVerification,
  "to" | "default_country" | "purpose" | "code" | "replace" | "client_ip" | "locale"
>

/** An approved verification, and the session that it is of. */
export interface Approval {
  readonly verification: Verification
  /** The number in E.164 form. */
  readonly to: string
  readonly session: string
  readonly request: Request
}

/** Additions to the answer after an approval: headers, such as a cookie of a new session, or another location. */
export interface Approved {
  readonly headers?: HeadersInit
  readonly location?: string
}

/** The parts of the page, for an app's own layout. */
export interface PageParts {
  /** The form as HTML, which also works without a script. */
  readonly form: string
  /** The elements of the form's style and script, for `head`. */
  readonly head: string
  readonly language: string
  readonly direction: "ltr" | "rtl"
  readonly title: string
}

type Awaitable<A> = A | Promise<A>

export interface Options {
  /** The id of the user's session in the app; null without one, which is answered with 401. */
  readonly session: (request: Request) => Awaitable<string | null | undefined>
  /**
   * Called when a session has proved a number, and awaited before the form is answered: store the number here. It is
   * called once for each verification. If it throws, or if the process dies before the answer, the user's next try
   * calls it again.
   */
  readonly onApproved: (approval: Approval) => Awaitable<Approved | void>
  /**
   * The address of the user's device, for the limits of guards. By default the address that `nodeListener` sees. On
   * other hosts read it from the proxy's header, such as `cf-connecting-ip`.
   */
  readonly clientIp?: (request: Request) => string | null | undefined
  /** How codes are sent. By default by the account's workflow. */
  readonly start?: StartOptions
  /** The beginning of the purpose of the form's verifications, 1 to 39 characters; `form` by default. */
  readonly purpose?: string
  /** Where the browser goes after an approval, such as `/welcome`. By default it stays, and the form says so. */
  readonly location?: string
  /**
   * The app's origin, such as `https://shop.example`. Needed where a proxy changes the host, and for codes that
   * browsers fill in.
   */
  readonly origin?: string
  /** ISO 3166-1 alpha-2 code of where numbers without a calling code are dialled, by request; `US` by default. */
  readonly country?: string | ((request: Request) => string | null | undefined)
  /** The user's language as a BCP 47 tag. By default `lang` of the query, or else the browser's preference. */
  readonly language?: (request: Request) => string | null | undefined
  /** Texts that replace the form's own, for all languages or for one. */
  readonly texts?: Partial<Texts> | ((language: string) => Partial<Texts>)
  /** The page around the form; by default one of its own. */
  readonly page?: (parts: PageParts) => string
  /** Whether its page has a script, without which it works too; true by default. */
  readonly script?: boolean
  /**
   * Receives errors that the app or the operator must fix; `console.error` by default. They contain no number and no
   * code.
   */
  readonly onFault?: (error: unknown) => void
}
