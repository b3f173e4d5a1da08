/**
 * The texts of all languages, for the handler.
 */
import type { Texts } from "../Texts.ts"
import { texts as ar } from "./ar.ts"
import { texts as bg } from "./bg.ts"
import { texts as cs } from "./cs.ts"
import { texts as da } from "./da.ts"
import { texts as de } from "./de.ts"
import { texts as el } from "./el.ts"
import { texts as en } from "./en.ts"
import { texts as es } from "./es.ts"
import { texts as fi } from "./fi.ts"
import { texts as fr } from "./fr.ts"
import { texts as he } from "./he.ts"
import { texts as hi } from "./hi.ts"
import { texts as hu } from "./hu.ts"
import { texts as id } from "./id.ts"
import { texts as it } from "./it.ts"
import { texts as ja } from "./ja.ts"
import { texts as ko } from "./ko.ts"
import { texts as nb } from "./nb.ts"
import { texts as nl } from "./nl.ts"
import { texts as pl } from "./pl.ts"
import { texts as pt } from "./pt.ts"
import { texts as ro } from "./ro.ts"
import { texts as ru } from "./ru.ts"
import { texts as sv } from "./sv.ts"
import { texts as th } from "./th.ts"
import { texts as tr } from "./tr.ts"
import { texts as uk } from "./uk.ts"
import { texts as vi } from "./vi.ts"
import { texts as zh } from "./zh.ts"

/** The texts of each language. */
export const all: Readonly<Record<string, Texts>> = {
  ar,
  bg,
  cs,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh
}
