/**
 * The pages of the sign-up. The form's handler serves its script; an app with a bundler imports
 * `@watchword/form/element`.
 */
export const signUp = (): string =>
  page(`<watchword-form action="/phone"><a href="/phone">Confirm your phone number</a></watchword-form>
  <script type="module" src="/phone?asset=form.js"></script>`)

export const welcome = (number: string): string => page(`<p role="status">${number} is yours.</p>`)

export const style = `:root { color-scheme: light dark; font-family: system-ui, sans-serif }
main { max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
`

const page = (content: string): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="stylesheet" href="/style.css" />
<title>Sign up</title>
<main>
  <h1>Sign up</h1>
  ${content}
</main>
</html>`
