// The front door from CommonJS, as JavaScript without types uses it.
const assert = require("node:assert/strict")
const { bytes } = require("@watchword/server/Host")
const { BadRequest, WatchwordError, createWatchword, memory } = require("watchword")

const main = async () => {
  const service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  const sandbox = { account, sandbox: true }
  const message = { to: "+4915123456789", text: "Your code is 123456" }
  assert.match((await service.sms.send(sandbox, message)).messageId, /^[0-9A-Za-z-]{26,36}$/)

  const error = await service.sms.send(sandbox, { ...message, to: "0151" }).catch((reason) => reason)
  assert(error instanceof BadRequest && error instanceof WatchwordError)
  assert.deepEqual([error.code, error.status, error.issues[0].path], ["BAD_REQUEST", 400, "to"])

  // The classes are the same ones for modules.
  const modules = await import("watchword")
  assert.equal(modules.BadRequest, BadRequest)

  const body = bytes(new TextEncoder().encode("{}"))
  const answer = await service.handle({ method: "POST", path: "/sms", headers: {}, body, remoteAddress: null })
  assert.equal(answer.status, 401)
  await service.dispose()
}

main()
