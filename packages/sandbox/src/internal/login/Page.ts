/**
 * The page of the sandbox's Telegram, at which a developer signs in as a user, or does not.
 */
import { type VisitResponse, visitPages } from "@watchword/send/gateway"

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

const page = (status: number, main: string): Promise<VisitResponse> =>
  frame({ status, language: "en", direction: "ltr", title: "Sign in with Telegram (sandbox)", main })

const frame = visitPages({
  hasForm: true,
  style: `.bad { margin: 0.375rem 0 0; color: light-dark(#a8281f, #ff9f94); }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input, button { width: 100%; min-height: 2.75rem; font: inherit; border-radius: 0.625rem; padding: 0.5rem 0.75rem; }
input { border: 1px solid light-dark(#8c867a, #7c766a); background: light-dark(#ffffff, #121110); color: inherit; }
button { margin-top: 0.75rem; border: 1px solid transparent; background: light-dark(#0b5d69, #74d3dc); color: light-dark(#ffffff, #06272c); cursor: pointer; }
.other { background: none; color: inherit; border-color: light-dark(#8c867a, #7c766a); }
:focus-visible { outline: 2px solid light-dark(#0b5d69, #74d3dc); outline-offset: 2px; }
`
})

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "")
