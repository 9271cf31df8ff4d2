import { describe, expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { withFilters } from '../query/extra-form-data.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'line-multi')

const form: ChartForm = { viz_type: 'line_multi', line_charts: [1, 2], line_charts_2: [2], time_range: 'Last year' }
const queryLayers = (more: ChartForm = {}) => namedQueries(chart, { ...form, ...more })['charts']?.annotation_layers

const [january, february] = [Date.UTC(2026, 0), Date.UTC(2026, 1)] as const
const records = (...values: (number | null)[]) => values.map((n, index) => ({ at: [january, february][index], n }))
const charts = {
  '#1': { records: records(1, 2), slice_name: 'Sales' },
  '#2': { records: records(30, null), slice_name: 'Visits' },
}
const families = await loadFamilies(['line'])
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 300,
}
const drawn = (more: ChartForm = {}, annotations: Record<string, unknown> = charts) => {
  const settled = applyDefaults(chart.form, { ...form, ...more })
  const spec = chart.spec({}, settled, buildSpecContext(settled, { annotations: annotations as typeof charts }))
  return resolveSpec(spec, {}, around, families)
}
interface Line {
  name: string
  yAxisIndex?: number
  data: [number, number | null][]
}
const lines = (...args: Parameters<typeof drawn>) => drawn(...args).option.series as Line[]

describe('the query', () => {
  it("names each chart once, with this chart's time range and filters", () => {
    const japan = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Origin', operator: '==', comparator: 'Japan' }
    const range = {
      expressionType: 'SIMPLE',
      clause: 'WHERE',
      subject: 'at',
      operator: 'TEMPORAL_RANGE',
      comparator: 'x',
    }
    expect(queryLayers({ adhoc_filters: [japan, range] })).toMatchObject([
      { name: '#1', sourceType: 'line', value: 1, overrides: { time_range: 'Last year', adhoc_filters: [japan] } },
      { name: '#2', value: 2 },
    ])
  })

  it('passes on overrides of a dashboard', () => {
    const filters = [{ col: 'Origin', op: 'IN', val: ['USA'] }]
    const under = withFilters(form, [{ filters, time_range: 'Last week' }])
    expect(queryLayers(under)).toMatchObject([{ overrides: { time_range: 'Last week', filters } }, {}])
  })

  it('leaves the stored form unchanged, except for new names of display settings', async () => {
    const stored = { ...form, show_brush: 'yes', x_axis_format: '%Y' }
    const opened = await loadStoredForm(stored)
    expect(opened?.form).toMatchObject({ ...stored, zoomable: true, x_axis_time_format: '%Y' })
  })
})

describe('the chart', () => {
  it('draws lines on both axes, and prefixes duplicate names with their chart’s', () => {
    expect(lines().map(({ name, yAxisIndex = 0, data }) => [name, yAxisIndex, data])).toEqual([
      [
        'Sales: n',
        0,
        [
          [january, 1],
          [february, 2],
        ],
      ],
      [
        'Visits: n',
        0,
        [
          [january, 30],
          [february, null],
        ],
      ],
      [
        'Visits: n',
        1,
        [
          [january, 30],
          [february, null],
        ],
      ],
    ])
    expect(lines({ line_charts: [1], line_charts_2: [] }).map(({ name }) => name)).toEqual(['n'])
    const prefixed = lines({ line_charts: [1], line_charts_2: [], prefix_metric_with_slice_name: true })
    expect(prefixed.map(({ name }) => name)).toEqual(['Sales: n'])
  })

  it('draws the charts that could be read when another one fails', () => {
    expect(lines({}, { '#1': charts['#1'] })).toHaveLength(1)
    expect(lines({}, {})).toEqual([])
  })

  it('draws no lines for a chart without time', () => {
    expect(lines({ line_charts: [1], line_charts_2: [] }, { '#1': { records: [{ name: 'a', n: 1 }] } })).toEqual([])
  })

  it.each(['<script>alert(1)</script>', '{a|b}', '__proto__', 'مرحبا', '👩‍👩‍👧‍👦', 'x'.repeat(10_000)])(
    'draws a chart named %j with its name as text',
    (slice_name) => {
      const [line] = lines({ prefix_metric_with_slice_name: true }, { '#1': { ...charts['#1'], slice_name } })
      expect(line?.name).toBe(`${slice_name}: n`)
    },
  )
})
