#!/usr/bin/env bash
# libphonenumber answers a possible number of sixteen digits, which E.164 does not have.
#
# One would expect: a number with its calling code has at most 15 digits (ITU-T E.164, section 6), so `00971501234567`, typed in
# Japan for +971 50 123 4567, is no national number of Japan.
# What happens: it is `+8100971501234567`, and possible. Japan's plan has toll-free numbers that begin with 00 and that no other
# country reaches; the metadata has room for all that follows 00.
# What follows: packages/schemas/src/phone/Reading.ts takes no reading whose national number begins with 00.
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

const text = "00971501234567"
const read = parsePhoneNumberFromString(text, "JP")
const util = google.PhoneNumberUtil.getInstance()
const parsed = util.parse(text, "JP")
const other = [util.format(parsed, google.PhoneNumberFormat.E164), util.isPossibleNumber(parsed)]
console.log("libphonenumber-js 1.13.16", read?.number, "possible", read?.isPossible())
console.log("google-libphonenumber 3.2.47", ...other)
assert.deepEqual([read?.number, read?.isPossible()], ["+8100971501234567", true])
assert.deepEqual(other, ["+8100971501234567", true])
JS
node run.mjs
