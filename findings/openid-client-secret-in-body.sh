#!/usr/bin/env bash
# openid-client posts a client's secret in the body, though the server takes it in the header only.
#
# One would expect: a server whose metadata lists `client_secret_basic` alone gets the secret in the Authorization header; it is also
# the default where nothing is listed (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2).
# What happens: `new Configuration(metadata, id, "secret")` and `discovery(…, "secret")` use `client_secret_post`, whatever is listed.
# What follows: a provider of a test that takes Basic only must be given `ClientSecretBasic` by an app that uses openid-client; Telegram
# Login here has its own client, which always uses the header, as Telegram asks.
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
import { allowInsecureRequests, clientCredentialsGrant, discovery } from "openid-client"

let seen = {}
let issuer = ""
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += chunk))
  request.on("end", () => {
    response.setHeader("content-type", "application/json")
    if (request.method === "GET") {
      const methods = { token_endpoint_auth_methods_supported: ["client_secret_basic"] }
      return response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, ...methods }))
    }
    seen = { header: request.headers.authorization ?? null, body }
    response.end(JSON.stringify({ access_token: "a", token_type: "bearer" }))
  })
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
issuer = `http://127.0.0.1:${server.address().port}`
const configuration = await discovery(new URL(issuer), "client", "secret", undefined, { execute: [allowInsecureRequests] })
await clientCredentialsGrant(configuration, {})
server.close()
server.closeAllConnections()
const { version } = JSON.parse(readFileSync("node_modules/openid-client/package.json", "utf8"))
console.log(`openid-client ${version}, where only client_secret_basic is listed:`, seen)
assert.equal(version, "6.9.0")
assert.equal(seen.header, null)
assert.match(seen.body, /client_secret=secret/)
JS
node run.mjs
