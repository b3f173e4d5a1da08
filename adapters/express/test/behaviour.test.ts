import type { Abilities } from "@watchword/server/conformance"
import express, { type Express, type RequestHandler } from "express"
import { createRequire } from "node:module"
import { watchword } from "@watchword/express"
import { describeHost, describeMount, startService } from "../../../test/hosts.ts"
import { listen } from "./fixture.ts"

// It has no types of its own; the adapter uses what both have in common.
const express4: typeof express = createRequire(import.meta.url)("express-4")

/** @param prefixed what differs under a prefix */
const mounts = (version: string, make: typeof express, prefixed: Partial<Abilities> = {}): void => {
  const run = (
    name: string,
    basePath: string,
    host: Partial<Abilities>,
    mount: (app: Express, handler: RequestHandler) => void
  ) => {
    const declare = version === "Express" && name === "" ? describeHost : describeMount
    declare(`${version}${name}`, host, async () => {
      const { service, ...target } = await startService()
      // Its error handler is Express's own, which would log.
      const app = make().set("env", "test")
      mount(app, watchword(service))
      const { url, close } = await listen(app)
      return { ...target, baseUrl: `${url}${basePath}`, close: () => close().then(service.dispose) }
    })
  }

  const json = make.json()
  run("", "/v1", prefixed, (app, handler) => app.use("/v1", handler))
  run(", before its parser", "/v1", prefixed, (app, handler) => app.use("/v1", handler).use(json))
  run(", after its parser", "/v1", { ...prefixed, ...afterParser }, (app, handler) => app.use(json).use("/v1", handler))
  run(", at the root", "", atRoot, (app, handler) => app.use(handler).use(json))
  run(", at the root after its parser", "", { ...atRoot, ...afterParser }, (app, handler) => app.use(json).use(handler))
  run(", in a router in an app in an app", "/a/b/7/c", prefixed, (app, handler) => {
    const router = make.Router().use("/:id/c", handler)
    app.use("/a", make().use("/b", router))
  })
}

const atRoot = { everyPath: false, everyMethod: false }
const afterParser = { rawBodies: false }

mounts("Express", express)
mounts("Express 4", express4, { leadingSlashes: false })
