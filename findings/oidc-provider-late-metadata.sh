#!/usr/bin/env bash
# oidc-provider finds a mistake in its own list of clients at the first request, and shows it to the user.
#
# One would expect: `new Provider(issuer, { clients })` refuses a client that it cannot use, as it refuses a wrong algorithm in its own
# configuration; the operator sees it at the start.
# What happens: it starts. The first user of that client gets the page `invalid_client_metadata: invalid client_secret value` with 400,
# here for a secret with a letter beyond ASCII (RFC 6749, appendix A.2, has VSCHAR only).
# What follows: the peers of test/logins have an ASCII secret, with `:`, `%`, `+` and blanks.
#
# oidc-provider 9.13.3, 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund oidc-provider@9.13.3 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { Provider } from "oidc-provider"

const server = createServer((request, response) => provider.callback()(request, response))
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const client = { client_id: "app", client_secret: "clé", redirect_uris: ["https://app.example/back"] }
const provider = new Provider(issuer, { clients: [client] })
const query = new URLSearchParams({ client_id: "app", response_type: "code", scope: "openid", redirect_uri: client.redirect_uris[0] })
const response = await fetch(`${issuer}/auth?${query}`, { redirect: "manual" })
const [, answer = ""] = /error_description<\/strong>: ([^<]+)/.exec(await response.text()) ?? []
server.close()
server.closeAllConnections()
const { version } = JSON.parse(readFileSync("node_modules/oidc-provider/package.json", "utf8"))
console.log(`oidc-provider ${version} starts, and answers the first user`, response.status, answer)
assert.equal(version, "9.13.3")
assert.equal(response.status, 400)
assert.equal(answer, "invalid client_secret value")
JS
node run.mjs
