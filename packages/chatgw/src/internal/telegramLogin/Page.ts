/**
 * The page that a user comes back to. It needs no script and loads nothing.
 */
import { type VisitResponse, visitPages } from "@watchword/send/gateway"
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
  return page({
    status: statuses[outcome],
    language,
    direction: directionOf(language),
    title: texts[outcome],
    main: `<p class="mark${isDone ? " done" : ""}" aria-hidden="true">${isDone ? "✓" : "!"}</p>
<h1>${texts[outcome]}</h1>
<p>${next}</p>`,
    headers: { "content-language": language, vary: "accept-language" }
  })
}

const page = visitPages({
  hasForm: false,
  style: `main { padding: 2rem 1.5rem; text-align: center; }
p { margin: 0; }
.mark { width: 3rem; height: 3rem; margin: 0 auto 1rem; border-radius: 50%; font-size: 1.5rem; line-height: 3rem; background: light-dark(#ece8e0, #282622); color: light-dark(#1d1b17, #f0ede6); }
.done { background: light-dark(#d8eaec, #17393e); color: light-dark(#0b5d69, #74d3dc); }
`
})
