import { message } from '@parquetry/model'
import { findHolidays } from './holidays.ts'
import {
  addUnits,
  isRepresentable,
  lastDay,
  midnight,
  toDateParts,
  truncate,
  units,
  type NaiveTime,
  type Unit,
} from './naive-time.ts'
import { TokenReader } from './token-reader.ts'

/** Parses the text inside `DATETIME(...)`. @throws AppError `invalid_query` */
export type ParseTime = (text: string) => { time: NaiveTime; zoned: boolean }

const functions = ['datetime', 'dateadd', 'datetrunc', 'lastday', 'holiday']

/**
 * Evaluates a side of a range that is written with functions (`dateadd`, `datetrunc`, ...). Text after the closing parenthesis is
 * ignored.
 * @throws AppError `invalid_query` with the reference's text: what was expected, what was found, and where
 */
export function evaluateExpression(
  text: string,
  now: NaiveTime,
  readText: ParseTime,
): { time: NaiveTime; zoned: boolean } {
  const tokens = new TokenReader(text)
  let zoned = false

  function time(): NaiveTime {
    const name = tokens.keyword(functions, `{${functions.join(' | ')}}`)
    tokens.punctuation('(')
    const value = calls[name as keyof typeof calls]()
    tokens.punctuation(')')
    return value
  }
  const unitAfterComma = <U extends Unit>(allowed: readonly U[]): U => {
    tokens.punctuation(',')
    return tokens.keyword(allowed, `{${allowed.map((unit) => `'${unit}'`).join(' | ')}}`) as U
  }
  /** Whole days or years between the two times. */
  function difference(): number {
    tokens.punctuation('(')
    const from = time()
    tokens.punctuation(',')
    const to = time()
    const unit = tokens.sees(',') ? unitAfterComma(['year', 'day']) : 'day'
    tokens.punctuation(')')
    return unit === 'year' ? toDateParts(to).year - toDateParts(from).year : Math.floor((to - from) / 86_400_000)
  }
  const calls = {
    datetime: () => {
      const read = readText(tokens.text())
      zoned ||= read.zoned
      return read.time
    },
    dateadd: () => {
      const base = time()
      tokens.punctuation(',')
      const count = tokens.seesWord('datediff') ? difference() : tokens.integer()
      const moved = addUnits(base, count, unitAfterComma(units))
      return isRepresentable(moved) ? moved : base
    },
    datetrunc: () => truncate(time(), unitAfterComma(units)),
    lastday: () => lastDay(time(), unitAfterComma(['year', 'month', 'week'])),
    holiday: () => {
      const name = tokens.text()
      const year = toDateParts(tokens.sees(',') ? time() : now).year
      const country = tokens.sees(',') ? tokens.text() : 'US'
      const days = findHolidays(name, year, country)
      if (!days)
        throw tokens.refuse(message('errors.query.holidayCountry', 'Country {country} not available', { country }))
      if (days.length !== 1)
        throw tokens.refuse(message('errors.query.holiday', 'Unable to find such a holiday: [{name}]', { name }))
      return midnight(days[0] as NaiveTime)
    },
  }
  return { time: time(), zoned }
}
