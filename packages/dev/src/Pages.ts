/**
 * Pages of a development server beside those of every server: the handset, which is signed in, and the documents for
 * agents.
 */
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Handset from "./Handset.ts"
import type { Credentials } from "./Folder.ts"

/** @param documents the documents as one text */
export const layer = (basePath: string, { account, key }: Credentials, documents: string) =>
  Layer.merge(
    Handset.layer(basePath, { account, key }),
    HttpRouter.add("GET", "/llms.txt", HttpServerResponse.text(documents))
  )
