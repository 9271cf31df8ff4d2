import Type from 'typebox'
import { control } from '../define.ts'
import {
  needsXAxis,
  choice,
  Column,
  currency,
  filters,
  flag,
  Metric,
  nullable,
  numberFormat,
  timeFormat,
} from '../shared/controls.ts'
import { linearScheme } from '../shared/linear-scheme.ts'

const pixels = (
  label: string,
  byDefault: number,
  { minimum, maximum }: { minimum: number; maximum: number },
  description: string,
) => control(Type.Integer({ default: byDefault, minimum, maximum }), { label, group: 'look', description })

const units = { min: 'Minute', hour: 'Hour', day: 'Day', week: 'Week', month: 'Month', year: 'Year' }
const some = <K extends keyof typeof units>(...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, units[name]])) as Record<K, string>

export const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    required: needsXAxis,
  }),
  domain_granularity: control(choice(['hour', 'day', 'week', 'month', 'year'], 'month'), {
    label: 'Domain',
    group: 'query',
    options: some('hour', 'day', 'week', 'month', 'year'),
    description:
      'Time unit of a block of cells. If it isn’t larger than the time unit of a cell, the next larger unit is used.',
  }),
  subdomain_granularity: control(choice(['min', 'hour', 'day', 'week', 'month'], 'day'), {
    label: 'Subdomain',
    group: 'query',
    options: some('min', 'hour', 'day', 'week', 'month'),
    description: 'Time unit of a cell. The metric is calculated for each unit.',
  }),
  metrics: control(Type.Array(Metric, { minItems: 1 }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    description: 'One calendar per metric, each with its own color range.',
  }),
  adhoc_filters: filters,
  linear_color_scheme: linearScheme(),
  steps: control(Type.Integer({ default: 10, minimum: 1, maximum: 50 }), {
    label: 'Number of steps',
    group: 'look',
    description: 'Number of colors between the lowest and the highest value.',
  }),
  cell_size: pixels('Cell size', 10, { minimum: 2, maximum: 200 }, 'In pixels. Cells shrink if they don’t all fit.'),
  cell_padding: pixels('Cell padding', 2, { minimum: 0, maximum: 50 }, 'The distance between cells, in pixels.'),
  cell_radius: pixels('Cell radius', 0, { minimum: 0, maximum: 100 }, 'Corner radius of each cell, in pixels.'),
  show_legend: flag('Show legend', true),
  show_values: flag('Show values', false, { description: 'Shown in cells with enough room.' }),
  show_metric_name: flag('Show metric names', true),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
  x_axis_time_format: timeFormat('Time format'),
})

/** Time grain of the query, by unit of a cell. */
export const unitGrains = { min: 'PT1M', hour: 'PT1H', day: 'P1D', week: 'P1W', month: 'P1M' } as const
