/**
 * The reference of the interface as a page, built from its OpenAPI document.
 */
import { escaped } from "../dress.ts"
import { type Fields, type Find, fields, finder, list, text } from "./Json.ts"
import { fieldList, item, typeOf } from "./fieldList.ts"
import { inline, markdown } from "./markdown.ts"
import { type Call, ORIGIN, exampleOf, placeholder, samplesOf } from "./samples.ts"

interface Operation {
  readonly method: string
  readonly path: string
  readonly id: string
  readonly described: Fields
}

/** The address of the server on a page without a script, which does not know the real one. */
const EXAMPLE = "https://otp.example.com"

/** @param baseUrl where the interface is: a path, or a whole address */
export const bodyOf = (document: Fields, description: string, baseUrl: string): string => {
  const find = finder(document)
  const base = baseUrl.startsWith("/") ? `${ORIGIN}${baseUrl.replace(/\/$/, "")}` : baseUrl.replace(/\/$/, "")
  const requests = operationsOf(fields(document["paths"]))
  const hooks = operationsOf(fields(document["webhooks"]))
  const groups = [...new Set(requests.flatMap(({ described }) => list(described["tags"]).map(text)))]
  const says = new Map(
    list(document["tags"]).map((tag) => [text(fields(tag)["name"]), text(fields(tag)["description"])])
  )
  const of = (group: string) => requests.filter(({ described }) => list(described["tags"]).includes(group))
  return `<a class="skip" href="#main">Skip to the reference</a>
<header>
<a class="home" href="./">Watchword</a>
<fieldset class="languages"><legend>Samples in</legend>
<label><input type="radio" name="language" id="in-curl" checked>curl</label>
<label><input type="radio" name="language" id="in-ts">TypeScript</label>
<label><input type="radio" name="language" id="in-py">Python</label>
</fieldset>
<label class="key" hidden>Sandbox key <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_test_…"></label>
</header>
<div class="page">
<nav aria-label="Requests"><details open><summary>Requests</summary>
${groups.map((group) => navOf(group, of(group))).join("\n")}
${navOf("Webhooks", hooks)}
</details></nav>
<main id="main" tabindex="-1">
<h1>Reference</h1>
<div class="intro">${markdown(description, (code) => block(code.replaceAll(EXAMPLE, baseUrl.startsWith("/") ? ORIGIN : EXAMPLE)))}</div>
${groups
  .map(
    (
      group
    ) => `<section class="group" aria-labelledby="group-${slug(group)}"><h2 id="group-${slug(group)}">${escaped(group)}</h2>
<p>${inline(says.get(group) ?? "")}</p>
${of(group)
  .map((operation) => request(find, operation, base))
  .join("\n")}</section>`
  )
  .join("\n")}
<section class="group" aria-labelledby="group-webhooks"><h2 id="group-webhooks">Webhooks</h2>
<p>Events that the service posts to the addresses of an account.</p>
${hooks.map((operation) => hook(find, operation)).join("\n")}</section>
</main>
</div>`
}

const operationsOf = (paths: Fields): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(fields(methods)).map(([method, value]) => {
      const described = fields(value)
      return { method: method.toUpperCase(), path, id: text(described["operationId"]), described }
    })
  )

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const navOf = (group: string, operations: ReadonlyArray<Operation>): string =>
  `<h2>${escaped(group)}</h2><ul>${operations
    .map(({ described, id }) => `<li><a href="#${escaped(id)}">${escaped(text(described["summary"]))}</a></li>`)
    .join("")}</ul>`

const request = (find: Find, operation: Operation, base: string): string => {
  const { described, id, method, path } = operation
  const parameters = list(described["parameters"]).map(fields)
  const schema = bodySchema(described)
  const body = schema === undefined ? undefined : exampleOf(find, schema)
  const call: Call = { method, path, operationId: id, parameters, body }
  const samples = samplesOf(call, base)
    .map(({ code, language }) => `<div class="sample ${language}">${block(code)}</div>`)
    .join("\n")
  return `<article id="${escaped(id)}">
<div class="text">
<h3><a href="#${escaped(id)}">${escaped(text(described["summary"]))}</a></h3>
<p class="route"><b>${method}</b> <code>${escaped(path)}</code></p>
${markdown(text(described["description"]), block)}
${parametersOf(find, parameters)}
${schema === undefined ? "" : `<h4>Body</h4>${fieldList(find, schema)}`}
${answersOf(find, fields(described["responses"]))}
</div>
<div class="code">${samples}
${trial(call)}</div>
</article>`
}

const hook = (find: Find, { described, id }: Operation): string => `<article id="${escaped(id)}">
<div class="text">
<h3><a href="#${escaped(id)}">${escaped(text(described["summary"]))}</a></h3>
${markdown(text(described["description"]), block)}
${parametersOf(find, list(described["parameters"]).map(fields))}
<h4>Body</h4>${fieldList(find, bodySchema(described))}
</div>
</article>`

const bodySchema = (described: Fields): unknown =>
  fields(fields(fields(described["requestBody"])["content"])["application/json"])["schema"]

const places: Readonly<Record<string, string>> = { path: "Path", query: "Query", header: "Headers" }

const parametersOf = (find: Find, parameters: ReadonlyArray<Fields>): string =>
  Object.entries(places)
    .map(([place, title]) => {
      const items = parameters
        .filter((each) => each["in"] === place)
        .map((each) => {
          const value = { ...find(each["schema"]).schema, description: each["description"] }
          return item(find, { name: text(each["name"]), required: each["required"] === true, value })
        })
      return items.length === 0 ? "" : `<h4>${title}</h4><ul class="fields">${items.join("\n")}</ul>`
    })
    .join("\n")

const answersOf = (find: Find, responses: Fields): string => {
  const items = Object.entries(responses).map(([status, value]) => {
    const response = fields(value)
    const schema = fields(Object.values(fields(response["content"]))[0])["schema"]
    const inside = fieldList(find, schema)
    const title = `<code class="status">${escaped(status)}</code> ${inline(text(response["description"]))}`
    if (inside === "")
      return `<li>${title}${schema === undefined ? "" : ` <span class="type">${escaped(typeOf(find, schema))}</span>`}</li>`
    return `<li><details><summary>${title}</summary>${inside}</details></li>`
  })
  return `<h4>Answers</h4><ul class="answers">${items.join("\n")}</ul>`
}

/** A form that sends the request with a sandbox key; its script shows it. */
const trial = ({ body, method, operationId, parameters, path }: Call): string => {
  const inputs = parameters
    .filter((each) => each["in"] === "path" || each["in"] === "query")
    .map((each) => {
      const name = text(each["name"])
      const value =
        each["in"] === "path" ? placeholder(each) : each["example"] === undefined ? "" : String(each["example"])
      return `<label>${escaped(name)} <input data-${text(each["in"])}="${escaped(name)}" value="${escaped(value)}"></label>`
    })
  const area =
    body === undefined
      ? ""
      : `<label>Body <textarea data-body rows="6" spellcheck="false">${escaped(JSON.stringify(body, null, 2))}</textarea></label>`
  return `<details class="try" hidden data-method="${method}" data-route="${escaped(path)}"><summary>Try it in the sandbox</summary>
${inputs.join("\n")}${area}<button type="button">Send</button><pre tabindex="0" aria-live="polite" aria-label="Answer of ${escaped(operationId)}" hidden></pre></details>`
}

/** Code with a button that copies it. */
const block = (code: string): string =>
  `<div class="block"><button type="button" class="copy" hidden>Copy</button><pre tabindex="0">${escaped(
    code
  ).replaceAll(ORIGIN, `<span data-origin>${EXAMPLE}</span>`)}</pre></div>`
