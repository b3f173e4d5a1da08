/**
 * The pages that only a development server has: the handset, which is signed in, and the documents for agents.
 */
import { FrontPage } from "@watchword/server/http"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Handset from "./Handset.ts"
import type { Credentials } from "./Folder.ts"

/** @param documents the documents as one text */
export const layer = (basePath: string, { account, key }: Credentials, documents: string) =>
  Layer.mergeAll(
    FrontPage.layer(
      "The development server: phone verification on its sandbox. Nothing of it leaves this machine.",
      places(basePath)
    ),
    Handset.layer(basePath, { account, key }),
    HttpRouter.add("GET", "/llms.txt", HttpServerResponse.text(documents))
  )

const places = (basePath: string): ReadonlyArray<FrontPage.Place> => [
  { name: "Handset", path: "/handset/", says: "The phones of your users, on the screen.", isPage: true },
  { name: "Form", path: "/form", says: "The form that an app mounts: sign up with one of these phones.", isPage: true },
  { name: "Reference", path: "/docs", says: "Each request with its fields and samples.", isPage: true },
  { name: "OpenAPI", path: "/openapi.json", says: "The same for programs.", isPage: true },
  { name: "Guide", path: "/llms.txt", says: "All documents as one text.", isPage: true },
  {
    name: "Interface",
    path: basePath,
    says: "Where your app sends its requests, with the key that the terminal shows.",
    isPage: false
  },
  { name: "Tools", path: "/mcp", says: "A Model Context Protocol server for agents that write the app.", isPage: false }
]
