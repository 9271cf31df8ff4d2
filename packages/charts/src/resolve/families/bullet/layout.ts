import { textWidth } from '../../../shared/text-width.ts'
import type { SpecItem } from '../family.ts'

export interface BulletItem extends SpecItem {
  role: 'measure' | 'range' | 'marker' | 'line'
  /** The author entered the name. */
  isNamed?: boolean
}

/** Pixels along an axis that starts at or below zero and ends at or above zero. */
export interface BulletScale {
  left: number
  right: number
  ticks: number[]
  x(value: number): number
}

/** @param between minimum pixels between two numbers of the axis */
export function buildBulletScale(
  values: readonly number[],
  { left, right, isOpen, between }: { left: number; right: number; isOpen: boolean; between: number },
): BulletScale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const count = Math.max(1, Math.floor((right - left) / between))
  const step = niceStep(high / count - low / count)
  // without ranges the axis ends at a round number
  const min = isOpen && step ? Math.floor(low / step) * step : low
  const max = (isOpen && step ? Math.ceil(high / step) * step : high) || (min === 0 ? 1 : 0)
  const [from, to] = [Number.isFinite(min) ? min : low, Number.isFinite(max) ? max : high]
  // divided separately, since the difference may exceed the range of a double
  const unit = Math.max(Math.abs(from), Math.abs(to))
  const part = (value: number) => (value / unit - from / unit) / (to / unit - from / unit)
  const ticks = step
    ? Array.from({ length: Math.floor(to / step) - Math.ceil(from / step) + 1 }, (_, i) =>
        Number(((Math.ceil(from / step) + i) * step).toPrecision(12)),
      ).filter(Number.isFinite)
    : [from, to]
  return { left, right, ticks, x: (value) => left + (right - left) * part(value) }
}

/** The smallest 1, 2 or 5 times a power of ten that is at least `least`; 0 if there is none. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5, 10].find((each) => each * power >= least) ?? 10) * power
  return power > 0 && Number.isFinite(step) ? step : 0
}

export interface PlacedLabel {
  at: number
  text: string
  /** Position of the mark. */
  x: number
  /** Center of the label, which stays within the chart. */
  middle: number
  /** 0 is the row next to the bar. */
  row: number
}

const gap = 8

/** Places labels without overlaps in as few rows as possible, at most `most`; labels that do not fit are omitted. */
export function arrangeLabels(
  labels: readonly { at: number; text: string; x: number }[],
  { size, left, right, most }: { size: number; left: number; right: number; most: number },
): PlacedLabel[] {
  const ends: number[] = []
  return labels
    .toSorted((a, b) => a.x - b.x)
    .flatMap((label) => {
      const half = textWidth(label.text, size) / 2
      if (2 * half > right - left) return []
      const middle = Math.min(right - half, Math.max(left + half, label.x))
      const row = Array.from({ length: most }, (_, i) => i).find((i) => (ends[i] ?? -Infinity) + gap <= middle - half)
      if (row === undefined) return []
      ends[row] = middle + half
      return [{ ...label, middle, row }]
    })
}
