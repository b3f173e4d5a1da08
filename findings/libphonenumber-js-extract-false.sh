#!/usr/bin/env bash
# libphonenumber-js with `extract: false` reads fewer forms of one number than without.
#
# One would expect: `extract: false` refuses texts in which a number is one part of several; a `tel:` link, a number in the
# marks of direction that contacts put around it, or one whose plus sign is in brackets has nothing else in it.
# What happens: each is undefined with `extract: false`, and the number without; google-libphonenumber reads all three.
# What follows: packages/schemas/src/phone/Typed.ts takes marks, brackets and links away before the library is asked.
#
# libphonenumber-js 1.13.16, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

const texts = ["tel:+447976399087", "\u202d+447976399087\u202c", "(+44)7976-399087"]
const read = (text, extract) => parsePhoneNumberFromString(text, { defaultCountry: "GB", extract })?.number
for (const text of texts) console.log("libphonenumber-js 1.13.16", JSON.stringify(text), read(text, false), read(text, true))
assert.deepEqual(texts.map((text) => [read(text, false), read(text, true)]), texts.map(() => [undefined, "+447976399087"]))
JS
node run.mjs
