import { compareExactNumbers, readExactNumber } from '@parquetry/model'

/** An end of a range: the text of its digits where a JavaScript number would round it, null where the range is open. */
export type RangeEnd = number | string | null

export type NumericRange = readonly [from: RangeEnd, to: RangeEnd]

/** Ends that can be set; `exact` sets both to the same number. */
export type RangeMode = 'range' | 'min' | 'max' | 'exact'

/** Modes by the number in `enableSingleValue` of documents. */
const modes: readonly RangeMode[] = ['min', 'max', 'exact']
export const readRangeMode = (enableSingleValue: unknown): RangeMode =>
  typeof enableSingleValue === 'number' ? (modes[enableSingleValue] ?? 'range') : 'range'
export const toSingleValueSetting = (mode: RangeMode): number | undefined =>
  mode === 'range' ? undefined : modes.indexOf(mode)

/** Reads an end of a range, from the answer of a database as well; null for anything but a finite number or its text. */
export const readRangeEnd = (value: unknown): RangeEnd =>
  typeof value === 'number' || typeof value === 'string' ? readExactNumber(String(value)) : null

/** Reads a range from a mask: `[from, to]`, where null is an open end. */
export const readRange = (value: unknown): NumericRange =>
  Array.isArray(value) ? [readRangeEnd(value[0]), readRangeEnd(value[1])] : [null, null]

export const formatRange = (from: RangeEnd, to: RangeEnd): string =>
  from === to ? `x = ${from}` : from === null ? `x ≤ ${to}` : to === null ? `x ≥ ${from}` : `${from} ≤ x ≤ ${to}`

/** Number of rows in each of `parts` equal intervals between two numbers. */
export function buildHistogram(
  rows: readonly (readonly [value: number, count: number])[],
  { least, greatest, parts }: { least: number; greatest: number; parts: number },
): number[] {
  const width = (greatest - least) / parts
  const bins = Array.from({ length: parts }, () => 0)
  for (const [value, count] of rows) {
    const at = width > 0 ? Math.min(parts - 1, Math.floor((value - least) / width)) : 0
    bins[at] = (bins[at] ?? 0) + count
  }
  return bins
}

/** True if no number is in the range. */
export const isReversed = ([from, to]: NumericRange): boolean =>
  from !== null && to !== null && compareExactNumbers(from, to) > 0

/** Slider step: 1 for integer ends at least 10 apart, otherwise the largest power of ten up to 1/100 of the range. */
const findStepPower = (least: number, greatest: number): number =>
  Number.isInteger(least) && Number.isInteger(greatest) && greatest - least >= 10
    ? 0
    : Math.floor(Math.log10(Math.max(greatest - least, Number.MIN_VALUE) / 100))

/** Positions of a slider, counted from 0: its exact ends, and the multiples of a round step between them. */
export interface SliderStops {
  last: number
  valueAt(position: number): number
  /** Position of the nearest stop. */
  positionOf(value: number): number
}

export function buildSliderStops(least: number, greatest: number): SliderStops {
  const power = findStepPower(least, greatest)
  // A division by a power of ten is exact to the last digit, a multiplication by 0.01 is not.
  const multiple = (count: number) => (power < 0 ? count / 10 ** -power : count * 10 ** power)
  const countIn = (value: number) => (power < 0 ? value * 10 ** -power : value / 10 ** power)
  const after = Math.floor(countIn(least)) + 1
  const first = multiple(after) > least ? after : after + 1
  const before = Math.ceil(countIn(greatest)) - 1
  const inner = Math.max(0, (multiple(before) < greatest ? before : before - 1) - first + 1)
  const last = Number.isFinite(inner) ? inner + 1 : 1
  return {
    last,
    valueAt: (position) =>
      position <= 0 ? least : position >= last ? greatest : multiple(first + Math.round(position) - 1),
    positionOf: (value) =>
      value <= least
        ? 0
        : value >= greatest
          ? last
          : Math.min(last, Math.max(0, Math.round(countIn(value)) - first + 1)),
  }
}
