/**
 * The style and the script of the reference.
 */
export const STYLE = `
html { scroll-behavior: smooth; scroll-padding-top: 4.5rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 3; background: var(--card); padding: 0.5rem; }
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; padding: 0.5rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.home { font-weight: 650; color: inherit; text-decoration: none; }
.languages { display: flex; gap: 0.125rem; border: 0; margin: 0; padding: 0; }
.languages legend { position: absolute; left: -100vw; }
.languages label { padding: 0.125rem 0.625rem; border-radius: 0.5rem; cursor: pointer; }
.languages input { position: absolute; opacity: 0; }
.languages label:has(:checked) { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.languages label:has(:focus-visible) { outline: 2px solid var(--accent); }
.key { margin-left: auto; color: var(--ink-soft); font-size: 0.8125rem; }
input:not([type=radio]), textarea { font: 0.8125rem/1.4 var(--mono); color: inherit; background: var(--card); border: 1px solid var(--line-strong); border-radius: 0.375rem; padding: 0.25rem 0.5rem; }
.page { max-width: 90rem; margin: 0 auto; padding: 0 1rem; }
main { outline: none; min-width: 0; padding-bottom: 4rem; }
h1 { font-size: 1.625rem; margin: 1.5rem 0 0.75rem; }
.intro { max-width: 46rem; }
.intro h2 { font-size: 1.125rem; margin: 1.25rem 0 0.5rem; }
nav h2 { font-size: 0.8125rem; color: var(--ink-soft); margin: 1rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.1875rem 0; color: inherit; text-decoration: none; font-size: 0.875rem; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav summary { padding: 0.75rem 0 0; font-weight: 600; cursor: pointer; }
.group > h2 { font-size: 1.375rem; margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line-strong); }
article { padding: 1.5rem 0; border-top: 1px solid var(--line); display: grid; gap: 1rem 2rem; min-width: 0; }
article > div { min-width: 0; }
.text { max-width: 46rem; }
h3 { font-size: 1.125rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.8125rem; color: var(--ink-soft); margin: 1.25rem 0 0.25rem; }
.route { margin: 0.25rem 0 0.75rem; overflow-wrap: anywhere; }
.route b { font: 600 0.75rem var(--mono); color: var(--accent); background: var(--accent-soft); padding: 0.125rem 0.375rem; border-radius: 0.25rem; }
.fields, .answers { list-style: none; margin: 0; padding: 0; }
.fields li, .answers li { padding: 0.5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields .fields { margin: 0.5rem 0 0 0.125rem; padding-left: 0.875rem; border-left: 2px solid var(--line); }
.answers .fields { margin-top: 0.5rem; padding-left: 0.875rem; border-left: 2px solid var(--line); }
.name { font-weight: 600; }
.type { color: var(--ink-soft); font-size: 0.8125rem; }
.required { color: var(--bad); font-size: 0.8125rem; }
summary { cursor: pointer; }
.fields summary { font-size: 0.8125rem; color: var(--accent); }
p code, li code, div > code { overflow-wrap: anywhere; }
.block { position: relative; margin: 0 0 0.75rem; }
pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; background: var(--well); border: 1px solid var(--line); border-radius: 0.625rem; line-height: 1.5; }
.copy { position: absolute; top: 0.5rem; right: 0.5rem; }
button { font: inherit; font-size: 0.8125rem; color: var(--accent); background: var(--card); border: 1px solid var(--line-strong); border-radius: 0.375rem; padding: 0.125rem 0.5rem; cursor: pointer; }
.copy ~ pre { padding-right: 4.5rem; }
body:has(#in-curl:checked) .sample:not(.curl), body:has(#in-ts:checked) .sample:not(.ts), body:has(#in-py:checked) .sample:not(.py) { display: none; }
.try summary { font-size: 0.875rem; color: var(--accent); }
.try label { display: block; margin: 0.5rem 0; font-size: 0.8125rem; color: var(--ink-soft); }
.try input, .try textarea { display: block; width: 100%; color: var(--ink); }
.try pre { margin-top: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
@media (min-width: 64rem) {
  .page { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2rem; }
  nav { position: sticky; top: 3.25rem; align-self: start; max-height: calc(100dvh - 3.25rem); overflow-y: auto; padding-bottom: 2rem; }
}
@media (min-width: 80rem) {
  article:has(.code) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .code { position: sticky; top: 4.25rem; align-self: start; }
}
@media (max-width: 47.99rem) {
  .copy:not([hidden]) ~ pre { padding: 2.75rem 1rem 0.875rem; }
}
@media (max-width: 63.99rem) {
  nav { border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; }
}
`

/**
 * Fills in the address of the server, copies samples, and sends requests with a sandbox key.
 *
 * @param baseUrl the same as for `bodyOf`
 */
export const scriptOf = (baseUrl: string): string => `"use strict"
const base = new URL(${JSON.stringify(baseUrl).replaceAll("<", String.raw`\u003c`)}, location.origin).href.replace(/\\/$/, "")
const all = (selector) => document.querySelectorAll(selector)
for (const each of all("[data-origin]")) each.textContent = location.origin
if (innerWidth < 1024) document.querySelector("nav details").open = false
if (navigator.clipboard) for (const button of all(".copy")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.nextElementSibling.textContent)
    button.textContent = "Copied"
    setTimeout(() => (button.textContent = "Copy"), 1500)
  })
}
if (new URL(base).origin === location.origin) {
  const key = document.getElementById("key")
  key.parentElement.hidden = false
  fetch("handset/session").then((answer) => answer.ok ? answer.json() : {}).then((session) => { if (session.key && key.value === "") key.value = session.key }).catch(() => {})
  for (const form of all(".try")) {
    form.hidden = false
    const out = form.querySelector("pre")
    const say = (text) => { out.hidden = false; out.textContent = text }
    form.querySelector("button").addEventListener("click", async () => {
      if (!/^sk_test_/.test(key.value.trim())) { say("Enter a key of the sandbox above: it begins with sk_test_."); key.focus(); return }
      let path = form.dataset.route
      for (const input of form.querySelectorAll("[data-path]")) path = path.replace("{" + input.dataset.path + "}", encodeURIComponent(input.value))
      const query = new URLSearchParams()
      for (const input of form.querySelectorAll("[data-query]")) if (input.value !== "") query.set(input.dataset.query, input.value)
      const body = form.querySelector("[data-body]")
      const headers = { authorization: "Bearer " + key.value.trim() }
      if (body) headers["content-type"] = "application/json"
      say("Sending…")
      try {
        const answer = await fetch(base + path + (query.size ? "?" + query : ""), { method: form.dataset.method, headers, body: body ? body.value : undefined })
        const text = await answer.text()
        let shown = text
        try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
        say(answer.status + (shown === "" ? "" : "\\n" + shown))
      } catch (error) { say(String(error)) }
    })
  }
}
`
