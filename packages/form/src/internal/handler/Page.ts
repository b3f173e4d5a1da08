/**
 * The page around the form, with nothing from elsewhere.
 */
import type { PageParts } from "./Options.ts"
import { escaped } from "./Markup.ts"

/** The policy of the page: its own style and script, and requests to its own site. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const page = ({ direction, form, head, language, title }: PageParts): string =>
  `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${head}
</head>
<body class="wf-page">
<main><h1>${escaped(title)}</h1>
${form}
</main>
</body>
</html>
`
