import { AppError } from '@parquetry/model/errors'
import { addMonths, dayMs } from '../calendar.ts'
import { isNull } from '../cells.ts'
import { buildNumberColumn, buildTimeColumn } from '../columns.ts'
import type { TimeColumn } from '../frame.ts'
import { take } from '../take.ts'
import type { Budget } from './budget.ts'
import { AdditiveModel, estimateWork, type Season } from './additive-model.ts'
import { isNumeric, toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import type { Table, TableColumn } from './table.ts'

const minuteMs = 60_000

/** Length of a period of each grain, in months or milliseconds. */
const grains: Record<string, { months: number } | { ms: number }> = {
  PT1S: { ms: 1000 },
  PT1M: { ms: minuteMs },
  PT5M: { ms: 5 * minuteMs },
  PT10M: { ms: 10 * minuteMs },
  PT15M: { ms: 15 * minuteMs },
  PT30M: { ms: 30 * minuteMs },
  PT1H: { ms: 60 * minuteMs },
  P1D: { ms: dayMs },
  P1W: { ms: 7 * dayMs },
  P1M: { months: 1 },
  P3M: { months: 3 },
  P1Y: { months: 12 },
  '1969-12-28T00:00:00Z/P1W': { ms: 7 * dayMs },
  '1969-12-29T00:00:00Z/P1W': { ms: 7 * dayMs },
  'P1W/1970-01-03T00:00:00Z': { ms: 7 * dayMs },
  'P1W/1970-01-04T00:00:00Z': { ms: 7 * dayMs },
}

/** Seasonality options, their order, and the days of history from which they are enabled by default. */
const seasons = [
  { option: 'yearly_seasonality', days: 365.25, order: 10, from: 730 },
  { option: 'monthly_seasonality', days: 30.5, order: 5, from: Infinity },
  { option: 'weekly_seasonality', days: 7, order: 3, from: 14 },
  { option: 'daily_seasonality', days: 1, order: 4, from: 2 },
] as const

/** Fewer values do not show how much they vary. */
const minValues = 5
/** Maximum multiplications for all series: about two seconds and a hundred megabytes. */
const maxWork = 1e9

/**
 * `prophet`: adds `<name>__yhat`, `__yhat_lower` and `__yhat_upper` beside each numeric column, and a row for each of the next
 * `periods` periods. Columns with fewer than five values get no forecast.
 * @throws AppError with what is missing when no forecast is possible
 */
export function prophet(table: Table, options: Options, budget: Budget): Table {
  const grain = options.text('time_grain')
  const periods = options.required('periods', options.integer('periods'))
  const confidence = options.required('confidence_interval', options.number('confidence_interval'))
  if (grain === undefined)
    throw invalidStep(message('errors.frame.forecastGrainNeeded', 'A forecast needs a time grain.'))
  if (!Object.hasOwn(grains, grain))
    throw invalidStep(
      message('errors.frame.forecastGrain', 'Forecasts do not support the time grain `{grain}`.', { grain }),
    )
  if (periods < 0)
    throw invalidStep(message('errors.frame.forecastPeriods', 'The number of forecast periods must be 0 or more.'))
  if (confidence <= 0 || confidence >= 1)
    throw invalidStep(
      message('errors.frame.forecastConfidence', 'The confidence interval of a forecast must be between 0 and 1.'),
    )
  const index = timesNamed(table, options.text('index') ?? '__timestamp')
  const length = table.rows + periods
  budget.admit('prophet', { rows: length, columns: 1 + 4 * (table.columns.length - 1), work: table.rows * 20 })

  const order = sortByTime(index, table.rows)
  const times = Float64Array.from(order, (row) => index.data[row]!)
  const future = computeFutureTimes(times.at(-1) ?? NaN, grain, periods)
  const rows = Int32Array.from({ length }, (_, row) => (row < table.rows ? row : -1))
  const numbers = table.columns.map(({ data }) => {
    if (data === index || !isNumeric(data)) return null
    const values = toNumbers(data, table.rows, 'prophet')
    const known = Float64Array.from(order, (row) => (Number.isFinite(values[row]!) ? values[row]! : NaN))
    return known.filter((value) => !Number.isNaN(value)).length < minValues ? null : known
  })
  const count = numbers.filter((values) => values !== null).length
  if (count === 0 || times[0] === times.at(-1)) throw tooFewValues()
  const waves = resolveSeasons(times, options)
  const work = estimateWork(length, waves) * count
  if (work > maxWork)
    throw new AppError('result_too_large', {
      message: message(
        'errors.frame.forecastTooSlow',
        'This forecast would take too long. Choose a longer time grain, a shorter time range, or fewer series.',
      ),
    })
  budget.spend(work / 5)
  const model = new AdditiveModel(times, future, waves)

  const columns = table.columns.flatMap(({ label, data }, at): TableColumn[] => {
    if (data === index)
      return [{ label, data: buildTimeColumn(index.name, Float64Array.from([...index.data, ...future]), index.unit) }]
    const own = { label, data: take(data, rows) }
    const values = numbers[at]
    if (!values) return [own]
    const { yhat, lower, upper } = model.forecast(values, confidence)
    const toForecastColumn = (given: Float64Array, suffix: string): TableColumn => {
      const out = new Float64Array(length).fill(NaN)
      for (const [position, row] of order.entries()) out[row] = given[position]!
      out.set(given.subarray(order.length), table.rows)
      const name = `${data.name}${suffix}`
      return { label: [`${label[0] ?? ''}${suffix}`, ...label.slice(1)], data: buildNumberColumn(name, out) }
    }
    return [
      own,
      toForecastColumn(yhat, '__yhat'),
      toForecastColumn(lower, '__yhat_lower'),
      toForecastColumn(upper, '__yhat_upper'),
    ]
  })
  return { ...table, rows: length, columns, index: null }
}

const tooFewValues = () =>
  invalidStep(
    message(
      'errors.frame.forecastTooFew',
      'A forecast needs at least {min, number} points in time with a value. Choose a longer time range or a shorter time grain.',
      { min: minValues },
    ),
  )

function timesNamed({ columns }: Table, name: string): TimeColumn {
  const data = columns.find(({ label }) => label[0] === name)?.data
  if (data?.kind !== 'time')
    throw invalidStep(message('errors.frame.forecastAxis', 'A forecast needs a temporal column as its x-axis.'))
  if (columns.length < 2)
    throw invalidStep(message('errors.frame.forecastSeries', 'A forecast needs at least one series.'))
  return data
}

/** Rows that have a time, oldest first. */
function sortByTime(index: TimeColumn, rows: number): Int32Array {
  const known = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => !isNull(index, row) && Number.isFinite(index.data[row]),
  )
  return Int32Array.from(known.toSorted((one, other) => index.data[one]! - index.data[other]!))
}

function computeFutureTimes(last: number, grain: string, periods: number): Float64Array {
  const length = grains[grain]!
  return Float64Array.from({ length: periods }, (_, index) =>
    'months' in length ? addMonths(last, (index + 1) * length.months) : last + (index + 1) * length.ms,
  )
}

/** Requested seasonality, or the default for the length of the history; never finer than the points can resolve. */
function resolveSeasons(times: Float64Array, options: Options): Season[] {
  const span = (times.at(-1)! - times[0]!) / dayMs
  const gaps = times.subarray(1).map((time, index) => (time - times[index]!) / dayMs)
  const gap = gaps.reduce((minGap, each) => (each > 0 ? Math.min(minGap, each) : minGap), Infinity)
  return seasons.flatMap(({ option, days, order, from }) => {
    const requestedOrder = readFourierOrder(option, options) ?? (span >= from && gap < days ? order : 0)
    const resolvableOrder = Math.floor(days / (2 * gap) + 0.05)
    const fits = Math.min(
      requestedOrder === true ? order : requestedOrder,
      resolvableOrder,
      Math.floor((times.length - 2) / 4),
    )
    return fits > 0 ? [{ days, order: fits }] : []
  })
}

/** Returns `true` for the usual order, null to let the history decide. */
function readFourierOrder(option: string, options: Options): number | true | null {
  const given = options.raw(option) ?? 'auto'
  const value =
    typeof given === 'string' && given.trim() !== ''
      ? (seasonalityValues[given.trim().toLowerCase()] ?? Number(given))
      : given
  if (value === 'auto') return null
  if (typeof value === 'boolean') return value || 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw invalidStep(
    message(
      'errors.frame.seasonality',
      'Option `{option}` of `prophet` must be auto, true, false, or a whole number.',
      { option },
    ),
  )
}
const seasonalityValues: Record<string, 'auto' | boolean> = { auto: 'auto', true: true, false: false }
