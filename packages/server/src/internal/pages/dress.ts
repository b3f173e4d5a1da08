/**
 * The look of the pages of a server: the colours and sizes of console and handset, both schemes, and a policy by which
 * a page loads nothing and runs nothing but its own style and script.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Effect from "effect/Effect"

const BASE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1d1b17, #f0ede6);
  --ink-soft: light-dark(#5f5b52, #b0aa9d);
  --paper: light-dark(#f2efe9, #121110);
  --card: light-dark(#fdfcfa, #1c1b19);
  --well: light-dark(#ece8e0, #282622);
  --line: light-dark(#dfdad0, #37342e);
  --line-strong: light-dark(#8c867a, #7c766a);
  --accent: light-dark(#0b5d69, #74d3dc);
  --accent-ink: light-dark(#ffffff, #06272c);
  --accent-soft: light-dark(#d8eaec, #17393e);
  --bad: light-dark(#a8281f, #ff9f94);
  --font: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 400 0.9375rem/1.55 var(--font); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; margin: 0; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; scroll-behavior: auto !important; } }
`

export interface Parts {
  readonly title: string
  readonly style: string
  /** Markup of the body. */
  readonly body: string
  readonly script?: string
}

/** A page with its policy. @param connect where its script may send requests; `'none'` unless given */
export const page = ({ body, script = "", style, title }: Parts, connect = "'none'") =>
  Effect.gen(function* () {
    const whole = BASE + style
    const policy = [
      "default-src 'none'",
      `style-src ${yield* hashOf(whole)}`,
      ...(script === "" ? [] : [`script-src ${yield* hashOf(script)}`]),
      `connect-src ${connect}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ]
    return {
      contentType: "text/html; charset=utf-8",
      text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${whole}</style>
</head>
<body>
${body}
${script === "" ? "" : `<script>${script}</script>\n`}</body>
</html>
`,
      headers: { "content-security-policy": policy.join("; "), "referrer-policy": "no-referrer" }
    }
  })

const hashOf = (text: string) =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (hash) => `'sha256-${Base64.encode(new Uint8Array(hash))}'`
  )

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** A text as markup shows it, between tags and in quoted attributes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "")
