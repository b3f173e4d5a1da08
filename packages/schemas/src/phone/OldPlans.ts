/**
 * Numbers of plans that their countries have replaced but that address books and users' tables keep, with today's form.
 *
 * A change is here if a rule leads from the old number to exactly one new number, with the source of the rule. If the
 * new number depended on the operator, which the digits do not show, there is no rule.
 */
import { type Looked, codeOf, lookUp } from "./Plans.ts"

interface Change {
  readonly country: string
  /** When the old form stopped being right, as ISO 8601 writes dates. */
  readonly since: string
  /** Digits of a number in the old form, with the calling code; the groups hold the digits that the new form keeps. */
  readonly from: RegExp
  readonly to: string
  /** How the new form differs, behind "must be written". */
  readonly says: string
  /** Set where no number of today's plan looks like an old one, though the metadata has a place for it. */
  readonly isUnmistakable?: true
}

const changes: ReadonlyArray<Change> = [
  // ARCEP Bénin to ITU, floere/phony#535
  {
    country: "BJ",
    since: "2024-11-30",
    from: /^229([2-9]\d{7})$/,
    to: "22901$1",
    says: "with 01 behind +229"
  },
  // google/libphonenumber, migrator/src/data/recipes.csv; google/libphonenumber#1618
  {
    country: "BR",
    since: "2016-11-06",
    from: /^55([1-9][1-9])([689]\d{7})$/,
    to: "55$19$2",
    says: "with a 9 behind the area code",
    isUnmistakable: true
  },
  // ARTCI; ouattararomuald/numbering-plan, README
  {
    country: "CI",
    since: "2021-01-31",
    from: /^225(0[1-3]\d{6})$/,
    to: "22501$1",
    says: "with its operator's 01 after +225"
  },
  // ARTCI; ouattararomuald/numbering-plan, README
  {
    country: "CI",
    since: "2021-01-31",
    from: /^225(0[4-6]\d{6})$/,
    to: "22505$1",
    says: "with the 05 of its operator behind +225"
  },
  // ARTCI; ouattararomuald/numbering-plan, README
  {
    country: "CI",
    since: "2021-01-31",
    from: /^225(0[7-9]\d{6})$/,
    to: "22507$1",
    says: "with the 07 of its operator behind +225"
  },
  // SUBTEL to ITU, google/libphonenumber#1255
  {
    country: "CL",
    since: "2012-11-24",
    from: /^562(\d{7})$/,
    to: "5622$1",
    says: "with a 2 behind the area code 2"
  },
  // medic/cht-core#802; google/libphonenumber#1051
  {
    country: "CM",
    since: "2014-11-21",
    from: /^237([579]\d{7})$/,
    to: "2376$1",
    says: "with a 6 behind +237"
  },
  // medic/cht-core#802
  {
    country: "CM",
    since: "2014-11-21",
    from: /^237((?:22|33)\d{6})$/,
    to: "2372$1",
    says: "with a 2 behind +237"
  },
  // CRC, resolution 5826 of 2019
  {
    country: "CO",
    since: "2021-12-01",
    from: /^57([1-8]\d{7})$/,
    to: "5760$1",
    says: "with 60 behind +57"
  },
  // ICE, insidecostarica.com of 2008-03-20
  {
    country: "CR",
    since: "2008-03-20",
    from: /^506([389]\d{6})$/,
    to: "5068$1",
    says: "with an 8 behind +506"
  },
  // ICE, insidecostarica.com of 2008-03-20
  {
    country: "CR",
    since: "2008-03-20",
    from: /^506([24-7]\d{6})$/,
    to: "5062$1",
    says: "with a 2 behind +506"
  },
  // SUPERTEL, vayaadventures.com of 2012-11-28
  {
    country: "EC",
    since: "2012-09-30",
    from: /^593([89]\d{7})$/,
    to: "5939$1",
    says: "with a 9 behind +593"
  },
  // NTRA, tra.gov.eg news 186
  {
    country: "EG",
    since: "2011-10-06",
    from: /^201([069])(\d{7})$/,
    to: "2010$1$2",
    says: "with a 0 behind +20 1",
    isUnmistakable: true
  },
  // NTRA, tra.gov.eg news 186
  {
    country: "EG",
    since: "2011-10-06",
    from: /^201([14])(\d{7})$/,
    to: "2011$1$2",
    says: "with a 1 behind +20 1",
    isUnmistakable: true
  },
  // NTRA, tra.gov.eg news 186
  {
    country: "EG",
    since: "2011-10-06",
    from: /^201([278])(\d{7})$/,
    to: "2012$1$2",
    says: "with a 2 behind +20 1",
    isUnmistakable: true
  },
  // google/libphonenumber, migrator/src/data/recipes.csv; ANINF of 2024-02-29
  {
    country: "GA",
    since: "2024-04-06",
    from: /^241(?:0(?=\d{7}$))?1(\d{6})$/,
    to: "24111$1",
    says: "with 11 behind +241",
    isUnmistakable: true
  },
  // google/libphonenumber, migrator/src/data/recipes.csv; ANINF of 2024-02-29
  {
    country: "GA",
    since: "2024-04-06",
    from: /^241(?:0(?=\d{7}$))?([256]\d{6})$/,
    to: "2416$1",
    says: "with a 6 behind +241",
    isUnmistakable: true
  },
  // google/libphonenumber, migrator/src/data/recipes.csv; ANINF of 2024-02-29
  {
    country: "GA",
    since: "2024-04-06",
    from: /^241(?:0(?=\d{7}$))?([47]\d{6})$/,
    to: "2417$1",
    says: "with a 7 behind +241",
    isUnmistakable: true
  },
  // en.wikipedia.org, Telephone numbers in Georgia (country)
  {
    country: "GE",
    since: "2011-06-27",
    from: /^995(90\d{6})$/,
    to: "9957$1",
    says: "with a 7 after +995"
  },
  // GNCC to ITU of 2010-12-22; en.wikipedia.org, Telephone numbers in Georgia (country)
  {
    country: "GE",
    since: "2011-06-20",
    from: /^995([579]\d{7})$/,
    to: "9955$1",
    says: "with a 5 behind +995"
  },
  // google/libphonenumber#532
  {
    country: "GR",
    since: "2002-11-03",
    from: /^30(9\d{8})$/,
    to: "306$1",
    says: "with a 6 behind +30"
  },
  // amcostaricaarchives.com of October 2010
  {
    country: "HN",
    since: "2010-11-14",
    from: /^504(\d{7})$/,
    to: "5042$1",
    says: "with a 2 behind +504"
  },
  // ANRT, maghress.com/alittihad/86457
  {
    country: "MA",
    since: "2009-03-07",
    from: /^212([23]\d{7})$/,
    to: "2125$1",
    says: "with a 5 behind +212"
  },
  // ANRT, maghress.com/alittihad/86457
  {
    country: "MA",
    since: "2009-03-07",
    from: /^212([14-7]\d{7})$/,
    to: "2126$1",
    says: "with a 6 behind +212"
  },
  // ICTA, commsupdate.com of 2013-09-02
  {
    country: "MU",
    since: "2013-09-01",
    from: /^230(25\d{5}|[79]\d{6})$/,
    to: "2305$1",
    says: "with a 5 behind +230",
    isUnmistakable: true
  },
  // IFT, Plan Técnico Fundamental de Numeración; google/libphonenumber, migrator/src/data/recipes.csv;
  // google/libphonenumber#2693
  {
    country: "MX",
    since: "2019-08-03",
    from: /^52(?:1|01|044|045)([2-9]\d{9})$/,
    to: "52$1",
    says: "with ten digits behind +52, without the 1, 01, 044 or 045 in front of them"
  },
  // ictQATAR, cra.gov.qa of 2010-03-28
  {
    country: "QA",
    since: "2010-07-28",
    from: /^974([3-7])(\d{6})$/,
    to: "974$1$1$2",
    says: "with the first digit behind +974 twice"
  },
  // google/libphonenumber, migrator/src/data/recipes.csv
  {
    country: "SA",
    since: "2013-03-02",
    from: /^966([1-467]\d{7})$/,
    to: "9661$1",
    says: "with a 1 behind +966"
  },
  // google/libphonenumber, migrator/src/data/recipes.csv; sggpnews.org.vn of September 2018
  ...(
    [
      ["12([068])", "7$1"],
      ["121", "79"],
      ["122", "77"],
      ["12([345])", "8$1"],
      ["127", "81"],
      ["129", "82"],
      ["16([2-9])", "3$1"],
      ["18([68])", "5$1"],
      ["199", "59"]
    ] as const
  ).map(([from, to]): Change => ({
    country: "VN",
    since: "2018-11-15",
    from: new RegExp(`^84${from}(\\d{7})$`),
    to: `84${to}${to.includes("$1") ? "$2" : "$1"}`,
    says: `with ${to.replace("$1", "and one digit")} for the first digits behind +84`,
    isUnmistakable: true
  }))
]

/** A number of an old plan, as it is written now. */
export interface Renewed {
  readonly number: string
  readonly change: Change
}

/** A number of an old plan as it is written now; null if the number is right, or the new one is not. */
export const renewal = ({ isValid, number }: Looked): Renewed | null => {
  const found = renewed(number)
  if (found === null || (isValid && found.change.isUnmistakable !== true)) return null
  return lookUp(found.number)?.isValid === true ? found : null
}

/** A number as its country writes it now; null if no change affects it. */
const renewed = (number: string): Renewed | null => {
  for (const digits of formsOf(number)) {
    const change = changes.find(({ from }) => from.test(digits))
    if (change !== undefined) return { number: `+${digits.replace(change.from, change.to)}`, change }
  }
  return null
}

/** The digits of a number, and without a 0 behind the calling code, which is the national prefix of most plans. */
const formsOf = (number: string): ReadonlyArray<string> => {
  const all = number.slice(1)
  const code = codeOf(number)?.digits ?? 0
  return all.charAt(code) === "0" ? [all, all.slice(0, code) + all.slice(code + 1)] : [all]
}
