/**
 * The client's files derived from the contract: each has a group's bodies, its interface and its requests.
 */
import { Access } from "../../packages/api/src/Access.ts"
import { Api } from "../../packages/api/src/Api.ts"
import { ClientFacts } from "../../packages/schemas/src/SharedFields.ts"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Types from "./types.ts"
import { type Own, own } from "./own.ts"

/** Interface names (and file names) that differ from the group's name. */
const names: Readonly<Record<string, string>> = { call: "Calls" }

/** Argument names for bodies, by method. */
const bodies: Readonly<Record<string, string>> = { send: "message", report: "report" }

/** The groups that have fields listed in `Spelling.ts`. */
const SPELLED = new Set(["chatgw"])

/** Each file's unformatted code, by file name. */
export const clientFiles = (): ReadonlyArray<readonly [name: string, code: string]> => {
  const types = Types.make(ClientFacts)
  types.typeOf(ClientFacts)
  const facts = [...types.declarations]
  /** The file that declares each type. */
  const homes = new Map(facts.map(([type]) => [type, "ClientFacts"]))
  const groups = new Map<HttpApiGroup.Top, Array<HttpApiEndpoint.Top>>()
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => groups.set(group, []),
    onEndpoint: ({ endpoint, group }) => groups.get(group)?.push(endpoint)
  })
  return [
    ["ClientFacts", fileOf("Facts about the user whom a code is for.", facts.map(([, code]) => code).join("\n"))],
    ...[...groups].map(([group, endpoints]): readonly [string, string] => {
      const name = names[group.identifier] ?? group.identifier.replace(/^./, (letter) => letter.toUpperCase())
      const face = own[group.identifier] ?? {}
      const methods = endpoints.flatMap((endpoint) => {
        const { after = [], ...otherwise } = face[endpoint.identifier] ?? {}
        return [{ ...methodOf(types, endpoint, SPELLED.has(group.identifier)), ...otherwise }, ...after]
      })
      const declared = [...types.declarations].filter(([type]) => !homes.has(type))
      const code = [...declared.map(([, code]) => code), ...declaredBy(face)].join("\n")
      const file = fileOf(described(group.annotations), importsOf(code, methods, homes) + code + groupOf(name, methods))
      for (const [type] of declared) homes.set(type, name)
      return [name, file]
    })
  ]
}

const declaredBy = (face: Own[string]): ReadonlyArray<string> =>
  Object.values(face).flatMap(({ declares = [] }) => declares)

const fileOf = (description: string, code: string): string =>
  `/**\n * ${description} Written by scripts/contract.ts.\n */\n${code}`

export interface Method {
  readonly name: string
  readonly comment: string
  /** Its type as a member of the group's interface. */
  readonly type: string
  /** The request, as a function. */
  readonly code: string
  readonly isList: boolean
}

/** @param isSpelled whether some of its fields have other names in programs than on the wire */
const methodOf = (types: Types.Types, endpoint: HttpApiEndpoint.Top, isSpelled: boolean): Method => {
  const { repeatable, repeatsBy } = Context.getUnsafe(endpoint.annotations, Access)
  const isKeyed = repeatsBy !== "nothing"
  const name = endpoint.identifier
  const [payload] = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
  const [success] = endpoint.success
  // A URL holds only strings; programs pass the values that the strings are decoded to.
  const input = payload ?? (endpoint.query && Schema.toType(endpoint.query))
  const isList = name === "list"
  const answer = success === undefined ? "null" : isList ? types.itemOf(success) : types.typeOf(success)
  const id = /:(\w+)/.exec(endpoint.path)?.[1]
  const argument = endpoint.query === undefined ? (bodies[name] ?? "body") : "query"
  const mark = input !== undefined && types.isOptional(input) ? "?" : ""
  const taken = [
    ...(id === undefined ? [] : [`${id}: string`]),
    ...(input === undefined ? [] : [`${argument}${mark}: ${isList ? `ListBody<${answer}>` : types.typeOf(input)}`])
  ]
  const path =
    id === undefined ? `"${endpoint.path}"` : `\`${endpoint.path.replace(`:${id}`, `\${encodeURIComponent(${id})}`)}\``
  const passed = [...(id === undefined ? [] : [id]), ...(input === undefined ? [] : [argument]), "options"]
  const given = input === undefined ? "" : `, ${argument === "query" ? "query" : bodyOf(argument, mark)}`
  const repeats = isKeyed ? "keyed" : repeatable ? "harmless" : "never"
  const request = `request({ method: "${endpoint.method}", path: ${path}${given}, repeats: "${repeats}"${isSpelled ? ", isSpelled: true" : ""} }, options)`
  return {
    name,
    isList,
    comment: Types.commentOf(described(endpoint.annotations) + (repeatable ? "" : NEVER) + (isList ? LISTED : "")),
    type:
      `(...args: [...C["before"], ${[...taken, `...C["${isKeyed ? "keyed" : "options"}"]`].join(", ")}]) => ` +
      (isList ? `Listing<${answer}>` : `Promise<${answer === "null" ? "void" : answer}>`),
    code: `(${passed.join(", ")}) => ${isList ? `listing(request, ${path}, ${argument}, options${isSpelled ? ", true" : ""})` : request}`
  }
}

const LISTED = " `await` gives a page, `for await` the records of that page and of all after it."

const NEVER = " `@watchword/client` never repeats it, because a repeat would act twice or find it done."

/** Sends an empty body if an optional one is omitted. */
const bodyOf = (argument: string, mark: string): string =>
  mark === "" ? (argument === "body" ? "body" : `body: ${argument}`) : `body: ${argument} ?? {}`

const groupOf = (name: string, methods: ReadonlyArray<Method>): string => `
export interface ${name}<C extends Convention = OverHttp> {
${methods.map(({ comment, name, type }) => `${comment}readonly ${name}: ${type}\n`).join("")}}

export const ${name.replace(/^./, (letter) => letter.toLowerCase())} = (request: Request): ${name} => ({
${methods.map(({ code, name }) => `${name}: ${code}`).join(",\n")}
})
`

/** @param homes the files of types that are declared elsewhere */
const importsOf = (declared: string, methods: ReadonlyArray<Method>, homes: ReadonlyMap<string, string>): string => {
  const isListed = methods.some(({ isList }) => isList)
  const words = new Set(declared.replaceAll(/\/\*\*[^]*?\*\//g, "").match(/\w+/g))
  const elsewhere = [...homes].filter(([type]) => words.has(type))
  return [
    ...elsewhere.map(([type, home]) => `import type { ${type} } from "./${home}.ts"`),
    `import type { Convention, OverHttp } from "./Convention.ts"`,
    `import type { Request } from "./internal/Request.ts"`,
    ...(isListed ? [`import { type ListBody, type Listing, listing } from "./Lists.ts"`] : []),
    "\n"
  ].join("\n")
}

/** An endpoint's or a group's description, or else its summary as a sentence. */
const described = (annotations: Context.Context<never>): string =>
  Context.getOrUndefined(annotations, OpenApi.Description) ?? `${Context.getOrUndefined(annotations, OpenApi.Summary)}.`
