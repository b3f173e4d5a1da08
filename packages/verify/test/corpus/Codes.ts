/**
 * Codes as people type, paste and dictate them, and the code that is read from each; null for an input that is refused
 * and does not count as a check.
 */
export interface Row {
  /** Which keyboard, product or habit enters it so. */
  readonly from: string
  readonly source: string
  readonly entered: string
  readonly reads: string | null
}

export const rows: ReadonlyArray<Row> = [
  {
    from: "Arabic keyboard of iOS 13",
    source: "FirebaseUI-iOS: firebase/FirebaseUI-iOS#790, 2019-10-11",
    entered: "\u0661\u0662\u0663\u0664\u0665\u0666",
    reads: "123456"
  },
  {
    from: "Persian keyboard",
    source: "jadijadi/sms_serial_verification#2, 2020-02-13: 4, 5 and 6 differ between Persian and Arabic keyboards",
    entered: "\u06f9\u06f8\u06f7\u06f6\u06f5\u06f4",
    reads: "987654"
  },
  {
    from: "Arabic and Latin digits in one code",
    source: "devfolioco/react-otp-input#440, 2024-02-27: a field that takes digits of both keyboards",
    entered: "\u0661\u0662\u0663456",
    reads: "123456"
  },
  {
    from: "Khmer keyboard",
    source: "somleng/somleng#1384: codes of verification in Khmer digits",
    entered: "\u17e1\u17e2\u17e3\u17e4\u17e5\u17e6",
    reads: "123456"
  },
  {
    from: "Hindi keyboard",
    source: "Unicode 17, block Devanagari, digits from U+0966; CLDR numbering system deva",
    entered: "\u0967\u0968\u0969\u096a\u096b\u096c",
    reads: "123456"
  },
  {
    from: "Bengali keyboard",
    source: "Unicode 17, block Bengali, digits from U+09E6; CLDR numbering system beng",
    entered: "\u09e7\u09e8\u09e9\u09ea\u09eb\u09ec",
    reads: "123456"
  },
  {
    from: "Punjabi keyboard",
    source: "Unicode 17, block Gurmukhi, digits from U+0A66; CLDR numbering system guru",
    entered: "\u0a67\u0a68\u0a69\u0a6a\u0a6b\u0a6c",
    reads: "123456"
  },
  {
    from: "Gujarati keyboard",
    source: "Unicode 17, block Gujarati, digits from U+0AE6; CLDR numbering system gujr",
    entered: "\u0ae7\u0ae8\u0ae9\u0aea\u0aeb\u0aec",
    reads: "123456"
  },
  {
    from: "Odia keyboard",
    source: "Unicode 17, block Oriya, digits from U+0B66; CLDR numbering system orya",
    entered: "\u0b67\u0b68\u0b69\u0b6a\u0b6b\u0b6c",
    reads: "123456"
  },
  {
    from: "Tamil keyboard",
    source: "Unicode 17, block Tamil, digits from U+0BE6; CLDR numbering system tamldec",
    entered: "\u0be7\u0be8\u0be9\u0bea\u0beb\u0bec",
    reads: "123456"
  },
  {
    from: "Telugu keyboard",
    source: "Unicode 17, block Telugu, digits from U+0C66; CLDR numbering system telu",
    entered: "\u0c67\u0c68\u0c69\u0c6a\u0c6b\u0c6c",
    reads: "123456"
  },
  {
    from: "Kannada keyboard",
    source: "Unicode 17, block Kannada, digits from U+0CE6; CLDR numbering system knda",
    entered: "\u0ce7\u0ce8\u0ce9\u0cea\u0ceb\u0cec",
    reads: "123456"
  },
  {
    from: "Malayalam keyboard",
    source: "Unicode 17, block Malayalam, digits from U+0D66; CLDR numbering system mlym",
    entered: "\u0d67\u0d68\u0d69\u0d6a\u0d6b\u0d6c",
    reads: "123456"
  },
  {
    from: "Sinhala keyboard",
    source: "Unicode 17, block Sinhala, digits from U+0DE6; CLDR numbering system sinh",
    entered: "\u0de7\u0de8\u0de9\u0dea\u0deb\u0dec",
    reads: "123456"
  },
  {
    from: "Thai keyboard",
    source: "Unicode 17, block Thai, digits from U+0E50; CLDR numbering system thai",
    entered: "\u0e51\u0e52\u0e53\u0e54\u0e55\u0e56",
    reads: "123456"
  },
  {
    from: "Lao keyboard",
    source: "Unicode 17, block Lao, digits from U+0ED0; CLDR numbering system laoo",
    entered: "\u0ed1\u0ed2\u0ed3\u0ed4\u0ed5\u0ed6",
    reads: "123456"
  },
  {
    from: "Dzongkha keyboard",
    source: "Unicode 17, block Tibetan, digits from U+0F20; CLDR numbering system tibt",
    entered: "\u0f21\u0f22\u0f23\u0f24\u0f25\u0f26",
    reads: "123456"
  },
  {
    from: "Burmese keyboard",
    source: "Unicode 17, block Myanmar, digits from U+1040; CLDR numbering system mymr",
    entered: "\u1041\u1042\u1043\u1044\u1045\u1046",
    reads: "123456"
  },
  {
    from: "Shan keyboard",
    source: "Unicode 17, block Myanmar, digits from U+1090; CLDR numbering system mymrshan",
    entered: "\u1091\u1092\u1093\u1094\u1095\u1096",
    reads: "123456"
  },
  {
    from: "Mongolian keyboard",
    source: "Unicode 17, block Mongolian, digits from U+1810; CLDR numbering system mong",
    entered: "\u1811\u1812\u1813\u1814\u1815\u1816",
    reads: "123456"
  },
  {
    from: "N'Ko keyboard",
    source: "Unicode 17, block NKo, digits from U+07C0; CLDR numbering system nkoo",
    entered: "\u07c1\u07c2\u07c3\u07c4\u07c5\u07c6",
    reads: "123456"
  },
  {
    from: "Adlam keyboard",
    source: "Unicode 17, block Adlam, digits from U+1E950; CLDR numbering system adlm",
    entered: "\u{1e951}\u{1e952}\u{1e953}\u{1e954}\u{1e955}\u{1e956}",
    reads: "123456"
  },
  {
    from: "Santali keyboard",
    source: "Unicode 17, block Ol Chiki, digits from U+1C50; CLDR numbering system olck",
    entered: "\u1c51\u1c52\u1c53\u1c54\u1c55\u1c56",
    reads: "123456"
  },
  {
    from: "Manipuri keyboard",
    source: "Unicode 17, block Meetei Mayek, digits from U+ABF0; CLDR numbering system mtei",
    entered: "\uabf1\uabf2\uabf3\uabf4\uabf5\uabf6",
    reads: "123456"
  },
  {
    from: "Chakma keyboard",
    source: "Unicode 17, block Chakma, digits from U+11136; CLDR numbering system cakm",
    entered: "\u{11137}\u{11138}\u{11139}\u{1113a}\u{1113b}\u{1113c}",
    reads: "123456"
  },
  {
    from: "Javanese keyboard",
    source: "Unicode 17, block Javanese, digits from U+A9D0; CLDR numbering system java",
    entered: "\ua9d1\ua9d2\ua9d3\ua9d4\ua9d5\ua9d6",
    reads: "123456"
  },
  {
    from: "Rohingya keyboard",
    source: "Unicode 17, block Hanifi Rohingya, digits from U+10D30; CLDR numbering system rohg",
    entered: "\u{10d31}\u{10d32}\u{10d33}\u{10d34}\u{10d35}\u{10d36}",
    reads: "123456"
  },
  {
    from: "Japanese keyboard of Windows, full width",
    source: "longbridge/gpui-kit#2261, 2026-04-17",
    entered: "\uff11\uff12\uff13\uff14\uff15\uff16",
    reads: "123456"
  },
  {
    from: "Text of bold digits",
    source: "Unicode 17, block Mathematical Alphanumeric Symbols: five runs of digits that touch, bold from U+1D7CE",
    entered: "\u{1d7cf}\u{1d7d0}\u{1d7d1}\u{1d7d2}",
    reads: "1234"
  },
  {
    from: "Text of monospace digits",
    source: "Unicode 17, block Mathematical Alphanumeric Symbols: the last of five runs, monospace from U+1D7F6",
    entered: "\u{1d7fc}\u{1d7fd}\u{1d7fe}\u{1d7ff}",
    reads: "6789"
  },
  {
    from: "Japanese keyboard, its long vowel for a hyphen",
    source: "whatwg/html#11616, 2025-09-02: U+30FC after full-width digits",
    entered: "\uff11\uff12\uff13\u30fc\uff14\uff15\uff16",
    reads: "123456"
  },
  {
    from: "Japanese keyboard, half-width katakana",
    source: "Unicode 17, block Halfwidth and Fullwidth Forms: U+FF70 is the half-width form of U+30FC",
    entered: "123\uff70456",
    reads: "123456"
  },
  {
    from: "Japanese keyboard, minus sign",
    source: "whatwg/html#11616, 2025-09-02: U+2212 between full-width digits",
    entered: "\uff11\uff12\uff13\u2212\uff14\uff15\uff16",
    reads: "123456"
  },
  {
    from: "Japanese keyboard, full-width hyphen and space",
    source: "ourjapanlife/findadoc-web#1762, 2026-06-30",
    entered: "\uff11\uff12\uff13\uff0d\uff14\uff15\uff16\u3000",
    reads: "123456"
  },
  {
    from: "Authenticator app that groups digits",
    source: "casdoor/casdoor-authenticator#56, 2025-08-10: the copy has the group's space",
    entered: " 123 456",
    reads: "123456"
  },
  {
    from: "Messaging app that groups digits by two",
    source: "adar2378/pin_code_fields#417, 2025-12-18",
    entered: "12 34 56",
    reads: "123456"
  },
  {
    from: "Dictation",
    source: "govuk-pay/pay-selfservice#3637, 2022-11-21: programs for speech put spaces between digits",
    entered: "1 2 3 4 5 6",
    reads: "123456"
  },
  {
    from: "WhatsApp's own form of codes",
    source: 'GOV.UK Design System, pattern "Confirm a phone number": allow spaces, hyphens and dashes',
    entered: "123-456",
    reads: "123456"
  },
  {
    from: "Word processor, en dash",
    source:
      'GOV.UK Design System, pattern "Confirm a phone number": dashes; U+2013 is what autocorrection makes of two hyphens',
    entered: "123\u2013456",
    reads: "123456"
  },
  {
    from: "Web page with a non-breaking hyphen",
    source: "Unicode 17, General Punctuation: U+2011 keeps a group on one line",
    entered: "123\u2011456",
    reads: "123456"
  },
  {
    from: "E-mail client Superhuman",
    source: "authgear/authgear-server#1474, 2021-08-23: the copy begins with a space",
    entered: " 123456",
    reads: "123456"
  },
  {
    from: "Double click on a code in an e-mail",
    source: "MISP/MISP#7092, 2021-02-25",
    entered: "123456 ",
    reads: "123456"
  },
  {
    from: "E-mail client, line end",
    source: "PostHog/posthog#71442, 2026-07-16: trailing newline",
    entered: "123456\n",
    reads: "123456"
  },
  {
    from: "Windows, line end",
    source: "wso2/product-is#17641, 2023-11-07: white space behind a code; CRLF of the Windows clipboard",
    entered: "123456\r\n",
    reads: "123456"
  },
  {
    from: "Cell of a table",
    source: "wso2/product-is#17641, 2023-11-07: white space before a code; a tab of a copied table",
    entered: "\t123456",
    reads: "123456"
  },
  {
    from: "E-mail client, no-break space",
    source: "PostHog/posthog#71442, 2026-07-16: non-breaking space",
    entered: "123\u00a0456",
    reads: "123456"
  },
  {
    from: "French and Swiss grouping",
    source: "CLDR 34 and later: U+202F groups digits in fr",
    entered: "123\u202f456",
    reads: "123456"
  },
  {
    from: "E-mail client, zero-width space",
    source: "PostHog/posthog#71442, 2026-07-16: zero-width space",
    entered: "123\u200b456",
    reads: "123456"
  },
  {
    from: "E-mail client, soft hyphen",
    source: "PostHog/posthog#71442, 2026-07-16: soft hyphen",
    entered: "123\u00ad456",
    reads: "123456"
  },
  {
    from: "E-mail client, word joiner",
    source: "PostHog/posthog#71442, 2026-07-16: zero-width family",
    entered: "\u2060123456",
    reads: "123456"
  },
  {
    from: "File with a byte order mark",
    source: "PostHog/posthog#71442, 2026-07-16: BOM",
    entered: "\ufeff123456",
    reads: "123456"
  },
  {
    from: "Text from right to left, mark",
    source: "UAX #9 (Unicode 17), 2.6: implicit marks, U+200F",
    entered: "\u200f123456\u200f",
    reads: "123456"
  },
  {
    from: "Text from right to left, embedding",
    source: "UAX #9 (Unicode 17), 2.1: U+202A and U+202C, as Apple's contacts put around numbers: verbb/hyper#86",
    entered: "\u202a123456\u202c",
    reads: "123456"
  },
  {
    from: "Text from right to left, isolate",
    source: "UAX #9 (Unicode 17), 2.4: U+2068 and U+2069, as Intl.MessageFormat and ICU put around values",
    entered: "\u2068123456\u2069",
    reads: "123456"
  },
  {
    from: "Emoji keyboard, digits in text style",
    source: "Unicode 17, emoji-variation-sequences.txt: 0031 FE0E",
    entered: "1\ufe0e2\ufe0e3\ufe0e4\ufe0e",
    reads: "1234"
  },
  {
    from: "Korean keyboard, filler",
    source: "Unicode 17, DerivedCoreProperties.txt: U+3164 is Default_Ignorable_Code_Point",
    entered: "\u3164123456",
    reads: "123456"
  },
  {
    from: "Four digits, leading zeros",
    source: "RFC 4226, 5.3: a code is a string, whose zeros count",
    entered: "0007",
    reads: "0007"
  },
  {
    from: "Eight digits in pairs",
    source: "RFC 4226, 5.3: 6, and possibly 7 and 8 digits",
    entered: "12-34-56-78",
    reads: "12345678"
  },
  {
    from: "Google's own codes",
    source: "GOV.UK Design System allows spaces, hyphens and dashes, and no letter",
    entered: "G-123456",
    reads: null
  },
  {
    from: "The letter O for a zero",
    source: "RFC 4226, 5.4: a code is decimal; what looks alike is not guessed",
    entered: "12O456",
    reads: null
  },
  {
    from: "Circled digits",
    source: "Unicode 17, chapter 4.6: U+2460 has Numeric_Type digit and no decimal value",
    entered: "\u2460\u2461\u2462\u2463",
    reads: null
  },
  {
    from: "Superscript digits",
    source: "Unicode 17, chapter 4.6: U+00B9 has Numeric_Type digit and no decimal value",
    entered: "\u00b9\u00b2\u00b3\u2074",
    reads: null
  },
  {
    from: "Kanji numerals",
    source: "flutter/flutter#97413, 2022-02-04: kanji are very rarely used in fields for digits",
    entered: "\u4e00\u4e8c\u4e09\u56db",
    reads: null
  },
  {
    from: "Roman numerals",
    source: "Unicode 17, chapter 4.6: general category Nl",
    entered: "\u2160\u2161\u2162\u2163",
    reads: null
  },
  {
    from: "Tamil signs for tens",
    source: "Unicode 17, block Tamil: U+0BF0 to U+0BF2 are no digits of a place",
    entered: "\u0be7\u0be6\u0bf0\u0bf1",
    reads: null
  },
  {
    from: "Three digits",
    source: "the interface: 4 to 10 digits, no more than 8 unless the code is longer",
    entered: "123",
    reads: null
  },
  {
    from: "Nine digits",
    source: "the interface: 4 to 10 digits, no more than 8 unless the code is longer",
    entered: "123456789",
    reads: null
  },
  {
    from: "Nine digits in groups",
    source: "the interface: 4 to 10 digits, no more than 8 unless the code is longer",
    entered: "123 456 789",
    reads: null
  },
  {
    from: "The whole text",
    source:
      "mozilla/fxa#2501, 2019-09-13: whether to take six digits out of the entered text; here this spends no guess",
    entered: "Your Acme code is 123456.",
    reads: null
  },
  {
    from: "A decimal point",
    source: "the interface: 4 to 10 digits, no more than 8 unless the code is longer",
    entered: "1234.56",
    reads: null
  }
]
