/**
 * Reads connection URLs with typed options: `smpp://id:secret@host:2775?window=50`, `sip:id:secret@host;cps=20`.
 *
 * A fault names the part or the option that is wrong, and repeats nothing of the URL's text: a password that was not
 * percent-encoded may stand anywhere in it.
 *
 * Source: RFC 3986 §3 (URI), RFC 3261 §19.1.1 (the SIP URI and its parameters).
 *
 * @example
 * ```ts
 * import * as ConnectionUrl from "@watchword/schemas/ConnectionUrl"
 * import * as Result from "effect/Result"
 *
 * const format: ConnectionUrl.Format = {
 *   schemes: ["smpp"],
 *   style: "query",
 *   example: "smpp://id:password@host:2775"
 * }
 *
 * const read = (text: string) =>
 *   Result.gen(function* () {
 *     const { host, options } = yield* ConnectionUrl.parse(format, text)
 *     const window = yield* options.get("window", ConnectionUrl.integer(1, 10_000), 100)
 *     yield* options.end()
 *     return `${host} with a window of ${window}`
 *   })
 *
 * const connection = Result.getOrThrow(read("smpp://id:secret@carrier.example?window=50"))
 * console.log(connection) // carrier.example with a window of 50
 * ```
 */
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

export interface ConnectionUrl {
  /** In lower case and without its colon. */
  readonly scheme: string
  /** Percent-decoded; null when the URL has no `@`. */
  readonly user: string | null
  /** Percent-decoded; null when no password is given. */
  readonly password: Redacted.Redacted | null
  /** Percent-decoded; an IPv6 address is without brackets. */
  readonly host: string
  readonly port: number | null
  /** Percent-decoded and without its first slash. */
  readonly path: string
  readonly options: Options
}

/** The parts that a URL may have. */
export interface Format {
  readonly schemes: ReadonlyArray<string>
  /** Where options stand: `scheme://host?a=1&b=2`, or `scheme:host;a=1;b=2`. */
  readonly style: "query" | "parameters"
  /** A URL to show in faults. */
  readonly example: string
  /** Whether a host can be used; by default it is a name or an address. */
  readonly isHost?: (host: string) => boolean
  /** Whether the URL may have a path; by default it may not. */
  readonly hasPath?: boolean
}

/** A type of options. */
export interface Kind<A> {
  /** The values it has, as the end of a sentence: "it must be …". */
  readonly expected: string
  readonly parse: (text: string) => A | undefined
}

/** Why a URL cannot be used. */
export interface Fault {
  /** The part or the option. */
  readonly setting: string
  /** The rest of a sentence that has the URL as its subject, without a full stop. */
  readonly problem: string
}

export const fault = (setting: string, problem: string): Result.Result<never, Fault> =>
  Result.fail({ setting, problem })

/** The fault of an option with a value that cannot be used. */
const wrongOption = (name: string, expected: string): Result.Result<never, Fault> =>
  fault(name, `has a wrong "${name}": it must be ${expected}`)

/** Parses one URL. Its options are read, and checked, by `options`. */
export const parse = (format: Format, text: string): Result.Result<ConnectionUrl, Fault> =>
  Result.gen(function* () {
    const parts = format.style === "query" ? splitQuery(text) : splitParameters(text)
    const place = parts === null ? null : hostAndPort(parts.host, format.isHost)
    if (parts === null || place === null || !format.schemes.includes(parts.scheme)) {
      return yield* fault("url", `must look like ${format.example}, with other characters percent-encoded`)
    }
    if (place.port === 0) return yield* fault("port", "must have a port from 1 to 65535")
    if (parts.hasFragment || (parts.path.length > 1 && format.hasPath !== true)) {
      return yield* fault("url", "must not have a path or a fragment; percent-encode / and # in the password")
    }
    // Behind a slash of the password everything is taken for the path.
    if (parts.path.includes("@")) {
      return yield* fault("url", "must not have @ in its path; percent-encode / in the password, and @ in the path")
    }
    const path = decoded(parts.path.slice(1))
    if (path === null) return yield* fault("url", "must have a path that is percent-encoded")
    const [userText, passwordText] = parts.credentials === null ? [null, null] : cut(parts.credentials, ":")
    const user = userText === null ? null : decoded(userText)
    if (userText !== null && user === null) return yield* fault("user", "must have a user that is percent-encoded")
    const password = passwordText === null ? null : decoded(passwordText)
    if (passwordText !== null && password === null) {
      return yield* fault("password", "must have a password that is percent-encoded")
    }
    return {
      scheme: parts.scheme,
      user,
      password: password === null ? null : Redacted.make(password, { label: "password" }),
      ...place,
      path,
      options: new Options(parts.options)
    }
  })

/**
 * Parses URLs that are separated by commas. A comma separates them only where another scheme follows, so that the value
 * of an option may be a list.
 *
 * @param name the kind of URL, which begins the sentence of a fault: `SMPP URL`
 * @param make converts a URL
 */
export const parseList = <A>(
  format: Format,
  name: string,
  text: string,
  make: (url: ConnectionUrl) => Result.Result<A, Fault>
): Result.Result<ReadonlyArray<A>, { readonly setting: string; readonly message: string }> => {
  const all: Array<A> = []
  for (const [index, each] of text.split(format.style === "query" ? BEFORE_A_SCHEME : beforeOneOf(format)).entries()) {
    const parsed = Result.flatMap(parse(format, each.trim()), make)
    if (Result.isFailure(parsed)) {
      const { problem, setting } = parsed.failure
      const subject = index === 0 ? `The ${name}` : `${name} number ${index + 1}`
      return Result.fail({ setting, message: `${subject} ${problem}.` })
    }
    all.push(parsed.success)
  }
  return Result.succeed(all)
}

/** A comma at the end is before a URL that is missing. */
const BEFORE_A_SCHEME = /,(?=\s*(?:[a-z][a-z0-9+.-]*:\/\/|$))/i

/** Only a known scheme: a colon without slashes may be behind the first group of an IPv6 address. */
const beforeOneOf = ({ schemes }: Format): RegExp => new RegExp(`,(?=\\s*(?:(?:${schemes.join("|")}):|$))`, "i")

/** The options of a URL. */
export class Options {
  readonly #given: ReadonlyArray<readonly [name: string, value: string]>
  readonly #known: Array<string> = []

  constructor(given: Iterable<readonly [name: string, value: string]>) {
    this.#given = [...given]
  }

  /** Reads an option, or answers the default when it is not given. */
  get<A, Default>(name: string, kind: Kind<A>, fallback: Default): Result.Result<A | Default, Fault> {
    this.#known.push(name)
    const [first, second] = this.#given.filter(([given]) => given === name)
    if (first === undefined) return Result.succeed(fallback)
    if (second !== undefined) return fault(name, `has "${name}" more than once`)
    const value = kind.parse(first[1])
    return value === undefined ? wrongOption(name, kind.expected) : Result.succeed(value)
  }

  /** The names of given options that match, for `get`. In faults they appear as `name`. */
  named(pattern: { readonly test: (name: string) => boolean }, name: string): ReadonlyArray<string> {
    this.#known.push(name)
    return [...new Set(this.#given.map(([given]) => given).filter((given) => pattern.test(given)))]
  }

  /** Fails when an option is given that was not read. Its name is left out: it may be a part of the password. */
  end(): Result.Result<void, Fault> {
    if (this.#given.every(([name]) => this.#known.includes(name))) return Result.succeed(undefined)
    const known = this.#known.join(", ")
    return fault("option", `has an unknown option; the options are ${known}; percent-encode ?, & and ; in the password`)
  }
}

/** A whole number within bounds. */
export const integer = (from: number, to: number): Kind<number> => ({
  expected: `a whole number from ${from} to ${to}`,
  parse: (text) => (/^[0-9]{1,9}$/.test(text) ? within(from, to, Number(text)) : undefined)
})

/** A number within bounds that may have a fraction. `of` tells of what: "a number of messages a second". */
export const decimal = (of: string, from: number, to: number): Kind<number> => ({
  expected: `a number of ${of} from ${from} to ${to}`,
  parse: (text) => (/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text) ? within(from, to, Number(text)) : undefined)
})

/** A number of seconds within bounds. */
export const seconds = (from: number, to: number): Kind<Duration.Duration> => {
  const { expected, parse } = decimal("seconds", from, to)
  return {
    expected,
    parse: (text) => {
      const value = parse(text)
      return value === undefined ? undefined : Duration.millis(Math.round(value * 1000))
    }
  }
}

/** One of several words, in either case. */
export const oneOf = <A extends string>(...values: ReadonlyArray<A>): Kind<A> => ({
  expected: values.join(", ").replace(/, ([^,]*)$/, " or $1"),
  parse: (text) => values.find((value) => value === text.toLowerCase())
})

/** Printable ASCII characters. */
export const ascii = (most: number): Kind<string> => ({
  expected: `at most ${most} ASCII characters`,
  parse: (text) => (isAscii(text, most) ? text : undefined)
})

/** Whether a text has only printable ASCII characters, and no more than `most`. */
export const isAscii = (text: string, most: number): boolean => text.length <= most && /^[\x20-\x7e]*$/.test(text)

/** Whether a text is the name of a host or its address; an IPv6 address has no brackets. */
export const isHost = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9.])?$/i.test(text) || isIPv6(text)

/** Reads `host`, `host:port` and `[IPv6 address]:port`; null when the text is neither. */
export const hostAndPort = (
  text: string,
  isUsable: (host: string) => boolean = isHost
): { readonly host: string; readonly port: number | null } | null => {
  const match = /^(?:\[([^\]]+)\]|([^:]*))(?::([0-9]{0,5}))?$/.exec(text)
  if (match === null) return null
  const [, address, name = "", digits = ""] = match
  const host = address ?? decoded(name)
  const port = digits === "" ? null : Number(digits)
  if (host === null || !isUsable(host) || (address !== undefined && !isIPv6(address))) return null
  return port !== null && port > 65_535 ? null : { host, port }
}

const isIPv6 = (text: string): boolean => text.includes(":") && URL.canParse(`http://[${text}]`)

interface Parts {
  readonly scheme: string
  readonly credentials: string | null
  readonly host: string
  readonly path: string
  readonly options: Iterable<readonly [name: string, value: string]>
  readonly hasFragment: boolean
}

const splitQuery = (text: string): Parts | null => {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(text)
  if (match === null) return null
  const [, scheme = "", authority = "", path = "", query = "", fragment] = match
  const hasFragment = fragment !== undefined
  return {
    scheme: scheme.toLowerCase(),
    ...splitAuthority(authority),
    path,
    options: new URLSearchParams(query),
    hasFragment
  }
}

const splitParameters = (text: string): Parts | null => {
  const [scheme, rest] = cut(text, ":")
  if (rest === null) return null
  // A user part may have semicolons of its own.
  const { credentials, host: hostAndOptions } = splitAuthority(rest)
  // A comma there may separate two URLs, the second of which lacks its scheme.
  if (credentials?.includes(",") === true) return null
  const [host = "", ...parameters] = hostAndOptions.split(";")
  const options = parameters.map((each) => {
    const [name, value] = cut(each, "=")
    return [name.toLowerCase(), value ?? ""] as const
  })
  return { scheme: scheme.toLowerCase(), credentials, host, path: "", options, hasFragment: false }
}

const splitAuthority = (text: string): Pick<Parts, "credentials" | "host"> => {
  const at = text.lastIndexOf("@")
  return { credentials: at < 0 ? null : text.slice(0, at), host: text.slice(at + 1) }
}

/** Splits a text at the first separator; the second part is null if there is no separator. */
const cut = (text: string, separator: string): readonly [string, string | null] => {
  const index = text.indexOf(separator)
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)]
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const within = (from: number, to: number, value: number): number | undefined =>
  value >= from && value <= to ? value : undefined
