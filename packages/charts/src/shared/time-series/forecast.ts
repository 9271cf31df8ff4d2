import { isNull, type Frame } from '@parquetry/frame'
import type { PostProcessing } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm, type DatasetFacts } from '../../define.ts'
import { hasTemporalXAxis } from '../controls.ts'

/** Shares of a whole are not forecast individually, because they would not add up. */
const canForecast = (form: ChartForm, dataset?: DatasetFacts): boolean =>
  form.stack !== 'Expand' && hasTemporalXAxis(form, dataset)
const isForecastEnabled = (form: ChartForm, dataset?: DatasetFacts): boolean =>
  form.forecastEnabled === true && canForecast(form, dataset)

const seasonality = (label: string) =>
  control(Type.Union([Type.Boolean(), Type.Integer({ minimum: 0 }), Type.Null()], { default: null }), {
    label,
    group: 'compare',
    description:
      'Automatic turns it on if the history is long enough. Enter a whole number to set the level of detail, in Fourier terms.',
    presets: [
      ['null', 'Automatic'],
      ['true', 'Yes'],
      ['false', 'No'],
    ],
    when: isForecastEnabled,
  })

export const forecastForm = {
  forecastEnabled: control(Type.Boolean({ default: false }), {
    label: 'Enable forecast',
    group: 'compare',
    description:
      'Continues the trend and seasonality of the history, using the additive Prophet model (Taylor and Letham, 2018). An incomplete last period is used as is.',
    when: canForecast,
  }),
  forecastPeriods: control(Type.Integer({ default: 10, minimum: 0 }), {
    label: 'Forecast periods',
    group: 'compare',
    description: 'Number of periods to forecast, in units of the time grain.',
    when: isForecastEnabled,
  }),
  forecastInterval: control(Type.Number({ default: 0.8, minimum: 0, maximum: 1 }), {
    label: 'Confidence interval',
    group: 'compare',
    description: 'Width of the band, between 0 and 1: the share of future values it should contain.',
    when: isForecastEnabled,
  }),
  forecastSeasonalityYearly: seasonality('Yearly seasonality'),
  forecastSeasonalityWeekly: seasonality('Weekly seasonality'),
  forecastSeasonalityDaily: seasonality('Daily seasonality'),
}

/** @param index label of the x-axis */
export function forecastSteps(form: ChartForm, index: string): PostProcessing[] {
  if (form.forecastEnabled !== true || form.stack === 'Expand') return []
  const options = {
    time_grain: form.time_grain_sqla ?? null,
    periods: form.forecastPeriods,
    confidence_interval: form.forecastInterval,
    yearly_seasonality: form.forecastSeasonalityYearly ?? null,
    weekly_seasonality: form.forecastSeasonalityWeekly ?? null,
    daily_seasonality: form.forecastSeasonalityDaily ?? null,
    index,
  }
  return [{ operation: 'prophet', options }]
}

const ends = { y: '__yhat', low: '__yhat_lower', high: '__yhat_upper' } as const

/** Returns the columns that the step adds to those it forecasts. */
export function findForecastColumns({ columns }: Frame): Set<string> {
  const names = new Set(columns.map(({ name }) => name))
  const own = [...names].flatMap((name) => Object.values(ends).map((end) => `${name}${end}`))
  return new Set(own.filter((name) => names.has(name)))
}

export const forecastColumnRefs = (column: string) => ({
  y: { column: `${column}${ends.y}` },
  low: { column: `${column}${ends.low}` },
  high: { column: `${column}${ends.high}` },
})

/** Returns the last row in which one of these columns has a value: later rows are forecast. -1 if there is none. */
export const findLastKnownRow = ({ columns, rows }: Frame, known: ReadonlySet<string>): number => {
  const own = columns.filter(({ name }) => known.has(name))
  let row = rows - 1
  while (row >= 0 && own.every((column) => isNull(column, row))) row -= 1
  return row
}
