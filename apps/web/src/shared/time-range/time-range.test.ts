import { describe, expect, it } from 'vitest'
import {
  currentRanges,
  formatDays,
  validateCustomRange,
  defaultCustomRange,
  initialTimeMode,
  lastRanges,
  detectTimeMode,
  previousRanges,
  parseAdvancedRange,
  parseCustomRange,
  parseTypedRange,
  switchTimeMode,
  timeUnits,
  timeModes,
  formatAdvancedRange,
  formatCustomRange,
} from './time-range.ts'

describe('TIME-006: modes', () => {
  it('TIME-001, TIME-004, TIME-005: are complete, with their choices', () => {
    expect(timeModes).toEqual(['Last', 'Previous', 'Current', 'Custom', 'Advanced', 'No filter'])
    expect(lastRanges).toEqual(['Last day', 'Last week', 'Last month', 'Last quarter', 'Last year'])
    expect(previousRanges).toEqual([
      'previous calendar week',
      'previous calendar month',
      'previous calendar quarter',
      'previous calendar year',
    ])
    expect(currentRanges).toEqual(['Current day', 'Current week', 'Current month', 'Current quarter', 'Current year'])
  })

  it.each([
    ['Last week', 'Last'],
    ['previous calendar month', 'Previous'],
    ['Current quarter', 'Current'],
    ['No filter', 'No filter'],
    ['2026-01-01 : 2026-02-01', 'Custom'],
    ['DATEADD(DATETIME("today"), -7, day) : today', 'Custom'],
    ['Last 30 days', 'Advanced'],
    ['DATETRUNC(DATETIME("now"), year) : now', 'Advanced'],
    [' : 2026-01-01', 'Advanced'],
  ])('TIME-006: %s is shown in mode %s', (range, mode) => expect(detectTimeMode(range)).toBe(mode))

  it('regression: the picker opens in the mode of its range, and with choices when there is no range yet', () => {
    expect(initialTimeMode('No filter')).toBe('Last')
    expect(initialTimeMode('')).toBe('Last')
    expect(initialTimeMode('previous calendar month')).toBe('Previous')
  })

  it('TIME-020, TIME-021, TIME-026, TIME-027: a mode starts with its default, or with the current range if it can show it', () => {
    expect(switchTimeMode('No filter', 'Last')).toBe('Last week')
    expect(switchTimeMode('whatever : x', 'Previous')).toBe('previous calendar week')
    expect(switchTimeMode('Last week', 'Current')).toBe('Current week')
    expect(switchTimeMode('Last week', 'Custom')).toBe('DATEADD(DATETIME("today"), -7, day) : today')
    expect(switchTimeMode('2026-01-01 : now', 'Advanced')).toBe('2026-01-01 : now')
    expect(switchTimeMode('Last 30 days', 'Advanced')).toBe('Last 30 days')
    expect(switchTimeMode('Last week', 'No filter')).toBe('No filter')
  })
})

describe('TIME-010 to TIME-019: custom ranges', () => {
  it.each([
    '2026-01-01 : 2026-02-01T10:00:00',
    'DATEADD(DATETIME("today"), -7, day) : today',
    'DATEADD(DATETIME("now"), -3, hour) : now',
    'DATEADD(DATETIME("2026-05-01"), -1, month) : DATEADD(DATETIME("2026-05-01"), 2, quarter)',
    'today : DATEADD(DATETIME("today"), 1, year)',
  ])('TIME-010 to TIME-016: %s survives a round trip', (range) => {
    const custom = parseCustomRange(range)
    expect(custom && formatCustomRange(custom)).toBe(range)
    expect(custom && validateCustomRange(custom)).toBeNull()
  })

  it.each([
    ['TIME-017', 'DATEADD(DATETIME("today"), 0, day) : today'],
    ['TIME-018', 'DATEADD(DATETIME("today"), 1, century) : today'],
    ['TIME-019', 'DATEADD(DATETIME("today"), -1, day) : DATEADD(DATETIME("now"), 1, day)'],
    ['TIME-016', 'yesterday : today'],
    ['TIME-016', '2026-01-01 : 2026-02-01 : 2026-03-01'],
  ])('%s: %s is not custom', (_, range) => expect(parseCustomRange(range)).toBeNull())

  it('a range of whole days ends before the next day', () => {
    expect(formatDays('2026-02-01', '2026-02-28')).toBe('2026-02-01T00:00:00 : 2026-03-01T00:00:00')
  })

  it('TIME-012: supports these units', () => {
    expect(timeUnits).toEqual(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])
  })

  it('TIME-015: rejects a quantity under 1, a fractional quantity and an invalid date', () => {
    expect(validateCustomRange({ ...defaultCustomRange, sinceGrainValue: 0 })).toBe('since')
    expect(validateCustomRange({ ...defaultCustomRange, sinceGrainValue: 1.5 })).toBe('since')
    expect(validateCustomRange({ ...defaultCustomRange, untilMode: 'specific', untilDatetime: 'soon' })).toBe('until')
    expect(validateCustomRange({ ...defaultCustomRange, anchorMode: 'specific', anchorValue: '' })).toBe('anchor')
  })
})

describe('advanced and typed ranges', () => {
  it('TIME-022: an advanced range has two parts', () => {
    expect(parseAdvancedRange('a : b : c')).toEqual(['a', 'b : c'])
    expect(parseAdvancedRange('Last 30 days')).toEqual(['Last 30 days', 'today'])
    expect(parseAdvancedRange('Next 2 days')).toEqual(['today', 'Next 2 days'])
    expect(switchTimeMode('No filter', 'Advanced')).toBe(' : ')
    expect(formatAdvancedRange(' 2026-01-01', '')).toBe('2026-01-01 : ')
  })

  it.each([
    ['last 30 days', 'Last 30 days'],
    ['LAST WEEK', 'Last week'],
    ['last 1 days', 'Last 1 day'],
    ['next 2 months', 'Next 2 months'],
    ['7d', 'Last 7 days'],
    ['2026', '2026-01-01 : 2027-01-01'],
    ['2026-12', '2026-12-01 : 2027-01-01'],
    ['2026-Q1', '2026-01-01 : 2026-04-01'],
    ['2026-q4', '2026-10-01 : 2027-01-01'],
    ['current month', 'Current month'],
    ['Previous Calendar Quarter', 'previous calendar quarter'],
    [' : 2026-01-01', ' : 2026-01-01'],
    [': 2026-01-01', ' : 2026-01-01'],
    ['2026-01-01 :', '2026-01-01 : '],
    ['2026-02-28', '2026-02-28 : 2026-03-01'],
    ['yesterday', 'DATEADD(DATETIME("today"), -1, day) : today'],
    ['2026-01-01 : now', '2026-01-01 : now'],
    ['', 'No filter'],
  ])('%s means %s', (text, range) => expect(parseTypedRange(text)).toBe(range))

  it.each(['soon', '2026-13', '2026-Q5', '2026-02-30', 'last', '2026-01-01:'])('%s is left to the server', (text) =>
    expect(parseTypedRange(text)).toBeNull(),
  )
})
