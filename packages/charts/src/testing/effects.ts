import { buildColumn, numberAt } from '@parquetry/frame'
import { buildFieldGroups, type Field } from '../field-groups.ts'
import type { AnyChart, ChartForm, Control } from '../define.ts'
import { buildSpecContext } from '../spec-context.ts'
import { buildQueryContext, resolveForm } from '../query/build-query-context.ts'
import type { Fixture } from './fixtures.ts'

/** Values to try when the schema alone does not define any. */
const byKind: Partial<Record<NonNullable<Control['as']>, unknown[]>> = {
  metric: ['another metric', { expressionType: 'SQL', sqlExpression: 'sum(x)', label: 'another' }],
  metrics: [['another metric']],
  column: ['another'],
  columns: [['another']],
  'x-axis': ['another'],
  'temporal-column': ['another'],
  filters: [[{ expressionType: 'SIMPLE', clause: 'WHERE', subject: 'a', operator: '==', comparator: 1 }]],
  'time-grain': ['P1Y', 'PT1H'],
  'number-format': ['.4r', '$,.2f'],
  'time-format': ['%Y', '%d.%m.%Y'],
  'color-scheme': ['d3Category10'],
  currency: [{ symbol: 'EUR', symbolPosition: 'suffix' }],
  bounds: [[-5, 500]],
  'order-by': [['["a", false]']],
  offsets: [['1 week ago'], ['8', '16']],
  'annotation-layers': [[{ name: 'Target', annotationType: 'FORMULA', value: '5', show: true }]],
  color: [{ r: 200, g: 10, b: 10, a: 1 }],
  'time-columns': [[{ label: 'Another', colType: 'avg' }]],
  date: ['2020-01-31'],
  'filter-configs': [[{ column: 'another' }]],
  'time-bounds': [['06:30:00', '18:00:00']],
  spatial: [{ type: 'geohash', geohashCol: 'another' }],
  'map-style': ['land'],
  viewport: [{ longitude: 10, latitude: 20, zoom: 3 }],
  'fix-or-metric': [
    { type: 'fix', value: 7 },
    { type: 'metric', value: 'another' },
  ],
  contours: [[{ lowerThreshold: 7, upperThreshold: 9, color: [1, 2, 3] }]],
  charts: [[7]],
  maps: [[7]],
}

interface JsonSchema {
  type?: string
  const?: unknown
  anyOf?: JsonSchema[]
}

function valuesFor({ name, schema, control }: Field, form: ChartForm): unknown[] {
  const special = control.as && byKind[control.as]
  if (special) return special
  if (control.as === 'column-config') {
    const name = control.configures?.[0]?.[0] ?? firstColumn(form)
    return [{ [name]: { customColumnName: 'Renamed' } }]
  }
  if (control.as === 'metric-bounds')
    return (control.boundKeys ?? []).map((key) => ({ [labelOf([form.metrics].flat()[0])]: { [key]: 500 } }))
  if (control.as === 'conditional-formatting')
    return listColumns(form).map((column) => [{ column, operator: '>', targetValue: 0, colorScheme: '#ACE1C4' }])
  if (control.as === 'x-axis-sort') return listColumns(form)
  if (control.options) return Object.keys(control.options)
  if (control.presets) return [...control.presets.map(([value]) => value), 7]
  const shapes = [schema as JsonSchema, ...((schema as JsonSchema).anyOf ?? [])]
  return shapes.flatMap(({ type }): unknown[] =>
    type === 'boolean' ? [true, false] : type === 'string' ? [`words of ${name}`] : type ? [1, 0.5, 3, 45] : [],
  )
}

const labelOf = (each: unknown): string =>
  typeof each === 'string' ? each : ((each as { label?: string } | null)?.label ?? '')
const listColumns = ({ x_axis, groupby, metrics, metric, all_columns }: ChartForm): string[] =>
  [x_axis, groupby, metrics, metric, all_columns].flat().filter(Boolean).map(labelOf)
const firstColumn = (form: ChartForm): string => labelOf([form.groupby, form.all_columns].flat().find(Boolean))

/** Returns the query and the spec as text. */
function outcome(chart: AnyChart, form: ChartForm, { frames, annotations }: Fixture): string {
  const question = { ...buildQueryContext(chart, form), form_data: null }
  const settled = resolveForm(chart, form)
  const context = buildSpecContext(settled, {
    dataset: undefined,
    locale: 'en',
    timeZone: 'UTC',
    until: timeAfterLast(frames),
    annotations,
  })
  return JSON.stringify([question, chart.spec(frames, settled, context)])
}

/** Returns a time just after the last one of a response, so that its last period is incomplete. */
function timeAfterLast(frames: Fixture['frames']): number | null {
  const [frame] = Object.values(frames)
  const times = frame?.columns.find(({ kind }) => kind === 'time')
  const last = frame && times && numberAt(times, frame.rows - 1)
  return typeof last === 'number' ? last + 1 : null
}

/** Returns the same metrics as sums, which are additive. */
const sumMetrics = (metrics: unknown): unknown[] =>
  [metrics].flat().map((metric) => (typeof metric === 'object' ? { ...metric, aggregate: 'SUM' } : metric))

/** Settings that make other controls visible by enabling what they depend on. */
const enabling: (ChartForm | ((form: ChartForm) => ChartForm))[] = [
  {},
  { rolling_type: 'mean', time_compare: ['1 week ago'], compare_lag: 1, markerEnabled: true, area: true },
  { resample_rule: '1D', resample_method: 'mean', seriesType: 'line', area: true, markerEnabled: true },
  { metrics: ['count'], groupby: ['weather'] },
  { stack: 'Stack', show_value: true, only_total: false, truncateYAxis: true, truncateXAxis: true },
  { stack: 'Stack', show_value: true },
  ({ metrics }) => (metrics ? { stack: 'Stack', metrics: sumMetrics(metrics) } : {}),
  { show_legend: true, donut: true, label_type: 'template', label_template: '{name}' },
  { server_pagination: true, timeseries_limit_metric: 'm', series_limit_metric: 'm' },
  { truncateXAxis: true, xAxisBounds: [-5, 500] },
  { query_mode: 'raw' },
  { rolling_type_b: 'mean', time_compare_b: ['1 week ago'] },
  { time_grain_sqla: 'P1D' },
  { forecastEnabled: true },
  { time_compare: 'custom', comparison_color_enabled: true },
  { groupby: [], metrics: ['count'], x_axis_sort: 'count' },
  { viewport: { longitude: 1, latitude: 2, zoom: 3 }, autozoom: false },
]

/** Returns the same response with its first column as numbers, names and times, which axes and formats treat differently. */
function otherAxes(fixture: Fixture): Fixture[] {
  const [[name, frame] = [], ...others] = Object.entries(fixture.frames)
  const [first, ...rest] = frame?.columns ?? []
  if (!name || !frame || !first) return []
  const rows = Array.from({ length: frame.rows }, (_, row) => row)
  const kinds = [rows, rows.map((row) => `name ${row}`), rows.map((row) => new Date(row * 86_400_000))]
  return kinds.map((values) => ({
    ...fixture,
    frames: {
      [name]: { ...frame, columns: [buildColumn(values, first.name), ...rest] },
      ...Object.fromEntries(others),
    },
  }))
}

/** Returns the controls of a chart that change neither the query nor the spec of any of its fixtures, whatever their value. */
export function idleControls(chart: AnyChart, fixtures: readonly Fixture[]): string[] {
  const hasEffect = (field: Field): boolean =>
    [...fixtures, ...fixtures.flatMap(otherAxes)].some((fixture) =>
      enabling.some((more) => {
        const form = { ...fixture.form, ...(typeof more === 'function' ? more(fixture.form) : more) }
        const before = outcome(chart, form, fixture)
        return valuesFor(field, form).some(
          (value) => outcome(chart, { ...form, [field.name]: value }, fixture) !== before,
        )
      }),
    )
  return buildFieldGroups(chart.form)
    .flatMap((group) => group.fields)
    .filter((field) => !hasEffect(field))
    .map(({ name }) => name)
}
