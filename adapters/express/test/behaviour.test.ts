import type { Abilities } from "@watchword/server/conformance"
import express, { type Express, type RequestHandler } from "express"
import { watchword } from "@watchword/express"
import { describeHost, startService } from "../../../test/hosts.ts"
import { listen } from "./fixture.ts"

const run = (
  name: string,
  basePath: string,
  host: Partial<Abilities>,
  mount: (app: Express, handler: RequestHandler) => void
) =>
  describeHost(name, host, async () => {
    const { service, ...target } = await startService()
    // Its error handler is Express's own, which would log.
    const app = express().set("env", "test")
    mount(app, watchword(service))
    const { url, close } = await listen(app)
    return { ...target, baseUrl: `${url}${basePath}`, close: () => close().then(service.dispose) }
  })

const atRoot = { everyPath: false, everyMethod: false }
const afterParser = { rawBodies: false }

run("Express", "/v1", {}, (app, handler) => app.use("/v1", handler))
run("Express, before its parser", "/v1", {}, (app, handler) => app.use("/v1", handler).use(express.json()))
run("Express, after its parser", "/v1", afterParser, (app, handler) => app.use(express.json()).use("/v1", handler))
run("Express, at the root", "", atRoot, (app, handler) => app.use(handler).use(express.json()))
run("Express, at the root after its parser", "", { ...atRoot, ...afterParser }, (app, handler) =>
  app.use(express.json()).use(handler)
)
run("Express, in a router in an app in an app", "/a/b/7/c", {}, (app, handler) => {
  const router = express.Router().use("/:id/c", handler)
  app.use("/a", express().use("/b", router))
})
