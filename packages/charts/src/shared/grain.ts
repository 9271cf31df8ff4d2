/** Calendar units in which a time grain counts. */
interface GrainLength {
  months: number
  ms: number
}

const second = 1000
const day = 86_400_000
const clock: Record<string, number> = { S: second, M: 60 * second, H: 3600 * second }

/** How long a period of this grain is (`P1M`, `PT5M`, `P0.25Y`, `1969-12-28T00:00:00Z/P1W`); null for what is no grain. */
function parseGrain(grain: string): GrainLength | null {
  const [, years, months, weeks, days, count, unit] =
    /(?:^|\/)P(?:([\d.]+)Y|([\d.]+)M|([\d.]+)W|([\d.]+)D|T([\d.]+)([SMH]))(?:\/|$)/.exec(grain) ?? []
  if (years) return { months: 12 * Number(years), ms: 0 }
  if (months) return { months: Number(months), ms: 0 }
  if (weeks) return { months: 0, ms: 7 * day * Number(weeks) }
  if (days) return { months: 0, ms: day * Number(days) }
  return count && unit ? { months: 0, ms: Number(count) * (clock[unit] as number) } : null
}

/** A week that goes by its last day, as `P1W/1970-01-03T00:00:00Z` does. */
const isNamedByEnd = (grain: string): boolean => grain.startsWith('P1W/')

/** The end of the period that is called by this time, as milliseconds; the end does not belong to it. Null for what is no grain. */
export function endOfPeriod(at: number, grain: string): number | null {
  if (isNamedByEnd(grain)) return at + day
  const length = parseGrain(grain)
  if (!length) return null
  if (length.months === 0) return at + length.ms
  const date = new Date(at)
  return date.setUTCMonth(date.getUTCMonth() + length.months)
}

/** The start of the period that is called by this time. */
export const startOfPeriod = (at: number, grain: string): number => (isNamedByEnd(grain) ? at - 6 * day : at)

/** The last of these times where the period that it calls is not over: the answer ends within it. Null where all are whole. */
export function unfinishedPeriod(last: number | null, grain: unknown, until: number | null): number | null {
  if (last === null || until === null || typeof grain !== 'string') return null
  const end = endOfPeriod(last, grain)
  return end !== null && startOfPeriod(last, grain) < until && until < end ? last : null
}

/** Grains among which one is chosen, with their rough lengths. */
const standardGrains: readonly (readonly [grain: string, ms: number])[] = [
  ['PT1S', second],
  ['PT1M', 60 * second],
  ['PT1H', 3600 * second],
  ['P1D', day],
  ['P1W', 7 * day],
  ['P1M', 30.4375 * day],
  ['P3M', 91.3125 * day],
  ['P1Y', 365.25 * day],
]

/** As many points as a course has that can be read. */
const points = { least: 30, most: 120 }

/**
 * The grain that gives a course over this span 30 to 120 points, the coarsest of several; where none does, the one that comes
 * nearest to it.
 * @param known the grains that the database has; any when left out
 */
export function chooseGrain({ from, to }: { from: number; to: number }, known?: readonly string[]): string {
  const fitting = standardGrains.filter(([grain]) => !known || known.includes(grain))
  const ranked = fitting
    .map(([grain, ms]) => {
      const count = Math.max(1, (to - from) / ms)
      return { grain, off: Math.max(points.least / count, count / points.most, 1) }
    })
    .toReversed()
  const least = Math.min(...ranked.map(({ off }) => off))
  return ranked.find(({ off }) => off === least)?.grain ?? 'P1D'
}
