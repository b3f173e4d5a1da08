/**
 * Runs one example, by its path, to its end; an example that starts a server ends when that listens. Ports,
 * which a reader is to know, are any free ones here.
 */
import { Server } from "node:net"
import { pathToFileURL } from "node:url"

const listen = Server.prototype.listen
Server.prototype.listen = function (this: Server, ...args: ReadonlyArray<unknown>) {
  return Reflect.apply(listen, this, args.map(onAnyPort))
}

const [, , path = ""] = process.argv
await import(pathToFileURL(path).href)

const look = setInterval(() => {
  if (process.getActiveResourcesInfo().includes("TCPServerWrap")) process.exit()
}, 20)
look.unref()

function onAnyPort(argument: unknown): unknown {
  if (typeof argument === "number") return 0
  return typeof argument === "object" && argument !== null && "port" in argument ? { ...argument, port: 0 } : argument
}
