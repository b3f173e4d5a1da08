#!/usr/bin/env bash
# libphonenumber-js reads a number behind a full-width plus sign as a national one.
#
# One would expect: libphonenumber has U+FF0B among its PLUS_CHARS, so `＋44 7400 123456` is a British number with any default
# country; google-libphonenumber answers +447400123456.
# What happens: with the default country DE the answer is +49447400123456, another number, which is valid, too.
# What follows: packages/schemas/src/phone/Typed.ts finds the plus sign before the library is asked.
#
# libphonenumber-js 1.13.16, google-libphonenumber 3.2.47, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16 google-libphonenumber@3.2.47 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import google from "google-libphonenumber"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

const text = "\uff0b44 7400 123456"
const read = parsePhoneNumberFromString(text, "DE")
const util = google.PhoneNumberUtil.getInstance()
const other = util.format(util.parse(text, "DE"), google.PhoneNumberFormat.E164)
console.log("libphonenumber-js 1.13.16", read?.number, "valid", read?.isValid())
console.log("google-libphonenumber 3.2.47", other)
assert.deepEqual([read?.number, read?.isValid(), other], ["+49447400123456", true, "+447400123456"])
JS
node run.mjs
