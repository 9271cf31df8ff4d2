import { AppError } from '@parquetry/model'
import { isKnownDifference, readReference } from '@parquetry/testing'
import { describe, expect, it } from 'vitest'
import { resolveTimeRange } from './resolve-time-range.ts'

type Result = { since: string | null; until: string | null } | { error: string }

function answer(resolve: () => Result): Result {
  try {
    return resolve()
  } catch (error) {
    if (error instanceof AppError) return { error: error.message }
    throw error
  }
}

interface Direct {
  name: string
  now: string
  args: Partial<Record<'time_range' | 'relative_start' | 'relative_end' | 'time_shift' | 'since' | 'until', string>>
  result: Result & { kind?: string }
}

describe('every recorded range, with the clock at its `now`', () => {
  const file = 'time-range-direct.json'
  const cases = readReference<Direct>(file)
  const given = ({ now, args }: Direct) =>
    answer(() =>
      resolveTimeRange(args.time_range, {
        now,
        relativeStart: args.relative_start,
        relativeEnd: args.relative_end,
        timeShift: args.time_shift,
        since: args.since,
        until: args.until,
      }),
    )
  const wanted = ({ result }: Direct) => {
    const { kind: _, ...expected } = result
    return expected
  }
  it.each(cases.filter(({ name }) => !isKnownDifference(file, name)))('$name', (one) => {
    expect(given(one)).toEqual(wanted(one))
  })
  it.each(cases.filter(({ name }) => isKnownDifference(file, name)))('$name (differs on purpose)', (one) => {
    expect(given(one)).not.toEqual(wanted(one))
  })
})

interface Http {
  name: string
  request: { path: string; auth?: string }
  status: number
  response: { result?: { since: string; until: string; timeRange: string }; message?: string; error?: string }
}

describe('every recorded response of the HTTP endpoint', () => {
  const file = 'time-range.json'
  const cases = readReference<Http>(file).filter((one) => one.name.startsWith('range '))
  const isRecorded = ({ name, status, response }: Http): boolean => {
    const text = response.result?.timeRange ?? name.slice('range "'.length, -1).replaceAll('\\"', '"')
    const actual = answer(() => resolveTimeRange(text, { now: '2026-04-15T12:34:56' }))
    if ('error' in actual)
      return status >= 400 && (!response.message || response.message === `Unexpected time range: ${actual.error}`)
    const fits = (given: string | null, recorded = '') => recorded === '$any' || (given ?? '') === recorded
    return status < 400 && fits(actual.since, response.result?.since) && fits(actual.until, response.result?.until)
  }
  it.each(cases.filter(({ name }) => !isKnownDifference(file, name)))('$name', (one) => {
    expect(one).toSatisfy(isRecorded)
  })
})

describe('extensions of the recorded behavior', () => {
  const now = '2024-03-31T10:20:30'
  const range = (text: string) => resolveTimeRange(text, { now })
  const days = (text: string) => Object.values(range(text)).map((time) => time?.replace('T00:00:00', '') ?? null)
  it.each([
    ['foo', '[foo]'],
    ['last fortnight', '[last fortnight]'],
    ['previous week', '[previous week]'],
    ['2024-01-01:2024-02-01', '[2024-01-01:2024-02-01]'],
    ['2024-13', '[2024-13]'],
    ['2024-02-30', '[2024-02-30]'],
    ['2024-Q5', '[2024-Q5]'],
    ['1 week ago', '[1 week ago]'],
    ['monday', '[monday]'],
    ['DATETIME("2024-01-01")', '[DATETIME("2024-01-01")]'],
    ['2024-01-01 : foo', '[foo]'],
  ])('refuses %s by name', (text, named) => {
    expect(() => range(text)).toThrow(`Cannot parse time string ${named}`)
  })
  it.each([
    ['No Filter', null, null],
    ['LAST WEEK', '2024-03-24', '2024-03-31'],
    [' last  3  days ', '2024-03-28', '2024-03-31'],
    ['Last 2 quarters', '2023-09-30', '2024-03-31'],
    ['prior 2 weeks', '2024-03-17', '2024-03-31'],
    ['Next quarter', '2024-03-31', '2024-06-30'],
    ['previous calendar day', '2024-03-30', '2024-03-31'],
    ['Previous Calendar Week', '2024-03-18', '2024-03-25'],
    ['previous calendar quarter', '2023-10-01', '2024-01-01'],
    ['Current day', '2024-03-31', '2024-04-01'],
    ['current week', '2024-03-25', '2024-04-01'],
    ['Current month', '2024-03-01', '2024-04-01'],
    ['Current quarter', '2024-01-01', '2024-04-01'],
    ['this year', '2024-01-01', '2025-01-01'],
    ['yesterday', '2024-03-30', '2024-03-31'],
    ['today', '2024-03-31', '2024-04-01'],
    ['2026', '2026-01-01', '2027-01-01'],
    ['2026-Q1', '2026-01-01', '2026-04-01'],
    ['2026-q4', '2026-10-01', '2027-01-01'],
    ['2026-02', '2026-02-01', '2026-03-01'],
    ['2026-W01', '2025-12-29', '2026-01-05'],
    ['2026-02-28', '2026-02-28', '2026-03-01'],
    [' : 2026-01-01', null, '2026-01-01'],
    [': 2026-01-01', null, '2026-01-01'],
    ['2026-01-01 :', '2026-01-01', null],
    ['2026-Q1 : 2026-Q3', '2026-01-01', '2026-07-01'],
    ['1 quarter ago : today', '2023-12-31', '2024-03-31'],
    ['start of this quarter : end of this month', '2024-01-01', '2024-03-31'],
    ['beginning of last 2 months : end of next week', '2024-01-01', '2024-04-07'],
  ])('%s is from %s to %s', (text, since, until) => expect(days(text)).toEqual([since, until]))
  it('C033: months are calendar months only in the words that say so', () => {
    const on = (text: string) => Object.values(resolveTimeRange(text, { now: '2026-03-31T10:20:30' }))
    expect(on('Last month')).toEqual(['2026-02-28T00:00:00', '2026-03-31T00:00:00'])
    expect(on('previous calendar month')).toEqual(['2026-02-01T00:00:00', '2026-03-01T00:00:00'])
    expect(on('previous calendar quarter')).toEqual(['2025-10-01T00:00:00', '2026-01-01T00:00:00'])
    const month = 'DATEADD(DATETIME("2026-03-31"), -1, month)'
    expect(on(`DATETRUNC(${month}, month) : LASTDAY(${month}, month)`)).toEqual([
      '2026-02-01T00:00:00',
      '2026-02-28T00:00:00',
    ])
    expect(on(`${month} : DATETIME("2026-03-31")`)).toEqual(['2026-02-28T00:00:00', '2026-03-31T00:00:00'])
  })
  it('keeps microseconds', () => {
    expect(range('2024-01-01T00:00:00.000001 : ').since).toBe('2024-01-01T00:00:00.000001')
  })
  it('counts months on the calendar', () => {
    expect(range('1 month ago : ').since).toBe('2024-02-29T00:00:00')
  })
  it('uses the difference of two days as a number of units', () => {
    const text = 'DATEADD(DATETIME("2024-01-10"), DATEDIFF(DATETIME("2024-01-03"), DATETIME("2024-01-01")), day) : '
    expect(range(text).since).toBe('2024-01-08T00:00:00')
  })
  it('finds Thanksgiving and Easter on their calendar days', () => {
    expect(range('HOLIDAY("thanksgiving", DATETIME("2023-01-01")) : now').since).toBe('2023-11-23T00:00:00')
    expect(range('HOLIDAY("good friday", DATETIME("2024-01-01"), "UK") : now').since).toBe('2024-03-29T00:00:00')
  })
  it('finds Chinese holidays by their Chinese names, including lunar ones', () => {
    const since = (name: string) => range(`HOLIDAY("${name}", DATETIME("2024-01-01"), "CN") : `).since
    expect(['元旦', '春节', '清明', '端午', '中秋', '国庆'].map(since)).toEqual([
      '2024-01-01T00:00:00',
      '2024-02-10T00:00:00',
      '2024-04-04T00:00:00',
      '2024-06-10T00:00:00',
      '2024-09-17T00:00:00',
      '2024-10-01T00:00:00',
    ])
    expect(range('HOLIDAY("春节", DATETIME("2023-01-01"), "CN") : ').since).toBe('2023-01-22T00:00:00')
  })
  it('converts a time with another zone to UTC', () => {
    expect(range('2024-01-01T00:00:00+02:00 : 2024-01-02T00:00:00Z')).toEqual({
      since: '2023-12-31T22:00:00',
      until: '2024-01-02T00:00:00',
    })
  })
  it('regression: rejects overlong text without searching it for words', () => {
    expect(() => range(`${'a '.repeat(20_000)} : now`)).toThrow('at most 1,000 characters')
    const timeShift = '1 '.repeat(1000)
    expect(() => resolveTimeRange('now : now', { now: '2024-01-01T00:00:00', timeShift })).toThrow('1,000 characters')
  })
  it('regression: reverses negative spans', () => {
    expect(range('-7 days : today').since).toBe('2024-03-24T00:00:00')
    expect(range('Last -2 weeks : today').since).toBe('2024-03-17T00:00:00')
    expect(range('today : -3 days ago').until).toBe('2024-04-03T00:00:00')
    expect(range('now -2 hours : now').since).toBe('2024-03-31T08:20:30')
  })
  it('regression: understands weekday names; one alone is the first of the year, as in the reference', () => {
    const until = (text: string) => range(`2024-01-01 : ${text}`).until
    expect(['monday', 'Sat', 'sunday', 'wed 10:30', 'last sunday', 'next tues'].map(until)).toEqual([
      '2024-01-01T00:00:00',
      '2024-01-06T00:00:00',
      '2024-01-07T00:00:00',
      '2024-01-03T10:30:00',
      '2024-03-24T00:00:00',
      '2024-04-02T00:00:00',
    ])
  })
  it('regression: rejects values that no date can represent', () => {
    const texts = ['Last 99999999999 days', `Last ${'9'.repeat(400)} years`, ' : 1000000 years later', ' : 9999-12-32']
    for (const text of texts) expect(() => range(text), text).toThrow(AppError)
    expect(() => resolveTimeRange('2020-01-01 : 2021-01-01', { now, timeShift: '20000 years ago' })).toThrow(AppError)
  })
})
