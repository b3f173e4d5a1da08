/**
 * The frame of pages for users' browsers: it needs no script and loads nothing, and its policy allows only its own
 * style.
 */
import * as Base64 from "effect/encoding/Base64"
import type { VisitResponse } from "./Visit.ts"

/** One page. A text that a user has typed is escaped in `title` and `main`. */
export interface VisitPage {
  readonly status: number
  /** A BCP 47 tag. */
  readonly language: string
  readonly direction: "ltr" | "rtl"
  readonly title: string
  /** The HTML of the element `main`. */
  readonly main: string
  /** In addition to the policy. Names in lower case. */
  readonly headers?: VisitResponse["headers"]
}

/** @param look the style in addition to that of the frame, and whether the pages have a form of their own */
export const visitPages = (look: {
  readonly style: string
  readonly hasForm: boolean
}): ((page: VisitPage) => Promise<VisitResponse>) => {
  const style = FRAME + look.style
  let hash: Promise<string> | null = null
  return async ({ direction, headers = {}, language, main, status, title }) => {
    hash ??= hashOf(style)
    return {
      status,
      headers: {
        ...headers,
        "content-security-policy":
          `default-src 'none'; style-src '${await hash}'; base-uri 'none'; ` +
          `form-action ${look.hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`
      },
      body: `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
    }
  }
}

const FRAME = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
html { font: 400 1.0625rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: light-dark(#f2efe9, #121110); color: light-dark(#1d1b17, #f0ede6); }
main { max-width: 24rem; width: 100%; padding: 1.5rem; border-radius: 1rem; border: 1px solid light-dark(#dfdad0, #37342e); background: light-dark(#fdfcfa, #1c1b19); }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.75rem; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; color: light-dark(#5f5b52, #b0aa9d); }
`

const hashOf = async (style: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style))
  return `sha256-${Base64.encode(new Uint8Array(digest))}`
}
