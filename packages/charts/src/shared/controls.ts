import { QueryColumn, QueryMetric } from '@parquetry/model'
import Type, { type TSchema } from 'typebox'
import { control, type ChartForm, type Control, type DatasetFacts } from '../define.ts'
import { defaultScheme, schemes } from './colors/schemes.ts'
import { numberFormats, timeFormats } from './formats/presets.ts'

/** A dimension: a column's name or an expression. */
export const Column = QueryColumn
/** A saved metric's name, an aggregate, or an expression. */
export const Metric = QueryMetric

export const nullable = <const T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const choice = <const V extends readonly string[]>(values: V, byDefault?: V[number]) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    byDefault === undefined ? {} : { default: byDefault },
  ) as unknown as Type.TUnsafe<V[number]>

const toPresets = (values: readonly number[]) => values.map((value) => [value] as const)
/** CONST-001, CONST-003. */
export const rowLimits = [10, 50, 100, 250, 500, 1000, 5000, 10_000, 50_000] as const
/** Numbers of series offered as limits by the control. */
export const seriesLimits = [5, 10, 25, 50, 100, 500] as const

/** Returns the name of a column that is stored as text or as an expression. */
export const nameOfColumn = (column: unknown): string | undefined =>
  typeof column === 'string'
    ? column
    : ((column as { label?: string; sqlExpression?: string } | null)?.label ??
      (column as { sqlExpression?: string } | null)?.sqlExpression)

/** Unknown columns count as temporal, so that missing metadata hides nothing from a user (CTRL-005). */
export const hasTemporalXAxis = (form: ChartForm, dataset?: DatasetFacts): boolean => {
  const name = nameOfColumn(form.x_axis)
  if (name === undefined) return form.granularity_sqla !== undefined
  const column = dataset?.columns.find((each) => each.column_name === name)
  return column ? column.is_dttm === true : true
}

/** Without an x-axis, charts of a time series use the time column that older forms name. */
export const needsXAxis = (form: ChartForm): boolean => !form.granularity_sqla

export const filters = control(Type.Optional(nullable(Type.Array(Type.Unknown()))), {
  label: 'Filters',
  group: 'query',
  as: 'filters',
})

export const rowLimit = (byDefault = 10_000, when?: (form: ChartForm) => boolean) =>
  control(Type.Integer({ default: byDefault, minimum: 0 }), {
    label: 'Row limit',
    group: 'query',
    presets: toPresets(rowLimits),
    ...(when && { when, resetOnHide: false }),
  })

export const seriesLimit = control(Type.Optional(nullable(Type.Integer({ minimum: 0 }))), {
  label: 'Series limit',
  group: 'query',
  description: 'Loads only the largest series, ranked by the metric below.',
  presets: toPresets(seriesLimits),
})

export const groupOthers = control(Type.Boolean({ default: false }), {
  label: 'Group remaining as “Others”',
  group: 'query',
  description:
    'Adds up the series beyond the limit into one series. Otherwise, they are left out, as are rows without a value.',
  when: (form) => Number(form.series_limit ?? form.limit) > 0,
})

export const rankMetric = control(Type.Optional(nullable(Metric)), {
  label: 'Sort by',
  group: 'query',
  as: 'metric',
})

/**
 * Whether the rows of the largest values come first, and remain at the row limit. A stored form without it is unsorted, as the API's
 * clients query it; new charts are sorted (`sortedInitially`).
 */
export const sortByMetric = (description?: string) =>
  control(Type.Boolean({ default: false }), {
    label: 'Sort by metric',
    group: 'query',
    ...(description !== undefined && { description }),
  })

/** Initial setting of a new chart with `sortByMetric`. */
export const sortedInitially = { sort_by_metric: true } as const

/** CTRL-004: the direction is only shown when a sort metric is set. */
export const orderDesc = control(Type.Boolean({ default: true }), {
  label: 'Sort descending',
  group: 'query',
  when: (form) => Boolean(form.timeseries_limit_metric ?? form.series_limit_metric),
})

export const timeGrain = control(Type.Optional(nullable(Type.String())), {
  label: 'Time grain',
  group: 'query',
  as: 'time-grain',
  when: hasTemporalXAxis,
  // The value is retained for the next time axis.
  resetOnHide: false,
})

/** @param when  condition for charts whose colors may depend on other settings */
export const colorSchemeWhen = (when?: Control['when']) =>
  control(Type.String({ default: defaultScheme }), {
    label: 'Color scheme',
    group: 'look',
    as: 'color-scheme',
    presets: schemes.map(({ id, label }) => [id, label] as const),
    ...(when && { when }),
  })

export const colorScheme = colorSchemeWhen()

/** CONST-004. */
export const numberFormat = (label: string, more: Partial<Control> = {}) =>
  control(Type.String({ default: 'SMART_NUMBER' }), {
    label,
    group: 'look',
    as: 'number-format',
    presets: numberFormats,
    ...more,
  })

export const timeFormat = (label: string) =>
  control(Type.String({ default: 'smart_date' }), { label, group: 'look', as: 'time-format', presets: timeFormats })

export const currency = control(
  Type.Optional(
    nullable(
      Type.Object({
        symbol: Type.Optional(Type.String()),
        symbolPosition: Type.Optional(choice(['prefix', 'suffix'])),
      }),
    ),
  ),
  { label: 'Currency', group: 'look', as: 'currency' },
)

export const flag = (label: string, byDefault: boolean, more: Partial<Parameters<typeof control>[1]> = {}) =>
  control(Type.Boolean({ default: byDefault }), { label, group: 'look', ...more })

/** If absent, the chart decides: direct labels first, a legend when they do not name every series. */
export const showLegend = control(Type.Optional(nullable(Type.Boolean())), { label: 'Show legend', group: 'look' })

export const legendPosition = control(choice(['top', 'bottom', 'left', 'right'], 'top'), {
  label: 'Legend position',
  group: 'look',
  options: { top: 'Top', bottom: 'Bottom', left: 'Left', right: 'Right' },
})
