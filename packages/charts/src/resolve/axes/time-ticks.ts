const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const maxTicks = 400
/** Tolerance for the different lengths of months and years. */
const unevenness = 1.2

/** Distance between ticks. */
interface Step {
  /** Minimum length. */
  ms: number
  /** Returns the first tick at or after a time. */
  from(time: number): number
  next(tick: number): number
}

/** Step of a fixed number of milliseconds, counted from `base`. */
const evenSteps = (ms: number, base: number): Step => ({
  ms,
  from: (time) => base + Math.ceil((time - base) / ms) * ms,
  next: (tick) => tick + ms,
})

const monthSteps = (count: number): Step => ({
  ms: count * 28 * day,
  from(time) {
    const floor = Math.floor(toMonthIndex(time) / count) * count
    return monthStart(floor) >= time ? monthStart(floor) : monthStart(floor + count)
  },
  next: (tick) => monthStart(toMonthIndex(tick) + count),
})

/** Months are counted from the year 0. */
const toMonthIndex = (time: number): number => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth()
const monthStart = (index: number): number =>
  new Date(0).setUTCFullYear(Math.floor(index / 12), index - 12 * Math.floor(index / 12), 1)

/** @param base origin of days and weeks, so that their ticks coincide with data points */
function listTickSteps(base: number): Step[] {
  const clock = [second, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute, 30 * minute]
  const hours = [1, 3, 6, 12].map((count) => count * hour)
  const days = [1, 2, 7, 14].map((count) => count * day)
  const years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
  const midnight = Math.floor(base / day) * day
  return [
    ...[...clock, ...hours].map((ms) => evenSteps(ms, 0)),
    ...days.map((ms) => evenSteps(ms, midnight)),
    ...[1, 2, 3, 6].map(monthSteps),
    ...years.map((count) => monthSteps(12 * count)),
  ]
}

/**
 * Places the labels of a time axis: at the data points if they are evenly spaced and all labels fit, otherwise along the calendar
 * in the smallest even steps in which every label fits.
 * @param points  times of the data, sorted and unique
 * @param hasRoom returns true if the labels of these ticks do not overlap
 */
export function timeTicks(points: readonly number[], hasRoom: (ticks: readonly number[]) => boolean): number[] {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return []
  const gaps = points.slice(1).map((point, index) => point - (points[index] as number))
  const [narrowest, widest] = gaps.reduce(
    ([low, high], gap) => [Math.min(low, gap), Math.max(high, gap)],
    [Infinity, 0],
  )
  const isEven = widest <= narrowest * unevenness
  if (isEven && points.length <= maxTicks && hasRoom(points)) return [...points]
  for (const step of listTickSteps(first)) {
    const isFiner = gaps.length > 0 && step.ms * unevenness < narrowest
    if (isFiner || (last - first) / step.ms > maxTicks) continue
    const ticks: number[] = []
    for (let tick = step.from(first); tick <= last; tick = step.next(tick)) ticks.push(tick)
    if (ticks.length > 0 && hasRoom(ticks)) return ticks
  }
  return [first]
}
