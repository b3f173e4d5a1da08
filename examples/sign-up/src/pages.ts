/**
 * The three pages of the sign-up, without a script. `autocomplete="one-time-code"` lets a phone fill the code in.
 */
export const askForNumber = (problem = ""): string =>
  page(
    problem,
    `<form method="post" action="/phone">
      <label>Your number <input name="phone" type="tel" autocomplete="tel" required autofocus /></label>
      <button>Send me a code</button>
    </form>`
  )

export const askForCode = (verification: string, problem = ""): string =>
  page(
    problem,
    `<form method="post" action="/code">
      <input name="id" type="hidden" value="${escaped(verification)}" />
      <label>The code <input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus /></label>
      <button>Check</button>
    </form>`
  )

export const done = (number: string): string => page("", `<p role="status">${escaped(number)} is yours.</p>`)

const page = (problem: string, content: string): string =>
  `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>Sign up</title>
  <h1>Sign up</h1>
  <p role="alert">${escaped(problem)}</p>
  ${content}
</html>`

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
