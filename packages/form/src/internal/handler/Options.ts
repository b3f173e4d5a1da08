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

/** What the app adds to the answer that says so: a cookie of a new session, or another place to go on. */
export interface Approved {
  readonly headers?: HeadersInit
  readonly location?: string
}

/** What a page of the app's own shows. */
export interface PageParts {
  /** The form as HTML, with all that works without a script. */
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
   * Called when a session has proved a number, and awaited before the form hears of it: here the app notes the number.
   * Each verification comes once, and again only where the function has thrown, or its process has ended, before the
   * form was answered; a user who then tries again has it called again.
   */
  readonly onApproved: (approval: Approval) => Awaitable<Approved | void>
  /**
   * The address of the user's device, by which guards count. By default the one that `nodeListener` knows; hosts on
   * fetch have it in a header of their proxy, such as `cf-connecting-ip`.
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
  /** The user's language as a BCP 47 tag. By default `lang` of the query, or else what the browser prefers. */
  readonly language?: (request: Request) => string | null | undefined
  /** Texts in the place of the form's own, for all languages or by language. */
  readonly texts?: Partial<Texts> | ((language: string) => Partial<Texts>)
  /** The page around the form; by default one of its own. */
  readonly page?: (parts: PageParts) => string
  /** Whether its page has a script, without which it works too; true by default. */
  readonly script?: boolean
  /**
   * Called with what is the app's or the operator's to mend; `console.error` by default. No number or code is in it.
   */
  readonly onFault?: (error: unknown) => void
}
