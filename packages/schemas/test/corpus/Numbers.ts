/**
 * Phone numbers as people type them and address books keep them. The numbers are the documented examples of numbering
 * plans, or come from bug reports.
 */
import type { Unread } from "@watchword/schemas/PhoneNumber"

export type Kind =
  | "without a plus sign"
  | "from abroad"
  | "as dialled"
  | "digits and plus signs"
  | "marks and separators"
  | "links and extensions"
  | "old plans"

export interface Row {
  readonly kind: Kind
  readonly from: string
  readonly source: string
  readonly text: string
  /** The country that the page asks for. */
  readonly country?: string
  readonly number: string | null
  readonly reason?: Unread
  readonly readings?: ReadonlyArray<string>
}

export const rows: ReadonlyArray<Row> = [
  {
    kind: "without a plus sign",
    from: "United Arab Emirates, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of AE",
    text: "971501234567",
    country: "AE",
    number: "+971501234567"
  },
  {
    kind: "without a plus sign",
    from: "Argentina, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of AR",
    text: "5491123456789",
    country: "AR",
    number: "+5491123456789"
  },
  {
    kind: "without a plus sign",
    from: "Austria, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of AT",
    text: "43664123456",
    country: "AT",
    number: "+43664123456"
  },
  {
    kind: "without a plus sign",
    from: "Australia, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of AU",
    text: "61412345678",
    country: "AU",
    number: "+61412345678"
  },
  {
    kind: "without a plus sign",
    from: "Bangladesh, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of BD",
    text: "8801812345678",
    country: "BD",
    number: "+8801812345678"
  },
  {
    kind: "without a plus sign",
    from: "Belgium, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of BE",
    text: "32450001234",
    country: "BE",
    number: "+32450001234"
  },
  {
    kind: "without a plus sign",
    from: "Brazil, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of BR",
    text: "5511961234567",
    country: "BR",
    number: "+5511961234567"
  },
  {
    kind: "without a plus sign",
    from: "Belarus, calling code typed without the plus sign",
    source: "catamphetamine/libphonenumber-js#376",
    text: "375294911911",
    country: "BY",
    number: "+375294911911"
  },
  {
    kind: "without a plus sign",
    from: "Switzerland, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of CH",
    text: "41781234567",
    country: "CH",
    number: "+41781234567"
  },
  {
    kind: "without a plus sign",
    from: "Chile, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of CL",
    text: "56221234567",
    country: "CL",
    number: "+56221234567"
  },
  {
    kind: "without a plus sign",
    from: "China, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of CN",
    text: "8613123456789",
    country: "CN",
    number: "+8613123456789"
  },
  {
    kind: "without a plus sign",
    from: "Colombia, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of CO",
    text: "573211234567",
    country: "CO",
    number: "+573211234567"
  },
  {
    kind: "without a plus sign",
    from: "Czechia, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of CZ",
    text: "420601123456",
    country: "CZ",
    number: "+420601123456"
  },
  {
    kind: "without a plus sign",
    from: "Denmark, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of DK",
    text: "4534412345",
    country: "DK",
    number: "+4534412345"
  },
  {
    kind: "without a plus sign",
    from: "Egypt, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of EG",
    text: "201001234567",
    country: "EG",
    number: "+201001234567"
  },
  {
    kind: "without a plus sign",
    from: "Spain, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of ES",
    text: "34612345678",
    country: "ES",
    number: "+34612345678"
  },
  {
    kind: "without a plus sign",
    from: "France, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of FR",
    text: "33612345678",
    country: "FR",
    number: "+33612345678"
  },
  {
    kind: "without a plus sign",
    from: "United Kingdom, calling code typed without the plus sign",
    source: "google/libphonenumber#1374",
    text: "447400123456",
    country: "GB",
    number: "+447400123456"
  },
  {
    kind: "without a plus sign",
    from: "Ghana, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of GH",
    text: "233231234567",
    country: "GH",
    number: "+233231234567"
  },
  {
    kind: "without a plus sign",
    from: "Greece, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of GR",
    text: "306912345678",
    country: "GR",
    number: "+306912345678"
  },
  {
    kind: "without a plus sign",
    from: "Hungary, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of HU",
    text: "36201234567",
    country: "HU",
    number: "+36201234567"
  },
  {
    kind: "without a plus sign",
    from: "Israel, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of IL",
    text: "972502345678",
    country: "IL",
    number: "+972502345678"
  },
  {
    kind: "without a plus sign",
    from: "India, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of IN",
    text: "918123456789",
    country: "IN",
    number: "+918123456789"
  },
  {
    kind: "without a plus sign",
    from: "Italy, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of IT",
    text: "393123456789",
    country: "IT",
    number: "+393123456789"
  },
  {
    kind: "without a plus sign",
    from: "Japan, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of JP",
    text: "819012345678",
    country: "JP",
    number: "+819012345678"
  },
  {
    kind: "without a plus sign",
    from: "Kenya, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of KE",
    text: "254712123456",
    country: "KE",
    number: "+254712123456"
  },
  {
    kind: "without a plus sign",
    from: "South Korea, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of KR",
    text: "821020000000",
    country: "KR",
    number: "+821020000000"
  },
  {
    kind: "without a plus sign",
    from: "Mexico, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of MX",
    text: "522221234567",
    country: "MX",
    number: "+522221234567"
  },
  {
    kind: "without a plus sign",
    from: "Malaysia, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of MY",
    text: "60123456789",
    country: "MY",
    number: "+60123456789"
  },
  {
    kind: "without a plus sign",
    from: "Nigeria, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of NG",
    text: "2348021234567",
    country: "NG",
    number: "+2348021234567"
  },
  {
    kind: "without a plus sign",
    from: "Netherlands, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of NL",
    text: "31612345678",
    country: "NL",
    number: "+31612345678"
  },
  {
    kind: "without a plus sign",
    from: "Norway, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of NO",
    text: "4740612345",
    country: "NO",
    number: "+4740612345"
  },
  {
    kind: "without a plus sign",
    from: "Peru, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of PE",
    text: "51912345678",
    country: "PE",
    number: "+51912345678"
  },
  {
    kind: "without a plus sign",
    from: "Philippines, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of PH",
    text: "639051234567",
    country: "PH",
    number: "+639051234567"
  },
  {
    kind: "without a plus sign",
    from: "Pakistan, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of PK",
    text: "923012345678",
    country: "PK",
    number: "+923012345678"
  },
  {
    kind: "without a plus sign",
    from: "Poland, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of PL",
    text: "48512345678",
    country: "PL",
    number: "+48512345678"
  },
  {
    kind: "without a plus sign",
    from: "Portugal, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of PT",
    text: "351912345678",
    country: "PT",
    number: "+351912345678"
  },
  {
    kind: "without a plus sign",
    from: "Romania, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of RO",
    text: "40712034567",
    country: "RO",
    number: "+40712034567"
  },
  {
    kind: "without a plus sign",
    from: "Russia, calling code typed without the plus sign",
    source: "contao/core#8434",
    text: "79123456789",
    country: "RU",
    number: "+79123456789"
  },
  {
    kind: "without a plus sign",
    from: "Saudi Arabia, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of SA",
    text: "966512345678",
    country: "SA",
    number: "+966512345678"
  },
  {
    kind: "without a plus sign",
    from: "Sweden, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of SE",
    text: "46701234567",
    country: "SE",
    number: "+46701234567"
  },
  {
    kind: "without a plus sign",
    from: "Singapore, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of SG",
    text: "6581234567",
    country: "SG",
    number: "+6581234567"
  },
  {
    kind: "without a plus sign",
    from: "Thailand, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of TH",
    text: "66812345678",
    country: "TH",
    number: "+66812345678"
  },
  {
    kind: "without a plus sign",
    from: "Türkiye, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of TR",
    text: "905012345678",
    country: "TR",
    number: "+905012345678"
  },
  {
    kind: "without a plus sign",
    from: "Ukraine, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of UA",
    text: "380501234567",
    country: "UA",
    number: "+380501234567"
  },
  {
    kind: "without a plus sign",
    from: "United States, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of US",
    text: "12015550123",
    country: "US",
    number: "+12015550123"
  },
  {
    kind: "without a plus sign",
    from: "Vietnam, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of VN",
    text: "84912345678",
    country: "VN",
    number: "+84912345678"
  },
  {
    kind: "without a plus sign",
    from: "South Africa, calling code typed without the plus sign",
    source: "libphonenumber 9, example number of ZA",
    text: "27711234567",
    country: "ZA",
    number: "+27711234567"
  },
  {
    kind: "without a plus sign",
    from: "Germany, every mobile number: 49 is also the area code of Leer",
    source: "ruimarinho/google-libphonenumber#348; google/libphonenumber#705",
    text: "4915123456789",
    country: "DE",
    number: null,
    reason: "ambiguous",
    readings: ["+494915123456789", "+4915123456789"]
  },
  {
    kind: "without a plus sign",
    from: "Germany, the national prefix in brackets behind a bare calling code",
    source: "google/libphonenumber#1067",
    text: "49(0)345279580",
    country: "DE",
    number: "+49345279580"
  },
  {
    kind: "without a plus sign",
    from: "Kosovo, every mobile number",
    source: "libphonenumber 9, example number of XK",
    text: "38343201234",
    country: "XK",
    number: null,
    reason: "ambiguous",
    readings: ["+38338343201234", "+38343201234"]
  },
  {
    kind: "without a plus sign",
    from: "Indonesia, a mobile number of nine digits",
    source: "libphonenumber 9, example number of ID",
    text: "62812345678",
    country: "ID",
    number: null,
    reason: "ambiguous",
    readings: ["+6262812345678", "+62812345678"]
  },
  {
    kind: "without a plus sign",
    from: "an export of Logto, which keeps digits",
    source: "logto-io/logto#8380",
    text: "4915123456789",
    number: null,
    reason: "country_needed",
    readings: ["+4915123456789"]
  },
  {
    kind: "without a plus sign",
    from: "a visitor from Germany on a page of France",
    source: "libphonenumber 9, example number of DE",
    text: "4915123456789",
    country: "FR",
    number: null,
    reason: "impossible",
    readings: ["+4915123456789"]
  },
  {
    kind: "from abroad",
    from: "Australia, 0011 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "0011 4915123456789",
    country: "AU",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "Brazil, 0015 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "0015 4915123456789",
    country: "BR",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "Belarus, 810 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "810 48512345678",
    country: "BY",
    number: "+48512345678"
  },
  {
    kind: "from abroad",
    from: "Colombia, 009 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "009 522221234567",
    country: "CO",
    number: "+522221234567"
  },
  {
    kind: "from abroad",
    from: "Cuba, 119 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "119 34612345678",
    country: "CU",
    number: "+34612345678"
  },
  {
    kind: "from abroad",
    from: "Finland, 990 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "990 46701234567",
    country: "FI",
    number: "+46701234567"
  },
  {
    kind: "from abroad",
    from: "Hong Kong SAR China, 001 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 8613123456789",
    country: "HK",
    number: "+8613123456789"
  },
  {
    kind: "from abroad",
    from: "Israel, 012 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "012 33612345678",
    country: "IL",
    number: "+33612345678"
  },
  {
    kind: "from abroad",
    from: "Japan, 010 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "010 821020000000",
    country: "JP",
    number: "+821020000000"
  },
  {
    kind: "from abroad",
    from: "Kenya, 000 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "000 447400123456",
    country: "KE",
    number: "+447400123456"
  },
  {
    kind: "from abroad",
    from: "Cambodia, 001 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 66812345678",
    country: "KH",
    number: "+66812345678"
  },
  {
    kind: "from abroad",
    from: "South Korea, 00700 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "00700 819012345678",
    country: "KR",
    number: "+819012345678"
  },
  {
    kind: "from abroad",
    from: "Kazakhstan, 810 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "810 79123456789",
    country: "KZ",
    number: "+79123456789"
  },
  {
    kind: "from abroad",
    from: "Mongolia, 001 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 8613123456789",
    country: "MN",
    number: "+8613123456789"
  },
  {
    kind: "from abroad",
    from: "Nigeria, 009 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "009 447400123456",
    country: "NG",
    number: "+447400123456"
  },
  {
    kind: "from abroad",
    from: "Russia, 810 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "810 4915123456789",
    country: "RU",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "Singapore, 001 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 60123456789",
    country: "SG",
    number: "+60123456789"
  },
  {
    kind: "from abroad",
    from: "Thailand, 001 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 8562023123456",
    country: "TH",
    number: "+8562023123456"
  },
  {
    kind: "from abroad",
    from: "Taiwan, 002 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "002 819012345678",
    country: "TW",
    number: "+819012345678"
  },
  {
    kind: "from abroad",
    from: "Tanzania, 000 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "000 254712123456",
    country: "TZ",
    number: "+254712123456"
  },
  {
    kind: "from abroad",
    from: "Uganda, 000 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "000 250720123456",
    country: "UG",
    number: "+250720123456"
  },
  {
    kind: "from abroad",
    from: "United States, 011 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "011 4915123456789",
    country: "US",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "Turkmenistan, 810 for the plus sign",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "810 79123456789",
    country: "TM",
    number: "+79123456789"
  },
  {
    kind: "from abroad",
    from: "Hong Kong, 00 typed for the plus sign, and 009 is a carrier's prefix there",
    source: "libphonenumber 9, internationalPrefix of HK",
    text: "0091 81234 56789",
    country: "HK",
    number: null,
    reason: "ambiguous",
    readings: ["+18123456789", "+918123456789"]
  },
  {
    kind: "from abroad",
    from: "Indonesia, 008 for the plus sign, which is also 00 and the 86 of China",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "008 6581234567",
    country: "ID",
    number: null,
    reason: "ambiguous",
    readings: ["+6581234567", "+86581234567"]
  },
  {
    kind: "from abroad",
    from: "Indonesia, 001 of another carrier, which is also 00 for the plus sign and the 1 of Jamaica",
    source: "ITU-T E.164, List of dialling procedures (Operational Bulletin 994 of 2011-12-15)",
    text: "001 6581234567",
    country: "ID",
    number: null,
    reason: "ambiguous",
    readings: ["+16581234567", "+6581234567"]
  },
  {
    kind: "from abroad",
    from: "Brazil, 00 and a carrier that the plan does not list",
    source: "libphonenumber 9, internationalPrefix of BR",
    text: "0017 49 1512 3456789",
    country: "BR",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "Hong Kong, 00 typed for the plus sign, where the other reading is no number",
    source: "libphonenumber 9, internationalPrefix of HK",
    text: "00971501234567",
    country: "HK",
    number: "+971501234567"
  },
  {
    kind: "from abroad",
    from: "Japan, 00 typed for the plus sign, and its plan has numbers of 00",
    source: "libphonenumber 9, plan of JP",
    text: "0033 6 12 34 56 78",
    country: "JP",
    number: "+33612345678"
  },
  {
    kind: "from abroad",
    from: "South Korea, 00 typed for the plus sign, and 003 is a carrier's prefix there",
    source: "libphonenumber 9, plan of KR",
    text: "0043 664 123456",
    country: "KR",
    number: null,
    reason: "ambiguous",
    readings: ["+43664123456", "+3664123456"]
  },
  {
    kind: "from abroad",
    from: "Singapore, 00 typed for the plus sign, and 002 is a carrier's prefix there",
    source: "libphonenumber 9, internationalPrefix of SG",
    text: "00243 991 234 567",
    country: "SG",
    number: null,
    reason: "ambiguous",
    readings: ["+43991234567", "+243991234567"]
  },
  {
    kind: "from abroad",
    from: "Australia, 00 typed for the plus sign, and 001 with a digit is a carrier's prefix there",
    source: "libphonenumber 9, internationalPrefix of AU",
    text: "001 684 733 1234",
    country: "AU",
    number: null,
    reason: "ambiguous",
    readings: ["+847331234", "+16847331234"]
  },
  {
    kind: "from abroad",
    from: "the United States, 00 typed for the plus sign",
    source: "iziz/libPhoneNumber-iOS#139",
    text: "0049 1512 3456789",
    country: "US",
    number: "+4915123456789"
  },
  {
    kind: "from abroad",
    from: "a page that asks for no country",
    source: "catamphetamine/libphonenumber-js#185",
    text: "0049 1512 3456789",
    number: null,
    reason: "country_needed",
    readings: ["+4915123456789"]
  },
  {
    kind: "from abroad",
    from: "a form that puts a plus sign before the 00 that was typed",
    source: "EasyPrefix of sign-up forms; google/libphonenumber#1076",
    text: "+0049 1512 3456789",
    number: "+4915123456789"
  },
  {
    kind: "as dialled",
    from: "Argentina, as it is dialled there",
    source: "libphonenumber 9, example number of AR, national format",
    text: "011 15-2345-6789",
    country: "AR",
    number: "+5491123456789"
  },
  {
    kind: "as dialled",
    from: "Austria, as it is dialled there",
    source: "libphonenumber 9, example number of AT, national format",
    text: "0664 123456",
    country: "AT",
    number: "+43664123456"
  },
  {
    kind: "as dialled",
    from: "Australia, as it is dialled there",
    source: "libphonenumber 9, example number of AU, national format",
    text: "0412 345 678",
    country: "AU",
    number: "+61412345678"
  },
  {
    kind: "as dialled",
    from: "Bangladesh, as it is dialled there",
    source: "libphonenumber 9, example number of BD, national format",
    text: "01812-345678",
    country: "BD",
    number: "+8801812345678"
  },
  {
    kind: "as dialled",
    from: "Belgium, as it is dialled there",
    source: "libphonenumber 9, example number of BE, national format",
    text: "0450 00 12 34",
    country: "BE",
    number: "+32450001234"
  },
  {
    kind: "as dialled",
    from: "Brazil, as it is dialled there",
    source: "libphonenumber 9, example number of BR, national format",
    text: "(11) 96123-4567",
    country: "BR",
    number: "+5511961234567"
  },
  {
    kind: "as dialled",
    from: "Belarus, as it is dialled there",
    source: "libphonenumber 9, example number of BY, national format",
    text: "8 029 491-19-11",
    country: "BY",
    number: "+375294911911"
  },
  {
    kind: "as dialled",
    from: "Switzerland, as it is dialled there",
    source: "libphonenumber 9, example number of CH, national format",
    text: "078 123 45 67",
    country: "CH",
    number: "+41781234567"
  },
  {
    kind: "as dialled",
    from: "Chile, as it is dialled there",
    source: "libphonenumber 9, example number of CL, national format",
    text: "(2) 2123 4567",
    country: "CL",
    number: "+56221234567"
  },
  {
    kind: "as dialled",
    from: "China, as it is dialled there",
    source: "libphonenumber 9, example number of CN, national format",
    text: "131 2345 6789",
    country: "CN",
    number: "+8613123456789"
  },
  {
    kind: "as dialled",
    from: "Colombia, as it is dialled there",
    source: "libphonenumber 9, example number of CO, national format",
    text: "321 1234567",
    country: "CO",
    number: "+573211234567"
  },
  {
    kind: "as dialled",
    from: "Germany, as it is dialled there",
    source: "libphonenumber 9, example number of DE, national format",
    text: "01512 3456789",
    country: "DE",
    number: "+4915123456789"
  },
  {
    kind: "as dialled",
    from: "Algeria, as it is dialled there",
    source: "libphonenumber 9, example number of DZ, national format",
    text: "0551 23 45 67",
    country: "DZ",
    number: "+213551234567"
  },
  {
    kind: "as dialled",
    from: "Egypt, as it is dialled there",
    source: "libphonenumber 9, example number of EG, national format",
    text: "010 01234567",
    country: "EG",
    number: "+201001234567"
  },
  {
    kind: "as dialled",
    from: "Finland, as it is dialled there",
    source: "libphonenumber 9, example number of FI, national format",
    text: "041 2345678",
    country: "FI",
    number: "+358412345678"
  },
  {
    kind: "as dialled",
    from: "France, as it is dialled there",
    source: "libphonenumber 9, example number of FR, national format",
    text: "06 12 34 56 78",
    country: "FR",
    number: "+33612345678"
  },
  {
    kind: "as dialled",
    from: "United Kingdom, as it is dialled there",
    source: "libphonenumber 9, example number of GB, national format",
    text: "07400 123456",
    country: "GB",
    number: "+447400123456"
  },
  {
    kind: "as dialled",
    from: "Ghana, as it is dialled there",
    source: "libphonenumber 9, example number of GH, national format",
    text: "023 123 4567",
    country: "GH",
    number: "+233231234567"
  },
  {
    kind: "as dialled",
    from: "Hungary, as it is dialled there",
    source: "libphonenumber 9, example number of HU, national format",
    text: "06 20 123 4567",
    country: "HU",
    number: "+36201234567"
  },
  {
    kind: "as dialled",
    from: "Indonesia, as it is dialled there",
    source: "libphonenumber 9, example number of ID, national format",
    text: "0812-345-678",
    country: "ID",
    number: "+62812345678"
  },
  {
    kind: "as dialled",
    from: "Ireland, as it is dialled there",
    source: "libphonenumber 9, example number of IE, national format",
    text: "085 012 3456",
    country: "IE",
    number: "+353850123456"
  },
  {
    kind: "as dialled",
    from: "Israel, as it is dialled there",
    source: "libphonenumber 9, example number of IL, national format",
    text: "050-234-5678",
    country: "IL",
    number: "+972502345678"
  },
  {
    kind: "as dialled",
    from: "India, as it is dialled there",
    source: "libphonenumber 9, example number of IN, national format",
    text: "081234 56789",
    country: "IN",
    number: "+918123456789"
  },
  {
    kind: "as dialled",
    from: "Iran, as it is dialled there",
    source: "libphonenumber 9, example number of IR, national format",
    text: "0912 345 6789",
    country: "IR",
    number: "+989123456789"
  },
  {
    kind: "as dialled",
    from: "Italy, as it is dialled there",
    source: "libphonenumber 9, example number of IT, national format",
    text: "312 345 6789",
    country: "IT",
    number: "+393123456789"
  },
  {
    kind: "as dialled",
    from: "Japan, as it is dialled there",
    source: "libphonenumber 9, example number of JP, national format",
    text: "090-1234-5678",
    country: "JP",
    number: "+819012345678"
  },
  {
    kind: "as dialled",
    from: "Kenya, as it is dialled there",
    source: "libphonenumber 9, example number of KE, national format",
    text: "0712 123456",
    country: "KE",
    number: "+254712123456"
  },
  {
    kind: "as dialled",
    from: "South Korea, as it is dialled there",
    source: "libphonenumber 9, example number of KR, national format",
    text: "010-2000-0000",
    country: "KR",
    number: "+821020000000"
  },
  {
    kind: "as dialled",
    from: "Lithuania, as it is dialled there",
    source: "libphonenumber 9, example number of LT, national format",
    text: "(0-612) 34567",
    country: "LT",
    number: "+37061234567"
  },
  {
    kind: "as dialled",
    from: "Latvia, as it is dialled there",
    source: "libphonenumber 9, example number of LV, national format",
    text: "21 234 567",
    country: "LV",
    number: "+37121234567"
  },
  {
    kind: "as dialled",
    from: "Morocco, as it is dialled there",
    source: "libphonenumber 9, example number of MA, national format",
    text: "06 50 12 34 56",
    country: "MA",
    number: "+212650123456"
  },
  {
    kind: "as dialled",
    from: "Myanmar (Burma), as it is dialled there",
    source: "libphonenumber 9, example number of MM, national format",
    text: "09 212 3456",
    country: "MM",
    number: "+9592123456"
  },
  {
    kind: "as dialled",
    from: "Mexico, as it is dialled there",
    source: "libphonenumber 9, example number of MX, national format",
    text: "222 123 4567",
    country: "MX",
    number: "+522221234567"
  },
  {
    kind: "as dialled",
    from: "Malaysia, as it is dialled there",
    source: "libphonenumber 9, example number of MY, national format",
    text: "012-345 6789",
    country: "MY",
    number: "+60123456789"
  },
  {
    kind: "as dialled",
    from: "Nigeria, as it is dialled there",
    source: "libphonenumber 9, example number of NG, national format",
    text: "0802 123 4567",
    country: "NG",
    number: "+2348021234567"
  },
  {
    kind: "as dialled",
    from: "Netherlands, as it is dialled there",
    source: "libphonenumber 9, example number of NL, national format",
    text: "06 12345678",
    country: "NL",
    number: "+31612345678"
  },
  {
    kind: "as dialled",
    from: "Nepal, as it is dialled there",
    source: "libphonenumber 9, example number of NP, national format",
    text: "984-1234567",
    country: "NP",
    number: "+9779841234567"
  },
  {
    kind: "as dialled",
    from: "New Zealand, as it is dialled there",
    source: "libphonenumber 9, example number of NZ, national format",
    text: "021 123 4567",
    country: "NZ",
    number: "+64211234567"
  },
  {
    kind: "as dialled",
    from: "Peru, as it is dialled there",
    source: "libphonenumber 9, example number of PE, national format",
    text: "912 345 678",
    country: "PE",
    number: "+51912345678"
  },
  {
    kind: "as dialled",
    from: "Philippines, as it is dialled there",
    source: "libphonenumber 9, example number of PH, national format",
    text: "0905 123 4567",
    country: "PH",
    number: "+639051234567"
  },
  {
    kind: "as dialled",
    from: "Pakistan, as it is dialled there",
    source: "libphonenumber 9, example number of PK, national format",
    text: "0301 2345678",
    country: "PK",
    number: "+923012345678"
  },
  {
    kind: "as dialled",
    from: "Poland, as it is dialled there",
    source: "libphonenumber 9, example number of PL, national format",
    text: "512 345 678",
    country: "PL",
    number: "+48512345678"
  },
  {
    kind: "as dialled",
    from: "Portugal, as it is dialled there",
    source: "libphonenumber 9, example number of PT, national format",
    text: "912 345 678",
    country: "PT",
    number: "+351912345678"
  },
  {
    kind: "as dialled",
    from: "Serbia, as it is dialled there",
    source: "libphonenumber 9, example number of RS, national format",
    text: "060 1234567",
    country: "RS",
    number: "+381601234567"
  },
  {
    kind: "as dialled",
    from: "Russia, as it is dialled there",
    source: "libphonenumber 9, example number of RU, national format",
    text: "8 (912) 345-67-89",
    country: "RU",
    number: "+79123456789"
  },
  {
    kind: "as dialled",
    from: "Sweden, as it is dialled there",
    source: "libphonenumber 9, example number of SE, national format",
    text: "070-123 45 67",
    country: "SE",
    number: "+46701234567"
  },
  {
    kind: "as dialled",
    from: "Thailand, as it is dialled there",
    source: "libphonenumber 9, example number of TH, national format",
    text: "081 234 5678",
    country: "TH",
    number: "+66812345678"
  },
  {
    kind: "as dialled",
    from: "Turkmenistan, as it is dialled there",
    source: "libphonenumber 9, example number of TM, national format",
    text: "8 66 123456",
    country: "TM",
    number: "+99366123456"
  },
  {
    kind: "as dialled",
    from: "Türkiye, as it is dialled there",
    source: "libphonenumber 9, example number of TR, national format",
    text: "0501 234 56 78",
    country: "TR",
    number: "+905012345678"
  },
  {
    kind: "as dialled",
    from: "Taiwan, as it is dialled there",
    source: "libphonenumber 9, example number of TW, national format",
    text: "0912 345 678",
    country: "TW",
    number: "+886912345678"
  },
  {
    kind: "as dialled",
    from: "Ukraine, as it is dialled there",
    source: "libphonenumber 9, example number of UA, national format",
    text: "050 123 4567",
    country: "UA",
    number: "+380501234567"
  },
  {
    kind: "as dialled",
    from: "United States, as it is dialled there",
    source: "libphonenumber 9, example number of US, national format",
    text: "(201) 555-0123",
    country: "US",
    number: "+12015550123"
  },
  {
    kind: "as dialled",
    from: "Uzbekistan, as it is dialled there",
    source: "libphonenumber 9, example number of UZ, national format",
    text: "91 234 56 78",
    country: "UZ",
    number: "+998912345678"
  },
  {
    kind: "as dialled",
    from: "Venezuela, as it is dialled there",
    source: "libphonenumber 9, example number of VE, national format",
    text: "0412-1234567",
    country: "VE",
    number: "+584121234567"
  },
  {
    kind: "as dialled",
    from: "Vietnam, as it is dialled there",
    source: "libphonenumber 9, example number of VN, national format",
    text: "0912 345 678",
    country: "VN",
    number: "+84912345678"
  },
  {
    kind: "as dialled",
    from: "South Africa, as it is dialled there",
    source: "libphonenumber 9, example number of ZA, national format",
    text: "071 123 4567",
    country: "ZA",
    number: "+27711234567"
  },
  {
    kind: "as dialled",
    from: "Italy, a landline, whose 0 is part of it",
    source: "ITU-T E.164, plan of Italy",
    text: "06 1234 5678",
    country: "IT",
    number: "+390612345678"
  },
  {
    kind: "as dialled",
    from: "a letterhead in the United Kingdom",
    source: "libphonenumber FAQ; Ofcom's numbers for drama",
    text: "+44 (0)20 7946 0123",
    number: "+442079460123"
  },
  {
    kind: "as dialled",
    from: "a letterhead in Italy, where the 0 belongs to the number",
    source: "ITU-T E.164, plan of Italy",
    text: "+39 (0)6 1234 5678",
    number: "+390612345678"
  },
  {
    kind: "as dialled",
    from: "a letterhead in Italy that puts (0) before a mobile number",
    source: "ITU-T E.164, plan of Italy",
    text: "+39 (0)312 345 6789",
    number: null,
    reason: "ambiguous",
    readings: ["+3903123456789", "+393123456789"]
  },
  {
    kind: "as dialled",
    from: "the national prefix behind the calling code, as phones of the address book keep it",
    source: "whisperfish/rust-phonenumber#81",
    text: "+330612345678",
    number: "+33612345678"
  },
  {
    kind: "as dialled",
    from: "Argentina's 15 behind the area code",
    source: "libphonenumber FAQ, Argentina",
    text: "+54 11 15 2345 6789",
    number: "+5491123456789"
  },
  {
    kind: "as dialled",
    from: "Russia's 8 behind +7",
    source: "ITU-T E.164, plan of Russia",
    text: "+7 8 912 345 67 89",
    number: "+79123456789"
  },
  {
    kind: "digits and plus signs",
    from: "Egypt, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-EG",
    text: "٠١٠ ٠١٢٣٤٥٦٧",
    country: "EG",
    number: "+201001234567"
  },
  {
    kind: "digits and plus signs",
    from: "Saudi Arabia, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-SA",
    text: "٠٥١ ٢٣٤ ٥٦٧٨",
    country: "SA",
    number: "+966512345678"
  },
  {
    kind: "digits and plus signs",
    from: "Iraq, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-IQ",
    text: "٠٧٩١ ٢٣٤ ٥٦٧٨",
    country: "IQ",
    number: "+9647912345678"
  },
  {
    kind: "digits and plus signs",
    from: "Jordan, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-JO",
    text: "٠٧ ٩٠١٢ ٣٤٥٦",
    country: "JO",
    number: "+962790123456"
  },
  {
    kind: "digits and plus signs",
    from: "Kuwait, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-KW",
    text: "٥٠٠ ١٢٣٤٥",
    country: "KW",
    number: "+96550012345"
  },
  {
    kind: "digits and plus signs",
    from: "Qatar, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-QA",
    text: "٣٣١٢ ٣٤٥٦",
    country: "QA",
    number: "+97433123456"
  },
  {
    kind: "digits and plus signs",
    from: "Bahrain, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-BH",
    text: "٣٦٠٠ ١٢٣٤",
    country: "BH",
    number: "+97336001234"
  },
  {
    kind: "digits and plus signs",
    from: "Oman, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-OM",
    text: "٩٢١٢ ٣٤٥٦",
    country: "OM",
    number: "+96892123456"
  },
  {
    kind: "digits and plus signs",
    from: "Yemen, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-YE",
    text: "٠٧١٢ ٣٤٥ ٦٧٨",
    country: "YE",
    number: "+967712345678"
  },
  {
    kind: "digits and plus signs",
    from: "Sudan, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-SD",
    text: "٠٩١ ١٢٣ ١٢٣٤",
    country: "SD",
    number: "+249911231234"
  },
  {
    kind: "digits and plus signs",
    from: "Syria, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-SY",
    text: "+٩٦٣ ٩٤٤ ٥٦٧ ٨٩٠",
    number: "+963944567890"
  },
  {
    kind: "digits and plus signs",
    from: "Lebanon, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-LB",
    text: "+٩٦١ ٧١ ١٢٣ ٤٥٦",
    number: "+96171123456"
  },
  {
    kind: "digits and plus signs",
    from: "Palestinian Territories, a keyboard with Arabic digits",
    source: "Unicode CLDR, native digits of ar-PS",
    text: "٠٥٩٩ ١٢٣ ٤٥٦",
    country: "PS",
    number: "+970599123456"
  },
  {
    kind: "digits and plus signs",
    from: "Iran, a keyboard with Persian digits",
    source: "Unicode CLDR, native digits of fa-IR",
    text: "+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹",
    number: "+989123456789"
  },
  {
    kind: "digits and plus signs",
    from: "Afghanistan, a keyboard with Persian digits",
    source: "Unicode CLDR, native digits of ps-AF",
    text: "۰۷۰ ۱۲۳ ۴۵۶۷",
    country: "AF",
    number: "+93701234567"
  },
  {
    kind: "digits and plus signs",
    from: "Pakistan, a keyboard with Urdu digits",
    source: "Unicode CLDR, native digits of ur-PK",
    text: "۰۳۰۱ ۲۳۴۵۶۷۸",
    country: "PK",
    number: "+923012345678"
  },
  {
    kind: "digits and plus signs",
    from: "India, a keyboard with Devanagari digits",
    source: "Unicode CLDR, native digits of hi-IN",
    text: "+९१ ८१२३४ ५६७८९",
    number: "+918123456789"
  },
  {
    kind: "digits and plus signs",
    from: "Nepal, a keyboard with Devanagari digits",
    source: "Unicode CLDR, native digits of ne-NP",
    text: "९८४-१२३४५६७",
    country: "NP",
    number: "+9779841234567"
  },
  {
    kind: "digits and plus signs",
    from: "Bangladesh, a keyboard with Bengali digits",
    source: "Unicode CLDR, native digits of bn-BD",
    text: "০১৮১২-৩৪৫৬৭৮",
    country: "BD",
    number: "+8801812345678"
  },
  {
    kind: "digits and plus signs",
    from: "Bhutan, a keyboard with Tibetan digits",
    source: "Unicode CLDR, native digits of dz-BT",
    text: "༡༧ ༡༢ ༣༤ ༥༦",
    country: "BT",
    number: "+97517123456"
  },
  {
    kind: "digits and plus signs",
    from: "Myanmar (Burma), a keyboard with Burmese digits",
    source: "Unicode CLDR, native digits of my-MM",
    text: "၀၉ ၂၁၂ ၃၄၅၆",
    country: "MM",
    number: "+9592123456"
  },
  {
    kind: "digits and plus signs",
    from: "Cambodia, a keyboard with Khmer digits",
    source: "Unicode CLDR, native digits of km-KH",
    text: "០៩១ ២៣៤ ៥៦៧",
    country: "KH",
    number: "+85591234567"
  },
  {
    kind: "digits and plus signs",
    from: "Laos, a keyboard with Lao digits",
    source: "Unicode CLDR, native digits of lo-LA",
    text: "໐໒໐ ໒໓ ໑໒໓ ໔໕໖",
    country: "LA",
    number: "+8562023123456"
  },
  {
    kind: "digits and plus signs",
    from: "Thailand, a keyboard with Thai digits",
    source: "Unicode CLDR, native digits of th-TH",
    text: "+๖๖ ๘๑ ๒๓๔ ๕๖๗๘",
    number: "+66812345678"
  },
  {
    kind: "digits and plus signs",
    from: "Sri Lanka, a keyboard with Tamil digits",
    source: "Unicode CLDR, native digits of ta-LK",
    text: "௦௭௧ ௨௩௪ ௫௬௭௮",
    country: "LK",
    number: "+94712345678"
  },
  {
    kind: "digits and plus signs",
    from: "Mongolia, a keyboard with Mongolian digits",
    source: "Unicode CLDR, native digits of mn-MN",
    text: "᠘᠘᠑᠒ ᠓᠔᠕᠖",
    country: "MN",
    number: "+97688123456"
  },
  {
    kind: "digits and plus signs",
    from: "Guinea, a keyboard with N'Ko digits",
    source: "Unicode CLDR, native digits of nqo-GN",
    text: "߆߀߁ ߁߂ ߃߄ ߅߆",
    country: "GN",
    number: "+224601123456"
  },
  {
    kind: "digits and plus signs",
    from: "Senegal, a keyboard with Adlam digits",
    source: "Unicode CLDR, native digits of ff-Adlm-SN",
    text: "𞥗𞥐 𞥑𞥒𞥓 𞥔𞥕 𞥖𞥗",
    country: "SN",
    number: "+221701234567"
  },
  {
    kind: "digits and plus signs",
    from: "Indonesia, a keyboard with Javanese digits",
    source: "Unicode CLDR, native digits of jv-ID",
    text: "꧐꧘꧑꧒-꧓꧔꧕-꧖꧗꧘",
    country: "ID",
    number: "+62812345678"
  },
  {
    kind: "digits and plus signs",
    from: "Japan, a keyboard left in full width",
    source: "google/libphonenumber, PLUS_CHARS; Unicode U+FF0B",
    text: "＋８１\u3000９０\u3000１２３４\u3000５６７８",
    country: "US",
    number: "+819012345678"
  },
  {
    kind: "digits and plus signs",
    from: "Japan, the long vowel mark typed for a hyphen",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+30FC)",
    text: "０９０ー１２３４ー５６７８",
    country: "JP",
    number: "+819012345678"
  },
  {
    kind: "digits and plus signs",
    from: "China, full-width plus before ASCII digits",
    source: "google/libphonenumber, PLUS_CHARS",
    text: "＋8613123456789",
    country: "DE",
    number: "+8613123456789"
  },
  {
    kind: "digits and plus signs",
    from: "Taiwan, full-width brackets",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "（０２）２１２３－４５６７",
    country: "TW",
    number: "+886221234567"
  },
  {
    kind: "digits and plus signs",
    from: "South Korea, full-width digits with a full stop of full width",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "０１０．２０００．００００",
    country: "KR",
    number: "+821020000000"
  },
  {
    kind: "digits and plus signs",
    from: "Hong Kong, full-width plus from a page of Germany",
    source: "google/libphonenumber, PLUS_CHARS",
    text: "＋８５２ 5123 4567",
    country: "DE",
    number: "+85251234567"
  },
  {
    kind: "digits and plus signs",
    from: "Macao, small plus sign",
    source: "Unicode U+FE62",
    text: "﹢853 6612 3456",
    country: "CN",
    number: "+85366123456"
  },
  {
    kind: "digits and plus signs",
    from: "a web page that raises the plus sign",
    source: "Unicode U+207A",
    text: "⁺44 7400 123456",
    country: "DE",
    number: "+447400123456"
  },
  {
    kind: "digits and plus signs",
    from: "a web page that lowers the plus sign",
    source: "Unicode U+208A",
    text: "₊1 650 253 0000",
    country: "DE",
    number: "+16502530000"
  },
  {
    kind: "digits and plus signs",
    from: "a chat whose keyboard offers the heavy plus sign",
    source: "Unicode U+2795",
    text: "➕49 1512 3456789",
    country: "US",
    number: "+4915123456789"
  },
  {
    kind: "digits and plus signs",
    from: "a fancy profile in digits of mathematics",
    source: "Unicode U+1D7D8",
    text: "+𝟙 𝟚𝟘𝟚 𝟝𝟝𝟝 𝟘𝟙𝟚𝟛",
    number: "+12025550123"
  },
  {
    kind: "marks and separators",
    from: "United Kingdom: Apple's contacts, U+202D and U+202C around the number",
    source: "verbb/hyper#86",
    text: "\u202d+447400123456\u202c",
    number: "+447400123456"
  },
  {
    kind: "marks and separators",
    from: "Russia: a form that keeps U+200E in front",
    source: "contao/core#8434",
    text: "\u200e+79123456789",
    number: "+79123456789"
  },
  {
    kind: "marks and separators",
    from: "Israel: WhatsApp Web from right to left, U+200F behind",
    source: "nhoizey/vscode-gremlins#204",
    text: "+972502345678\u200f",
    number: "+972502345678"
  },
  {
    kind: "marks and separators",
    from: "Germany: Signal for Android, U+2068 and U+2069 around it",
    source: "signalapp/Signal-Android#11630",
    text: "\u2068+49 1512 3456789\u2069",
    number: "+4915123456789"
  },
  {
    kind: "marks and separators",
    from: "India: an import of contacts, U+202A and U+202C",
    source: "glific/glific#4815",
    text: "\u202a+918123456789\u202c",
    number: "+918123456789"
  },
  {
    kind: "marks and separators",
    from: "Nepal: a report by SMS, U+200D between digits",
    source: "medic/cht-core#7654",
    text: "+9779\u200d841234567",
    number: "+9779841234567"
  },
  {
    kind: "marks and separators",
    from: "Sri Lanka: a report by SMS, U+200C between digits",
    source: "medic/cht-core#7654",
    text: "+9471\u200c2345678",
    number: "+94712345678"
  },
  {
    kind: "marks and separators",
    from: "United States: a checkout, a variation selector from a PDF (U+FE0D)",
    source: "woocommerce/woocommerce#58000",
    text: "+1201\ufe0d5550123",
    number: "+12015550123"
  },
  {
    kind: "marks and separators",
    from: "South Korea: a checkout, a Hangul filler (U+3164)",
    source: "woocommerce/woocommerce#68164",
    text: "+8210\u316420000000",
    number: "+821020000000"
  },
  {
    kind: "marks and separators",
    from: "Japan: a half-width Hangul filler (U+FFA0)",
    source: "woocommerce/woocommerce#68164",
    text: "+8190\uffa012345678",
    number: "+819012345678"
  },
  {
    kind: "marks and separators",
    from: "Canada: U+2066 and U+2069 around it",
    source: "woocommerce/woocommerce#68164",
    text: "\u2066+15062345678\u2069",
    number: "+15062345678"
  },
  {
    kind: "marks and separators",
    from: "Mexico: U+200B, the blank without width",
    source: "Unicode, chapter 23.2",
    text: "+5222\u200b21234567",
    number: "+522221234567"
  },
  {
    kind: "marks and separators",
    from: "Brazil: U+FEFF from the first line of a file",
    source: "Unicode, chapter 23.8",
    text: "\ufeff+5511961234567",
    number: "+5511961234567"
  },
  {
    kind: "marks and separators",
    from: "Argentina: U+2060, the word joiner",
    source: "woocommerce/woocommerce#56402",
    text: "+5491\u2060123456789",
    number: "+5491123456789"
  },
  {
    kind: "marks and separators",
    from: "Spain: U+00AD, the soft hyphen",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+3461\u00ad2345678",
    number: "+34612345678"
  },
  {
    kind: "marks and separators",
    from: "Egypt: U+061C, the Arabic letter mark",
    source: "Unicode, UAX #9",
    text: "\u061c+201001234567",
    number: "+201001234567"
  },
  {
    kind: "marks and separators",
    from: "Mongolia: U+180E, the Mongolian vowel separator",
    source: "Unicode, chapter 13.5",
    text: "+9768\u180e8123456",
    number: "+97688123456"
  },
  {
    kind: "marks and separators",
    from: "Poland: U+034F, the combining grapheme joiner",
    source: "Unicode, chapter 23.2",
    text: "+4851\u034f2345678",
    number: "+48512345678"
  },
  {
    kind: "marks and separators",
    from: "Norway: a tag character (U+E0020)",
    source: "woocommerce/woocommerce#52012",
    text: "+4740\u{e0020}612345",
    number: "+4740612345"
  },
  {
    kind: "marks and separators",
    from: "Philippines: digits as keycaps",
    source: "Unicode, UTS #51",
    text: "+6\ufe0f\u20e33\ufe0f\u20e39\ufe0f\u20e30\ufe0f\u20e35\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34\ufe0f\u20e35\ufe0f\u20e36\ufe0f\u20e37\ufe0f\u20e3",
    number: "+639051234567"
  },
  {
    kind: "marks and separators",
    from: "France: U+202F, as French numbers are grouped",
    source: "Unicode CLDR, fr",
    text: "+33\u202f6\u202f12\u202f34\u202f56\u202f78",
    number: "+33612345678"
  },
  {
    kind: "marks and separators",
    from: "Czechia: U+00A0, as copied from a page",
    source: "woocommerce/woocommerce#52012",
    text: "+420\u00a0601\u00a0123\u00a0456",
    number: "+420601123456"
  },
  {
    kind: "marks and separators",
    from: "China: U+3000, the ideographic blank",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+86\u3000131\u30002345\u30006789",
    number: "+8613123456789"
  },
  {
    kind: "marks and separators",
    from: "Sweden: U+2009, the thin blank",
    source: "Unicode, chapter 6.2",
    text: "+46\u200970\u2009123\u200945\u200967",
    number: "+46701234567"
  },
  {
    kind: "marks and separators",
    from: "Finland: U+2007, the figure blank",
    source: "Unicode, chapter 6.2",
    text: "+358\u200741\u20072345678",
    number: "+358412345678"
  },
  {
    kind: "marks and separators",
    from: "Türkiye: a tab behind, from a table",
    source: "a cell of a spreadsheet, as TSV",
    text: "+905012345678\t",
    number: "+905012345678"
  },
  {
    kind: "marks and separators",
    from: "Italy: a line end behind, from a text file",
    source: "a line of a file",
    text: "+393123456789\r\n",
    number: "+393123456789"
  },
  {
    kind: "marks and separators",
    from: "Vietnam: a line in two lines (U+2028)",
    source: "Unicode, chapter 5.8",
    text: "+84\u2028912 345 678",
    number: "+84912345678"
  },
  {
    kind: "marks and separators",
    from: "Netherlands: U+2010, the hyphen",
    source: "Unicode, chapter 6.2",
    text: "+31‐6‐12345678",
    number: "+31612345678"
  },
  {
    kind: "marks and separators",
    from: "Belgium: dots",
    source: "fr.wikipedia.org, Numéro de téléphone",
    text: "+32.450.00.12.34",
    number: "+32450001234"
  },
  {
    kind: "marks and separators",
    from: "Hungary: U+2013, a dash of a word processor",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+36–20–123–4567",
    number: "+36201234567"
  },
  {
    kind: "marks and separators",
    from: "Portugal: U+2212, the minus sign",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+351−912−345−678",
    number: "+351912345678"
  },
  {
    kind: "marks and separators",
    from: "Austria: a slash behind the area code",
    source: "DIN 5008, before 2001",
    text: "+43 664/123456",
    number: "+43664123456"
  },
  {
    kind: "marks and separators",
    from: "Switzerland: apostrophes, as numbers are grouped there",
    source: "Unicode CLDR, de-CH",
    text: "+41’78’123’45’67",
    number: "+41781234567"
  },
  {
    kind: "marks and separators",
    from: "Ukraine: a tilde",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+380~50 123 4567",
    number: "+380501234567"
  },
  {
    kind: "marks and separators",
    from: "Denmark: middle dots",
    source: "a letterhead",
    text: "+45·34·41·23·45",
    number: "+4534412345"
  },
  {
    kind: "marks and separators",
    from: "Thailand: the plus sign in brackets",
    source: "google/libphonenumber, VALID_START_CHAR",
    text: "(+66)81-234-5678",
    number: "+66812345678"
  },
  {
    kind: "marks and separators",
    from: "Australia: the calling code in brackets behind the plus sign",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+(61) 412 345 678",
    number: "+61412345678"
  },
  {
    kind: "marks and separators",
    from: "South Africa: two plus signs",
    source: "google/libphonenumber, PLUS_CHARS_PATTERN",
    text: "++27711234567",
    number: "+27711234567"
  },
  {
    kind: "marks and separators",
    from: "Chile: a blank behind the plus sign",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+ 56 2 2123 4567",
    number: "+56221234567"
  },
  {
    kind: "marks and separators",
    from: "Liechtenstein: apostrophes of ASCII",
    source: "Unicode CLDR, de-LI",
    text: "+423'660'234'567",
    number: "+423660234567"
  },
  {
    kind: "marks and separators",
    from: "Romania: a control character (U+0010)",
    source: "woocommerce/woocommerce#52012",
    text: "+4071\u00102034567",
    number: "+40712034567"
  },
  {
    kind: "marks and separators",
    from: "Hong Kong SAR China: a slash of full width",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+FF0F)",
    text: "+852 5123／4567",
    number: "+85251234567"
  },
  {
    kind: "marks and separators",
    from: "Taiwan: square brackets of full width",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+FF3B)",
    text: "+886 ［912］ 345 678",
    number: "+886912345678"
  },
  {
    kind: "marks and separators",
    from: "Macao SAR China: a tilde of full width",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+FF5E)",
    text: "+853 6612～3456",
    number: "+85366123456"
  },
  {
    kind: "marks and separators",
    from: "Singapore: a swung dash",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+2053)",
    text: "+65 8123⁓4567",
    number: "+6581234567"
  },
  {
    kind: "marks and separators",
    from: "Malaysia: a tilde operator",
    source: "google/libphonenumber, VALID_PUNCTUATION (U+223C)",
    text: "+60 12 345∼6789",
    number: "+60123456789"
  },
  {
    kind: "marks and separators",
    from: "Colombia: square brackets",
    source: "google/libphonenumber, VALID_PUNCTUATION",
    text: "+57 [321] 1234567",
    number: "+573211234567"
  },
  {
    kind: "links and extensions",
    from: "a tel: link of a page",
    source: "RFC 3966, section 3",
    text: "tel:+49-1512-3456789",
    number: "+4915123456789"
  },
  {
    kind: "links and extensions",
    from: "a tel: link with escaped blanks",
    source: "RFC 3966, section 3; RFC 3986, section 2.1",
    text: "TEL:%2B49%201512%203456789",
    number: "+4915123456789"
  },
  {
    kind: "links and extensions",
    from: "a local number with its context",
    source: "RFC 3966, section 5.1.5",
    text: "tel:1512-3456789;phone-context=+49",
    number: "+4915123456789"
  },
  {
    kind: "links and extensions",
    from: "a local number whose context is a domain",
    source: "RFC 3966, section 5.1.5",
    text: "tel:0151-23456789;phone-context=example.com",
    country: "DE",
    number: "+4915123456789"
  },
  {
    kind: "links and extensions",
    from: "a link with an extension",
    source: "RFC 3966, section 5.1.4",
    text: "tel:+1-202-555-0123;ext=15",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a link with an ISDN subaddress",
    source: "RFC 3966, section 5.1.3",
    text: "tel:+4915123456789;isub=1411",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "an address book of the United States",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+1 202 555 0123 ext. 5",
    country: "US",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "an address book of Russia",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+7 495 123-45-67 доб. 15",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a letterhead of France",
    source: "ITU-T E.123, section 4",
    text: "+33 1 23 45 67 89 poste 12",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "an x before the extension",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+1 202 555 0123 x5",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a pause of an address book",
    source: "Android, PhoneNumberUtils.PAUSE",
    text: "+12025550123,,5",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a wait of an address book",
    source: "Android, PhoneNumberUtils.WAIT",
    text: "+12025550123;5",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a number sign before the extension",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+1 202 555 0123 #5",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "an x of full width before the extension",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+1 202 555 0123 ｘ5",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "an address book of Peru",
    source: "google/libphonenumber, EXTN_PATTERNS",
    text: "+51 1 234 5678 anexo 12",
    number: null,
    reason: "extension"
  },
  {
    kind: "links and extensions",
    from: "a number of letters",
    source: "ITU-T E.161",
    text: "1-800-FLOWERS",
    country: "US",
    number: null,
    reason: "no_number"
  },
  {
    kind: "links and extensions",
    from: "two numbers in one field",
    source: "ITU-T E.123, section 5",
    text: "+4915123456789 / +4915123456780",
    number: null,
    reason: "no_number"
  },
  {
    kind: "links and extensions",
    from: "an address of mail",
    source: "a sign-in form for both",
    text: "ann@example.com",
    country: "DE",
    number: null,
    reason: "no_number"
  },
  {
    kind: "links and extensions",
    from: "the short number of a service",
    source: "ITU-T E.164, section 3",
    text: "110",
    country: "DE",
    number: null,
    reason: "impossible"
  },
  {
    kind: "links and extensions",
    from: "an empty field",
    source: "a form without checks",
    text: "  ",
    country: "DE",
    number: null,
    reason: "no_number"
  },
  {
    kind: "old plans",
    from: "Mexico",
    source: "chatwoot/chatwoot#14174: Meta and Twilio send it",
    text: "+52 1 55 1234 5678",
    number: "+525512345678"
  },
  {
    kind: "old plans",
    from: "Mexico",
    source: "IFT, Plan Técnico Fundamental de Numeración, 2019-08-03",
    text: "044 55 1234 5678",
    country: "MX",
    number: "+525512345678"
  },
  {
    kind: "old plans",
    from: "Mexico",
    source: "IFT, Plan Técnico Fundamental de Numeración, 2019-08-03",
    text: "045 55 1234 5678",
    country: "MX",
    number: "+525512345678"
  },
  {
    kind: "old plans",
    from: "Mexico",
    source: "eluniversal.com.mx of 2019-08-04",
    text: "01 55 1234 5678",
    country: "MX",
    number: "+525512345678"
  },
  {
    kind: "old plans",
    from: "Benin",
    source: "floere/phony#535, mobi/telephone_number#138",
    text: "+229 97 12 34 56",
    number: "+2290197123456"
  },
  {
    kind: "old plans",
    from: "Brazil",
    source: "google/libphonenumber#1675",
    text: "(11) 8765-4321",
    country: "BR",
    number: "+5511987654321"
  },
  {
    kind: "old plans",
    from: "Brazil",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+55 81 9104-2155",
    number: "+5581991042155"
  },
  {
    kind: "old plans",
    from: "Brazil",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+55 31 6404-2155",
    number: "+5531964042155"
  },
  {
    kind: "old plans",
    from: "Côte d’Ivoire",
    source: "ouattararomuald/numbering-plan, README",
    text: "+225 01 23 45 67",
    number: "+2250101234567"
  },
  {
    kind: "old plans",
    from: "Côte d’Ivoire",
    source: "ouattararomuald/numbering-plan, README",
    text: "04 06 07 09",
    country: "CI",
    number: "+2250504060709"
  },
  {
    kind: "old plans",
    from: "Côte d’Ivoire",
    source: "ouattararomuald/numbering-plan, README",
    text: "+225 08 06 07 09",
    number: "+2250708060709"
  },
  {
    kind: "old plans",
    from: "Chile",
    source: "google/libphonenumber#1255",
    text: "+56 2 237 0623",
    number: "+56222370623"
  },
  {
    kind: "old plans",
    from: "Cameroon",
    source: "google/libphonenumber#1051",
    text: "+237 95 12 34 56",
    number: "+237695123456"
  },
  {
    kind: "old plans",
    from: "Cameroon",
    source: "medic/cht-core#802",
    text: "22 12 34 56",
    country: "CM",
    number: "+237222123456"
  },
  {
    kind: "old plans",
    from: "Colombia",
    source: "radionacional.co, CRC resolution 5826",
    text: "+57 1 228 1260",
    number: "+576012281260"
  },
  {
    kind: "old plans",
    from: "Costa Rica",
    source: "insidecostarica.com of 2008-03-20",
    text: "+506 831 2345",
    number: "+50688312345"
  },
  {
    kind: "old plans",
    from: "Costa Rica",
    source: "insidecostarica.com of 2008-03-20",
    text: "221 2345",
    country: "CR",
    number: "+50622212345"
  },
  {
    kind: "old plans",
    from: "Ecuador",
    source: "vayaadventures.com of 2012-11-28",
    text: "+593 9 912 3456",
    number: "+593999123456"
  },
  {
    kind: "old plans",
    from: "Ecuador",
    source: "vayaadventures.com of 2012-11-28",
    text: "08 912 3456",
    country: "EC",
    number: "+593989123456"
  },
  {
    kind: "old plans",
    from: "Egypt",
    source: "tra.gov.eg news 186",
    text: "010 123 4567",
    country: "EG",
    number: "+201001234567"
  },
  { kind: "old plans", from: "Egypt", source: "tra.gov.eg news 186", text: "+20 11 123 4567", number: "+201111234567" },
  { kind: "old plans", from: "Egypt", source: "tra.gov.eg news 186", text: "+20 17 123 4567", number: "+201271234567" },
  {
    kind: "old plans",
    from: "Gabon",
    source: "agenceafrique.com of 2019-07",
    text: "07 28 01 50",
    country: "GA",
    number: "+24177280150"
  },
  {
    kind: "old plans",
    from: "Gabon",
    source: "agenceafrique.com of 2019-07",
    text: "+241 6 11 11 11",
    number: "+24166111111"
  },
  {
    kind: "old plans",
    from: "Gabon",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+241 01 44 12 34",
    number: "+24111441234"
  },
  {
    kind: "old plans",
    from: "Georgia",
    source: "en.wikipedia.org, Telephone numbers in Georgia (country)",
    text: "+995 77 12 34 56",
    number: "+995577123456"
  },
  {
    kind: "old plans",
    from: "Georgia",
    source: "en.wikipedia.org, Telephone numbers in Georgia (country)",
    text: "+995 90 12 34 56",
    number: "+995790123456"
  },
  {
    kind: "old plans",
    from: "Greece",
    source: "google/libphonenumber#532",
    text: "+30 971000000",
    number: "+306971000000"
  },
  {
    kind: "old plans",
    from: "Honduras",
    source: "amcostaricaarchives.com of October 2010",
    text: "+504 234 5678",
    number: "+50422345678"
  },
  {
    kind: "old plans",
    from: "Morocco",
    source: "maghress.com/alittihad/86457",
    text: "+212 61 23 45 67",
    number: "+212661234567"
  },
  {
    kind: "old plans",
    from: "Morocco",
    source: "bladi.net of 2008-07-31",
    text: "023 65 55 55",
    country: "MA",
    number: "+212523655555"
  },
  {
    kind: "old plans",
    from: "Mauritius",
    source: "blog.irshaad.me, 5 at start of Mauritian mobile numbers",
    text: "751 2345",
    country: "MU",
    number: "+23057512345"
  },
  {
    kind: "old plans",
    from: "Mauritius",
    source: "commsupdate.com of 2013-09-02",
    text: "+230 251 2345",
    number: "+23052512345"
  },
  {
    kind: "old plans",
    from: "Qatar",
    source: "cra.gov.qa of 2010-03-28",
    text: "+974 441 2345",
    number: "+97444412345"
  },
  {
    kind: "old plans",
    from: "Qatar",
    source: "cra.gov.qa of 2010-03-28",
    text: "312 3456",
    country: "QA",
    number: "+97433123456"
  },
  {
    kind: "old plans",
    from: "Saudi Arabia",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+966 1 234 5678",
    number: "+966112345678"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "sggpnews.org.vn of September 2018",
    text: "0120 123 4567",
    country: "VN",
    number: "+84701234567"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+84 121 123 4567",
    number: "+84791234567"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+84 122 123 4567",
    number: "+84771234567"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "0124 123 4567",
    country: "VN",
    number: "+84841234567"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "google/libphonenumber, migrator/src/data/recipes.csv",
    text: "+84 127 123 4567",
    number: "+84811234567"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "sggpnews.org.vn of September 2018",
    text: "0129 822 2888",
    country: "VN",
    number: "+84828222888"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "sggpnews.org.vn of September 2018",
    text: "0169 933 3999",
    country: "VN",
    number: "+84399333999"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "sggpnews.org.vn of September 2018",
    text: "0188 855 5888",
    country: "VN",
    number: "+84588555888"
  },
  {
    kind: "old plans",
    from: "Vietnam",
    source: "sggpnews.org.vn of September 2018",
    text: "0199 595 9999",
    country: "VN",
    number: "+84595959999"
  }
]
