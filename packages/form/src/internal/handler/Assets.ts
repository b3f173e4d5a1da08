/**
 * The form's style and script, under the handler's own address: `?asset=form.css`.
 */
import { all } from "../languages/all.ts"
import { files } from "../generated/assets.ts"

/** The file that a request asks for; null for a request that asks for none. */
export const assetOf = async (request: Request): Promise<Response | null> => {
  const name = new URL(request.url).searchParams.get("asset")
  if (name === null) return null
  const texts = textsOf(name)
  if (texts !== null) return new Response(texts, { headers: { ...HEADERS, "content-type": "text/javascript" } })
  const file = Object.hasOwn(files, name) ? files[name] : undefined
  if (file === undefined) return new Response(null, { status: 404 })
  const headers = { etag: file.etag, ...HEADERS }
  if (request.headers.get("if-none-match") === file.etag) return new Response(null, { status: 304, headers })
  const bytes = Uint8Array.from(atob(file.gzip), (character) => character.charCodeAt(0))
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Response(text, { headers: { ...headers, "content-type": file.type } })
}

const HEADERS = { "cache-control": "no-cache", "x-content-type-options": "nosniff" }

/** The module of a language, made from the texts that the handler has anyway; null for another file. */
const textsOf = (name: string): string | null => {
  const [, language = ""] = /^texts-([a-z]{2})\.js$/.exec(name) ?? []
  return Object.hasOwn(all, language) ? `export const texts = ${JSON.stringify(all[language])}` : null
}

/** The elements of a page's `head`. */
export const head = (isScripted: boolean): string =>
  `<link rel="stylesheet" href="?asset=form.css">${isScripted ? '\n<script type="module" src="?asset=form.js"></script>' : ""}`
