#!/usr/bin/env bash
# openid-client hides `invalid_client` behind a challenge.
#
# One would expect: a token endpoint that refuses a client with 401 answers `{"error": "invalid_client"}`, and, where the client
# came by the Authorization header, WWW-Authenticate too (RFC 6749, section 5.2); an app reads `error.error`, as for other errors.
# What happens: with that header the error is a challenge error, whose `error` is not there; the body is left to the app.
# What follows: adapters/camara-otp answers a client of the Authorization header with the challenge, as the RFC has it, and one of
# the form without it; its test expects both errors.
#
# openid-client 6.9.0, 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openid-client@6.9.0 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { ClientSecretBasic, Configuration, allowInsecureRequests, clientCredentialsGrant } from "openid-client"

let challenge = {}
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(401, { "content-type": "application/json", ...challenge })
  response.end(JSON.stringify({ error: "invalid_client" }))
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const metadata = { issuer, token_endpoint: `${issuer}/token` }
const configuration = new Configuration(metadata, "client", "secret", ClientSecretBasic("secret"))
allowInsecureRequests(configuration)
const refusal = async () => {
  const error = await clientCredentialsGrant(configuration, {}).then(() => null, (error) => error)
  return { code: error.code, error: error.error }
}
const bare = await refusal()
challenge = { "www-authenticate": 'Basic realm="tokens"' }
const challenged = await refusal()
server.close()
server.closeAllConnections()
const { version } = JSON.parse(readFileSync("node_modules/openid-client/package.json", "utf8"))
console.log(`openid-client ${version} without WWW-Authenticate`, bare)
console.log(`openid-client ${version} with WWW-Authenticate`, challenged)
assert.equal(version, "6.9.0")
assert.equal(bare.error, "invalid_client")
assert.equal(challenged.error, undefined)
assert.match(challenged.code, /CHALLENGE/)
JS
node run.mjs
