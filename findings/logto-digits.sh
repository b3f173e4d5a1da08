#!/usr/bin/env bash
# Logto's connector "HTTP SMS" hands over phone numbers without a plus sign.
#
# One would expect: numbers in E.164, "+4915123456789", as https://docs.logto.io/integrations/http-sms shows in its example.
# What happens: Logto's core keeps digits alone (`phoneRegEx` of @logto/core-kit takes no plus sign), and the connector posts
# them as they are kept. The console's test, for which a person types a plus sign, hides it.
# What follows: adapters/auth-hooks/src/internal/Recipients.ts adds the plus sign.
#
# @logto/connector-http-sms 0.2.1, @logto/core-kit 2.13.0, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @logto/connector-http-sms@0.2.1 @logto/core-kit@2.13.0 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { createServer } from "node:http"
import createConnector from "@logto/connector-http-sms"
import { phoneRegEx } from "@logto/core-kit"

const bodies = []
const server = createServer(async (request, response) => {
  let text = ""
  for await (const piece of request) text += piece
  bodies.push(JSON.parse(text))
  response.end()
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const config = { endpoint: `http://127.0.0.1:${server.address().port}/`, authorization: "Bearer a" }
const { sendMessage } = await createConnector({ getConfig: async () => config })
const kept = ["4915123456789", "+4915123456789"].filter((number) => phoneRegEx.test(number))
for (const to of kept) await sendMessage({ to, type: "SignIn", payload: { code: "123456" } })
server.close()
console.log("@logto/core-kit 2.13.0 keeps", kept)
console.log("@logto/connector-http-sms 0.2.1 posts", bodies)
assert.deepEqual(kept, ["4915123456789"])
assert.deepEqual(bodies.map(({ to }) => to), kept)
JS
node run.mjs
