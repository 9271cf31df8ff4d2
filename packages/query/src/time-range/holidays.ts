import { addUnits, midnight, naiveTime, toDateParts, type NaiveTime } from './naive-time.ts'

type Rule = readonly [name: string, day: (year: number) => NaiveTime | null]

const fixed =
  (month: number, day: number, from = 1) =>
  (year: number) =>
    year < from ? null : naiveTime(year, month, day)

/** The n-th weekday (0 is Monday) of a month; n = -1 is the last one. */
const nth =
  (month: number, weekday: number, n: number, from = 1) =>
  (year: number) => {
    if (year < from) return null
    if (n === -1) {
      const end = addUnits(naiveTime(year, month), 1, 'month') - 86_400_000
      return end - ((toDateParts(end).weekday - weekday + 7) % 7) * 86_400_000
    }
    const first = naiveTime(year, month)
    return first + (((weekday - toDateParts(first).weekday + 7) % 7) + (n - 1) * 7) * 86_400_000
  }

/** Easter Sunday of the Gregorian calendar, by the anonymous algorithm of 1876 as printed by Meeus. */
function easter(year: number): NaiveTime {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const inCentury = year % 100
  const shifted = Math.floor((8 * century + 13) / 25)
  const moon = (19 * golden + century - Math.floor(century / 4) - shifted + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * toSunday) / 451)
  const days = moon + toSunday - 7 * late + 114
  return naiveTime(year, Math.floor(days / 31), (days % 31) + 1)
}

const easterPlus = (days: number) => (year: number) => easter(year) + days * 86_400_000

/** Federal holidays of the United States on their nominal days, not the observed ones: 5 U.S.C. 6103. */
const unitedStates: Rule[] = [
  ["New Year's Day", fixed(1, 1)],
  ['Martin Luther King Jr. Day', nth(1, 0, 3, 1986)],
  ["Washington's Birthday", (year) => (year < 1971 ? fixed(2, 22, 1879)(year) : nth(2, 0, 3)(year))],
  ['Memorial Day', (year) => (year < 1971 ? fixed(5, 30, 1888)(year) : nth(5, 0, -1)(year))],
  ['Juneteenth National Independence Day', fixed(6, 19, 2021)],
  ['Independence Day', fixed(7, 4)],
  ['Labor Day', nth(9, 0, 1, 1894)],
  ['Columbus Day', (year) => (year < 1971 ? fixed(10, 12, 1937)(year) : nth(10, 0, 2)(year))],
  ['Veterans Day', (year) => (year >= 1971 && year <= 1977 ? nth(10, 0, 4)(year) : fixed(11, 11, 1938)(year))],
  ['Thanksgiving', nth(11, 3, 4)],
  ['Christmas Day', fixed(12, 25)],
]

/** Bank holidays of England and Wales on their nominal days. */
const unitedKingdom: Rule[] = [
  ["New Year's Day", fixed(1, 1, 1974)],
  ['Good Friday', easterPlus(-2)],
  ['Easter Monday', easterPlus(1)],
  ['May Day', nth(5, 0, 1, 1978)],
  ['Spring Bank Holiday', nth(5, 0, -1, 1971)],
  ['Late Summer Bank Holiday', nth(8, 0, -1, 1971)],
  ['Christmas Day', fixed(12, 25)],
  ['Boxing Day', fixed(12, 26)],
]

/** Created on first use, because it would add 12 ms to startup. */
let chineseDate: Intl.DateTimeFormat | undefined

/** Day of the Chinese calendar in the Gregorian year that contains most of that Chinese year; leap months are excluded. */
const lunar = (month: number, day: number) => (year: number) => {
  chineseDate ??= new Intl.DateTimeFormat('en-u-ca-chinese', { month: 'numeric', day: 'numeric', timeZone: 'UTC' })
  const { format } = chineseDate
  const first = naiveTime(year, 1, 20)
  const days = Array.from({ length: 346 }, (_, index) => first + index * 86_400_000)
  return days.find((time) => format(time) === `${month}/${day}`) ?? null
}

/** Day on which the sun reaches 15 degrees, by the usual approximation, which is valid for these two centuries. */
function qingming(year: number): NaiveTime | null {
  if (year < 1900 || year > 2099) return null
  const inCentury = year % 100
  return naiveTime(year, 4, Math.floor(inCentury * 0.2422 + (year < 2000 ? 5.59 : 4.81)) - Math.floor(inCentury / 4))
}

/** Public holidays of China on their first days, by their Chinese names. */
const china: Rule[] = [
  ['元旦', fixed(1, 1, 1949)],
  ['春节', lunar(1, 1)],
  ['清明节', (year) => (year < 2008 ? null : qingming(year))],
  ['劳动节', fixed(5, 1, 1950)],
  ['端午节', (year) => (year < 2008 ? null : lunar(5, 5)(year))],
  ['中秋节', (year) => (year < 2008 ? null : lunar(8, 15)(year))],
  ['国庆节', fixed(10, 1, 1949)],
]

const countries = new Map([
  ['CN', china],
  ['US', unitedStates],
  ['UK', unitedKingdom],
  ['GB', unitedKingdom],
])

/** Holidays of the year whose name contains the text; null for an unknown country. */
export function findHolidays(text: string, year: number, country: string): NaiveTime[] | null {
  const rules = countries.get(country)
  if (!rules) return null
  return rules
    .filter(([name]) => name.toLowerCase().includes(text.toLowerCase()))
    .flatMap(([, day]) => day(year) ?? [])
    .map(midnight)
}
