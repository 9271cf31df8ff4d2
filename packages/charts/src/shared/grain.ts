/** Calendar units of a time grain. */
interface GrainLength {
  months: number
  ms: number
}

const second = 1000
const day = 86_400_000
const clock: Record<string, number> = { S: second, M: 60 * second, H: 3600 * second }

/**
 * Returns the length of a period of this grain (`P1M`, `PT5M`, `P0.25Y`, `1969-12-28T00:00:00Z/P1W`); null for an invalid grain.
 */
function parseGrain(grain: string): GrainLength | null {
  const [, years, months, weeks, days, count, unit] =
    /(?:^|\/)P(?:([\d.]+)Y|([\d.]+)M|([\d.]+)W|([\d.]+)D|T([\d.]+)([SMH]))(?:\/|$)/.exec(grain) ?? []
  if (years) return { months: 12 * Number(years), ms: 0 }
  if (months) return { months: Number(months), ms: 0 }
  if (weeks) return { months: 0, ms: 7 * day * Number(weeks) }
  if (days) return { months: 0, ms: day * Number(days) }
  return count && unit ? { months: 0, ms: Number(count) * (clock[unit] as number) } : null
}

/** Returns true for weeks named by their last day, such as `P1W/1970-01-03T00:00:00Z`. */
const isNamedByEnd = (grain: string): boolean => grain.startsWith('P1W/')

/** Returns the exclusive end of the period named by this time, in milliseconds. Null for an invalid grain. */
export function endOfPeriod(index: number, grain: string): number | null {
  if (isNamedByEnd(grain)) return index + day
  const length = parseGrain(grain)
  if (!length) return null
  if (length.months === 0) return index + length.ms
  const date = new Date(index)
  return date.setUTCMonth(date.getUTCMonth() + length.months)
}

/** Returns the start of the period named by this time. */
export const startOfPeriod = (index: number, grain: string): number => (isNamedByEnd(grain) ? index - 6 * day : index)

/** Returns the last time if its period is incomplete because the response ends within it. Null if it is complete. */
export function unfinishedPeriod(last: number | null, grain: unknown, until: number | null): number | null {
  if (last === null || until === null || typeof grain !== 'string') return null
  const end = endOfPeriod(last, grain)
  return end !== null && startOfPeriod(last, grain) < until && until < end ? last : null
}

/** Times of a column, in milliseconds. */
export interface TimeSpan {
  from: number
  to: number
  /** Number of distinct times; absent when it is not known. */
  distinct?: number
}

type Grain = readonly [grain: string, ms: number]

/** Available grains with their approximate lengths, shortest first. */
const standardGrains: readonly Grain[] = [
  ['PT1S', second],
  ['PT1M', 60 * second],
  ['PT1H', 3600 * second],
  ['P1D', day],
  ['P1W', 7 * day],
  ['P1M', 30.4375 * day],
  ['P3M', 91.3125 * day],
  ['P1Y', 365.25 * day],
]

/** Numbers of points with which a line is readable, and up to which every time of the data is shown. */
const points = { least: 30, most: 120, own: 1000 }

/** Returns true when months, quarters or years can begin at both ends. */
const isAligned = ({ from, to }: TimeSpan, grain: string): boolean =>
  [from, to].every((time) => {
    const date = new Date(time)
    const length = parseGrain(grain)?.months || 1
    return time % day === 0 && date.getUTCDate() === 1 && date.getUTCMonth() % length === 0
  })

/**
 * Returns the step of data that has a time in most periods of a grain, and at most one in each: `P1M` for monthly data. Null for
 * times without a common step, such as those of events.
 */
function findOwnStep(span: TimeSpan, grains: readonly Grain[]): Grain | null {
  const { from, to, distinct } = span
  if (distinct === undefined) return null
  const startsMonths = isAligned(span, 'P1M')
  const step = grains.findLast(([grain, ms]) => {
    const isCalendar = (parseGrain(grain)?.months ?? 0) > 1
    return Math.round((to - from) / ms) + 1 >= distinct && !(isCalendar && startsMonths && !isAligned(span, grain))
  })
  return step && 2 * distinct >= Math.round((to - from) / step[1]) + 1 ? step : null
}

/**
 * Returns the grain of a line over this span: the step of the data if that gives at most 1000 points, else the coarsest grain that
 * gives 30 to 120 points, or the one that comes closest. It is never finer than the times of the data.
 * @param known the grains that the database has; any when omitted
 */
export function chooseGrain(span: TimeSpan, known?: readonly string[]): string {
  const { from, to, distinct = Infinity } = span
  const available = standardGrains.filter(([grain]) => !known || known.includes(grain))
  const own = findOwnStep(span, available)
  if (own && distinct <= points.own) return own[0]
  const apart = 0.9 * ((to - from) / (distinct - 1))
  const fitting = available.filter(([, ms], index) => ms >= apart || index === available.length - 1)
  const ranked = fitting
    .map(([grain, ms]) => {
      const count = Math.max(1, (to - from) / ms)
      return { grain, off: Math.max(points.least / count, count / points.most, 1) }
    })
    .toReversed()
  const least = Math.min(...ranked.map(({ off }) => off))
  return ranked.find(({ off }) => off === least)?.grain ?? 'P1D'
}
