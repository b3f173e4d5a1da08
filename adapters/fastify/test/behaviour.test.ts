import type { Abilities } from "@watchword/server/conformance"
import fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyServerOptions } from "fastify"
import { watchword } from "@watchword/fastify"
import { describeMount, startService } from "../../../test/hosts.ts"

const run = (
  name: string,
  basePath: string,
  host: Partial<Abilities>,
  mount: (app: FastifyInstance, plugin: FastifyPluginAsync) => void,
  options: FastifyServerOptions = {}
) =>
  describeMount(name, host, async () => {
    const { service, ...target } = await startService()
    const app = fastify(options)
    mount(app, watchword(service))
    const url = await app.listen({ host: "127.0.0.1", port: 0 })
    return { ...target, baseUrl: `${url}${basePath}`, close: () => app.close().then(service.dispose) }
  })

const prefixed = { undecodablePaths: false, everyMethod: false }
const atRoot = { ...prefixed, everyPath: false }

/** Reads JSON in a way of its own, and little of it. */
const withJson = (app: FastifyInstance): FastifyInstance => {
  app.addContentTypeParser("application/json", { parseAs: "string", bodyLimit: 10 }, (_request, body, done) =>
    done(null, { body })
  )
  return app
}

const refused = Object.assign(new Error("The host takes nothing but JSON."), { statusCode: 415 })

/** Takes nothing else. */
const withParsers = (app: FastifyInstance): FastifyInstance => {
  for (const type of ["text/plain", "*"]) app.addContentTypeParser(type, (_request, _payload, done) => done(refused))
  return withJson(app)
}

run("Fastify", "/v1", prefixed, (app, plugin) => app.register(plugin, { prefix: "/v1" }))
run(
  "Fastify with parsers of its own",
  "/v1",
  prefixed,
  (app, plugin) => withParsers(app).register(plugin, { prefix: "/v1/" }),
  { bodyLimit: 5, onProtoPoisoning: "remove", routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } }
)
run("Fastify, at the root", "", atRoot, (app, plugin) => withJson(app).register(plugin), { bodyLimit: 5 })
run("Fastify, in a plugin of a plugin", "/a/7/c", prefixed, (app, plugin) =>
  app.register(async (inner) => void inner.register(plugin, { prefix: "/:id/c" }), { prefix: "/a" })
)
