/**
 * The ways in which a user may act first: a link each, and on a screen without a touch its QR code.
 */
import { type Texts, actBy } from "../Texts.ts"
import type { QrCode, Way } from "../Wire.ts"
import { h } from "./dom.ts"

export interface WaysView {
  readonly root: HTMLElement
  readonly update: (ways: ReadonlyArray<Way>) => void
}

export const waysView = (texts: Texts): WaysView => {
  const root = h("ul", { part: "ways", class: "ways" })
  let shown = ""
  return {
    root,
    // The same ways are not drawn again, so that the focus and an open code stay.
    update: (ways) => {
      const key = ways.map(({ by, number, text }) => `${by} ${number?.number ?? ""} ${text ?? ""}`).join("\n")
      if (key === shown) return
      shown = key
      root.hidden = ways.length === 0
      root.replaceChildren(...ways.map((way) => wayOf(way, texts)))
    }
  }
}

const wayOf = (way: Way, texts: Texts): HTMLElement => {
  const { number, qr, text, uri } = way
  const target = uri.startsWith("http") && "_blank"
  const link = h("a", { part: "way", class: "way", href: uri, target, rel: target && "noopener" }, actBy(texts, way))
  if (number !== null) link.append(" ", h("bdi", { dir: "ltr" }, number.written))
  const item = h("li", {}, link)
  if (text !== null) item.append(h("p", { part: "text", class: "text", dir: "auto" }, text))
  if (qr !== null)
    item.append(h("details", { part: "qr", class: "qr" }, h("summary", {}, texts.scan), drawn(qr, texts.scan)))
  return item
}

const SVG = "http://www.w3.org/2000/svg"

const drawn = ({ path, size }: QrCode, label: string): Element => {
  const [svg, modules] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "path")]
  for (const [name, value] of [
    ["viewBox", `0 0 ${size} ${size}`],
    ["role", "img"],
    ["aria-label", label]
  ] as const) {
    svg.setAttribute(name, value)
  }
  modules.setAttribute("d", path)
  svg.append(modules)
  return svg
}
