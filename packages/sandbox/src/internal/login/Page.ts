/**
 * The page of the sandbox's Telegram: who tries an app signs in, or does not.
 */
import type { VisitResponse } from "@watchword/send/gateway"
import * as Base64 from "effect/encoding/Base64"

/** The parameters of a request, which the form sends along. */
const KEPT = [
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method"
] as const

/** @param mistake about the number that was typed; null for none */
export const ask = (asked: URLSearchParams, mistake: string | null): Promise<VisitResponse> => {
  const number = asked.get("number") ?? asked.get("login_hint") ?? ""
  const kept = KEPT.map((name) => `<input type="hidden" name="${name}" value="${escaped(asked.get(name) ?? "")}">`)
  const about = mistake === null ? "" : ` aria-invalid="true" aria-describedby="mistake"`
  return page(
    mistake === null ? 200 : 400,
    `<h1>Sign in with Telegram</h1>
<p>This is the sandbox: no message leaves, and any number signs in.</p>
<form method="post">
${kept.join("\n")}
<label for="number">Your number</label>
<input id="number" name="number" type="tel" autocomplete="off" value="${escaped(number)}"${about}>
${mistake === null ? "" : `<p id="mistake" class="bad">${escaped(mistake)}</p>\n`}<button name="choice" value="share">Share my number and sign in</button>
<button name="choice" value="hide" class="other">Sign in without my number</button>
<button name="choice" value="cancel" class="other">Cancel</button>
</form>`
  )
}

export const refused = (): Promise<VisitResponse> =>
  page(400, "<h1>This link is not of this service</h1>\n<p>Open the link that a verification shows.</p>")

const page = async (status: number, body: string): Promise<VisitResponse> => ({
  status,
  headers: {
    "content-security-policy":
      `default-src 'none'; style-src ${await styleHash()}; base-uri 'none'; form-action 'self'; ` +
      "frame-ancestors 'none'"
  },
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in with Telegram (sandbox)</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
})

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
html { font: 400 1.0625rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: light-dark(#f2efe9, #121110); color: light-dark(#1d1b17, #f0ede6); }
main { max-width: 24rem; width: 100%; padding: 1.5rem; border-radius: 1rem; border: 1px solid light-dark(#dfdad0, #37342e); background: light-dark(#fdfcfa, #1c1b19); }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.5rem; }
p { margin: 0 0 1rem; color: light-dark(#5f5b52, #b0aa9d); }
.bad { margin: 0.375rem 0 0; color: light-dark(#a8281f, #ff9f94); }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input, button { width: 100%; min-height: 2.75rem; font: inherit; border-radius: 0.625rem; padding: 0.5rem 0.75rem; }
input { border: 1px solid light-dark(#8c867a, #7c766a); background: light-dark(#ffffff, #121110); color: inherit; }
button { margin-top: 0.75rem; border: 1px solid transparent; background: light-dark(#0b5d69, #74d3dc); color: light-dark(#ffffff, #06272c); cursor: pointer; }
.other { background: none; color: inherit; border-color: light-dark(#8c867a, #7c766a); }
:focus-visible { outline: 2px solid light-dark(#0b5d69, #74d3dc); outline-offset: 2px; }
`

let hash: string | null = null

const styleHash = async (): Promise<string> => {
  hash ??= Base64.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE))))
  return `'sha256-${hash}'`
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "")
