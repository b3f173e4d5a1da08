/**
 * The page that a user comes back to. It needs no script and loads nothing.
 */
import type { VisitResponse } from "@watchword/send/gateway"
import * as Base64 from "effect/encoding/Base64"
import { type PageTexts, directionOf, languageOf, pageTexts } from "./pageTexts.ts"

/** The sentences that a page can have as its heading. */
export type Outcome = Exclude<keyof PageTexts, "close" | "back">

const statuses: { readonly [O in Outcome]: number } = {
  approved: 200,
  other_number: 200,
  not_shared: 200,
  cancelled: 200,
  late: 200,
  invalid: 400,
  failed: 502
}

export const answer = async (outcome: Outcome, acceptLanguage: string): Promise<VisitResponse> => {
  const language = languageOf(acceptLanguage)
  const texts = pageTexts[language] ?? pageTexts.en
  const isDone = outcome === "approved"
  const next = isDone ? texts.close : texts.back
  return {
    status: statuses[outcome],
    headers: {
      "content-language": language,
      "content-security-policy":
        `default-src 'none'; style-src ${await styleHash()}; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'",
      vary: "accept-language"
    },
    body: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts[outcome]}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark${isDone ? " done" : ""}" aria-hidden="true">${isDone ? "✓" : "!"}</p>
<h1>${texts[outcome]}</h1>
<p>${next}</p>
</main>
</body>
</html>
`
  }
}

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
html { font: 400 1.0625rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: light-dark(#f2efe9, #121110); color: light-dark(#1d1b17, #f0ede6); }
main { max-width: 24rem; width: 100%; padding: 2rem 1.5rem; text-align: center; border-radius: 1rem; border: 1px solid light-dark(#dfdad0, #37342e); background: light-dark(#fdfcfa, #1c1b19); }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.75rem; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0; color: light-dark(#5f5b52, #b0aa9d); }
.mark { width: 3rem; height: 3rem; margin: 0 auto 1rem; border-radius: 50%; font-size: 1.5rem; line-height: 3rem; background: light-dark(#ece8e0, #282622); color: light-dark(#1d1b17, #f0ede6); }
.done { background: light-dark(#d8eaec, #17393e); color: light-dark(#0b5d69, #74d3dc); }
`

let hash: string | null = null

const styleHash = async (): Promise<string> =>
  (hash ??= `'sha256-${Base64.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE))))}'`)
