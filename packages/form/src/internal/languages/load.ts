/**
 * The texts of one language, for pages: each language is a file that is loaded when a page is in it.
 */
import type { Texts } from "../Texts.ts"

type Loaded = Promise<{ readonly texts: Texts }>

const loaders: Readonly<Record<string, () => Loaded>> = {
  ar: () => import("./ar.ts"),
  bg: () => import("./bg.ts"),
  cs: () => import("./cs.ts"),
  da: () => import("./da.ts"),
  de: () => import("./de.ts"),
  el: () => import("./el.ts"),
  es: () => import("./es.ts"),
  fi: () => import("./fi.ts"),
  fr: () => import("./fr.ts"),
  he: () => import("./he.ts"),
  hi: () => import("./hi.ts"),
  hu: () => import("./hu.ts"),
  id: () => import("./id.ts"),
  it: () => import("./it.ts"),
  ja: () => import("./ja.ts"),
  ko: () => import("./ko.ts"),
  nb: () => import("./nb.ts"),
  nl: () => import("./nl.ts"),
  pl: () => import("./pl.ts"),
  pt: () => import("./pt.ts"),
  ro: () => import("./ro.ts"),
  ru: () => import("./ru.ts"),
  sv: () => import("./sv.ts"),
  th: () => import("./th.ts"),
  tr: () => import("./tr.ts"),
  uk: () => import("./uk.ts"),
  vi: () => import("./vi.ts"),
  zh: () => import("./zh.ts")
}

/** The texts of a language; undefined for English, which the form has, and where they do not load. */
export const loadTexts = async (language: string): Promise<Texts | undefined> =>
  (await loaders[language]?.().catch(() => undefined))?.texts
