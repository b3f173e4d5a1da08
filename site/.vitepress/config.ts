import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { renderMermaidSVG } from "beautiful-mermaid"
import { defineConfig } from "vitepress"

const repository = process.env["DOCS_REPOSITORY"]

/** A diagram that is drawn here: no reader loads a program that draws, and nothing moves when it comes. */
const diagram = (source: string): string => {
  const ink = "var(--vp-c-text-1)"
  const svg = renderMermaidSVG(source, {
    bg: "var(--vp-c-bg)",
    fg: ink,
    muted: ink,
    line: "var(--vp-c-text-2)",
    font: "system-ui",
    transparent: true
  }).replaceAll(/@import url\([^)]*\);?/g, "")
  const expression = JSON.stringify(svg).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  return `<figure class="picture" role="img" aria-label="Diagram" tabindex="0" v-html="${expression}"></figure>\n`
}

/** Width and height of a PNG, which its first octets have: a page leaves room for it. */
const sizeOf = (path: string): ReadonlyArray<[string, string]> => {
  const head = readFileSync(path).subarray(16, 24)
  return [
    ["width", `${head.readUInt32BE(0)}`],
    ["height", `${head.readUInt32BE(4)}`]
  ]
}

export default defineConfig({
  srcDir: "pages",
  title: "Watchword",
  description: "One-time passcodes to a phone, from your own backend",
  lang: "en",
  // No request for a picture that is not there.
  head: [["link", { rel: "icon", href: "data:," }]],
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  // A page of the reference is written from sources: it has no document to edit.
  transformPageData: ({ frontmatter }) => {
    const source = frontmatter["source"]
    return source === undefined ? { frontmatter: { ...frontmatter, editLink: false } } : { filePath: source }
  },
  markdown: {
    // Addresses of headings as GitHub makes them, which the documents' links are written for.
    anchor: {
      slugify: (heading) =>
        heading
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(/\s/g, "-")
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => {
      // Two braces in code are no expression of a page.
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]?.content ?? "")}</code>`
      const image = md.renderer.rules.image
      md.renderer.rules.image = (tokens, index, options, env, self) => {
        const token = tokens[index]
        const source = token?.attrGet("src") ?? ""
        if (source.endsWith(".png")) for (const each of sizeOf(join(dirname(env.path), source))) token?.attrPush(each)
        return image?.(tokens, index, options, env, self) ?? ""
      }
      const fence = md.renderer.rules.fence
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { content, info } = tokens[index] ?? { content: "", info: "" }
        return info.trim() === "mermaid" ? diagram(content) : (fence?.(tokens, index, ...rest) ?? "")
      }
    }
  },
  themeConfig: {
    nav: [
      { text: "Documents", link: "/documents" },
      { text: "Reference", link: "/reference/" }
    ],
    sidebar: JSON.parse(readFileSync(new URL("../pages/sidebar.json", import.meta.url), "utf8")),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      // Documents before the reference, whose many names would fill the list.
      options: {
        miniSearch: { searchOptions: { boostDocument: (id: string) => (id.includes("/reference/") ? 0.1 : 1) } }
      }
    },
    ...(repository === undefined
      ? {}
      : { editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" } })
  }
})
