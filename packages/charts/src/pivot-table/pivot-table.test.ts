import { aggregations, cellAt, buildFrame, buildPostProcessedTable, type Cell, type Frame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { formatHtmlTable, formatTsv } from '../views/grid/copy-text.ts'
import chart from './chart.ts'
import { cellsToCopy } from './cells-to-copy.ts'
import { textWidth } from '../shared/text-width.ts'
import { renderPivot, computePivotWidths, type ClosedGroups, type RenderedPivot } from './render-pivot.ts'
import { groupKey, findSpan } from './lines.ts'
import { isOutsideMark, buildPivotMark } from './marks.ts'
import { rootGroup, buildPivot, buildPivotInSteps } from './pivot.ts'
import type { PivotSpec } from './spec.ts'

chartSuite(chart, 'pivot-table')

const buildSpec = (frame: Frame, more: ChartForm): PivotSpec => {
  const form = applyDefaults(chart.form, { viz_type: 'pivot_table_v2', metrics: ['m'], valueFormat: '~g', ...more })
  return chart.spec({ cells: frame }, form, buildSpecContext(form)) as PivotSpec
}
function drawn(frame: Frame, more: ChartForm, closed: string[] = []): RenderedPivot {
  const spec = buildSpec(frame, more)
  const sets: ClosedGroups = { rows: new Set(closed), columns: new Set(closed) }
  return renderPivot(buildPivot(frame, spec), frame, spec, 'en', sets)
}
/** Returns the table as text: column headings, then rows with their headings. */
function read(pivot: RenderedPivot): string[] {
  const { rows, columns } = pivot
  const labels = (side: 'rows' | 'columns', line: number) =>
    pivot[side].spans.map((spans) => pivot[side].labelOf(findSpan(spans, line)!)).filter(Boolean)
  return [
    columns.lines.map((_, index) => labels('columns', index).join('/')).join(' | '),
    ...rows.lines.map((row, index) =>
      [labels('rows', index).join('/'), ...columns.lines.map((column) => pivot.textOf(pivot.cell(row, column)))].join(
        ' | ',
      ),
    ),
  ]
}

/** Two years of two regions, one with two cities; one combination is missing. */
const sales = buildFrame({
  region: ['East', 'East', 'East', 'West', 'West'],
  city: ['Ulm', 'Jena', 'Jena', 'Bonn', 'Bonn'],
  year: [2024, 2024, 2025, 2024, 2025],
  m: [10, 4, 6, 1, 9],
})
const both = { groupbyRows: ['region', 'city'], groupbyColumns: ['year'] }

it('crosses rows and columns and leaves cells without a value empty', () => {
  expect(read(drawn(sales, both))).toEqual([
    'm/2024 | m/2025',
    'East/Jena | 4 | 6',
    'East/Ulm | 10 | ',
    'West/Bonn | 1 | 9',
  ])
})

it('adds subtotals and totals as the form requests, each calculated from the underlying values', () => {
  const all = { rowTotals: true, colTotals: true, rowSubTotals: true, colSubTotals: true }
  expect(read(drawn(sales, { ...both, ...all }))).toEqual([
    'm/2024 | m/2025 | Total (Sum)',
    'East/Jena | 4 | 6 | 10',
    'East/Ulm | 10 |  | 10',
    'East/Subtotal | 14 | 6 | 20',
    'West/Bonn | 1 | 9 | 10',
    'West/Subtotal | 1 | 9 | 10',
    'Total (Sum) | 15 | 15 | 30',
  ])
  const across = { groupbyRows: ['year'], groupbyColumns: ['region', 'city'], metrics: ['m'], combineMetric: true }
  expect(read(drawn(sales, { ...across, ...all, rowSubtotalPosition: true, colSubtotalPosition: true }))[0]).toBe(
    ['East/Subtotal', 'East/Jena/Subtotal', 'East/Jena/m', 'East/Ulm/Subtotal', 'East/Ulm/m', 'West/Subtotal']
      .concat(['West/Bonn/Subtotal', 'West/Bonn/m', 'Total (Sum)'])
      .join(' | '),
  )
  const average = { ...both, ...all, aggregateFunction: 'Average' }
  expect(read(drawn(sales, average)).at(-1)).toBe('Total (Average) | 5 | 7.5 | 6')
})

it('shows the aggregate of a subtotal on hover', () => {
  const { rows } = drawn(sales, { ...both, rowSubTotals: true, aggregateFunction: 'Average' })
  const word = findSpan(rows.spans[1]!, 2)!
  expect([rows.labelOf(word), rows.titleOf(word)]).toEqual(['Subtotal', 'Subtotal (Average)'])
})

it('calculates a total average from the values, not from the averages of the groups', () => {
  const uneven = buildFrame({ a: ['x', 'x', 'x', 'y'], b: [1, 2, 3, 1], m: [1, 2, 3, 10] })
  const form = { groupbyRows: ['a', 'b'], colTotals: true, rowSubTotals: true, aggregateFunction: 'Average' }
  const rows = read(drawn(uneven, form))
  expect(rows).toContain('x/Subtotal | 2')
  expect(rows.at(-1)).toBe('Total (Average) | 4')
})

it('puts metrics on rows or columns, outermost or innermost, and transposes the table', () => {
  const two = buildFrame({ a: ['x', 'y'], m: [1, 2], n: [3, 4] })
  const form = { groupbyRows: ['a'], metrics: ['n', 'm'] }
  expect(read(drawn(two, form))).toEqual(['n | m', 'x | 3 | 1', 'y | 4 | 2'])
  expect(read(drawn(two, { ...form, transposePivot: true }))).toEqual([
    'n/x | n/y | m/x | m/y',
    'Total (Sum) | 3 | 4 | 1 | 2',
  ])
  expect(read(drawn(two, { ...form, metricsLayout: 'ROWS' }))).toEqual([
    'Total (Sum)',
    'n/x | 3',
    'n/y | 4',
    'm/x | 1',
    'm/y | 2',
  ])
  expect(read(drawn(two, { ...form, metricsLayout: 'ROWS', combineMetric: true }))[1]).toBe('x/n | 3')
  expect(read(drawn(two, { ...form, metricsLayout: 'ROWS', combineMetric: true }))[2]).toBe('x/m | 1')
})

it('regression: no total, subtotal, fraction or rank combines several metrics', () => {
  const two = buildFrame({
    region: ['East', 'East', 'West', 'West'],
    year: [2024, 2025, 2024, 2025],
    n: [1, 2, 3, 4],
    m: [500, 300, 200, 100],
  })
  const totals = { rowTotals: true, colTotals: true, rowSubTotals: true, colSubTotals: true }
  const form = { groupbyRows: ['region'], groupbyColumns: ['year'], metrics: ['n', 'm'], ...totals }
  expect(read(drawn(two, form))).toEqual([
    'n/2024 | n/2025 | m/2024 | m/2025 | Total (Sum)/n | Total (Sum)/m',
    'East | 1 | 2 | 500 | 300 | 3 | 800',
    'West | 3 | 4 | 200 | 100 | 7 | 300',
    'Total (Sum) | 4 | 6 | 700 | 400 | 10 | 1100',
  ])
  // Metrics within a group have no subtotal, and cannot be collapsed into one.
  const combined = { ...form, combineMetric: true }
  const east = groupKey(buildPivot(two, buildSpec(two, form)).rows, { level: 0, at: 0 })
  expect(read(drawn(two, combined, ['[2024]']))[0]).toBe(
    '2024/n | 2024/m | 2025/n | 2025/m | Total (Sum)/n | Total (Sum)/m',
  )
  const onRows = { ...combined, metricsLayout: 'ROWS' }
  expect(read(drawn(two, onRows, [east])).slice(-4)).toEqual([
    'West/n | 3 | 4 | 7',
    'West/m | 200 | 100 | 300',
    'Total (Sum)/n | 4 | 6 | 10',
    'Total (Sum)/m | 700 | 400 | 1100',
  ])
  // Collapsed and open groups of groups have a subtotal per metric.
  const deep = { ...onRows, groupbyRows: ['region', 'year'], groupbyColumns: [], rowTotals: false, colTotals: false }
  expect(read(drawn(two, deep, [east])).slice(1, 5)).toEqual([
    'East/Subtotal/n | 3',
    'East/Subtotal/m | 800',
    'West/2024/n | 3',
    'West/2024/m | 200',
  ])
  // Without dimensions beside the metrics, a total would repeat them.
  expect(read(drawn(two, { ...form, groupbyColumns: [] }))[0]).toBe('n | m')
  const share = { ...form, aggregateFunction: 'Sum as Fraction of Total', valueFormat: 'SMART_NUMBER' }
  expect(read(drawn(two, share)).at(-1)).toBe(
    'Total (Sum as Fraction of Total) | 40.0% | 60.0% | 63.6% | 36.4% | 100.0% | 100.0%',
  )
  // The first metric decides about the order of values.
  expect(read(drawn(two, { ...form, rowOrder: 'value_z_to_a' }))[1]).toMatch(/^West/)
})

it('sorts by labels or values in both directions, with null labels last and metrics in form order', () => {
  const frame = buildFrame({ a: ['item 10', 'Item 2', null, 'älter', 'zoo'], m: [5, 1, 9, null, 7] })
  const order = (rowOrder: string) =>
    read(drawn(frame, { groupbyRows: ['a'], rowOrder }))
      .slice(1)
      .map((row) => row.split(' | ')[0])
  expect(order('key_a_to_z')).toEqual(['älter', 'Item 2', 'item 10', 'zoo', '∅'])
  expect(order('key_z_to_a')).toEqual(['zoo', 'item 10', 'Item 2', 'älter', '∅'])
  expect(order('value_a_to_z')).toEqual(['Item 2', 'item 10', 'zoo', '∅', 'älter'])
  expect(order('value_z_to_a')).toEqual(['∅', 'zoo', 'item 10', 'Item 2', 'älter'])
  const groups = read(drawn(sales, { ...both, rowOrder: 'value_a_to_z', colOrder: 'key_z_to_a' }))
  expect(groups).toEqual(['m/2025 | m/2024', 'West/Bonn | 9 | 1', 'East/Jena | 6 | 4', 'East/Ulm |  | 10'])
  const metrics = { groupbyRows: ['a'], metrics: ['m', 'n'], colOrder: 'value_z_to_a' }
  expect(read(drawn(buildFrame({ a: ['x'], m: [1], n: [2] }), metrics))[0]).toBe('m | n')
})

it('distinguishes a null index from the text "null"', () => {
  const frame = buildFrame({ a: [null, 'null', '∅'], m: [1, 2, 4] })
  expect(read(drawn(frame, { groupbyRows: ['a'], colTotals: true }))).toEqual([
    'm',
    'null | 2',
    '"∅" | 4',
    '∅ | 1',
    'Total (Sum) | 7',
  ])
})

it('does not treat null values as zero', () => {
  const frame = buildFrame({ a: ['x', 'x', 'y'], b: [1, 2, 1], m: [null, 3, null] })
  expect(read(drawn(frame, { groupbyRows: ['a'], groupbyColumns: ['b'], colTotals: true, rowTotals: true }))).toEqual([
    'm/1 | m/2 | Total (Sum)',
    'x | ∅ | 3 | 3',
    'y | ∅ |  | ∅',
    'Total (Sum) | ∅ | 3 | 3',
  ])
})

it('a collapsed group is labeled and shown as its subtotal', () => {
  const spec = buildSpec(sales, both)
  const pivot = buildPivot(sales, spec)
  const east = groupKey(pivot.rows, { level: 0, at: 0 })
  expect(read(drawn(sales, both, [east]))).toEqual(['m/2024 | m/2025', 'East/Subtotal | 14 | 6', 'West/Bonn | 1 | 9'])
  const other = buildFrame({ region: ['A', 'East', 'East'], city: ['a', 'b', 'c'], year: [1, 1, 1], m: [1, 2, 3] })
  expect(read(drawn(other, both, [east]))).toContain('East/Subtotal | 5')
})

it('fractions are relative to the total, row or column, including those of totals', () => {
  const form = {
    groupbyRows: ['region'],
    groupbyColumns: ['year'],
    rowTotals: true,
    colTotals: true,
    valueFormat: 'SMART_NUMBER',
  }
  const one = buildFrame({ region: ['E', 'E', 'W', 'W'], year: [1, 2, 1, 2], m: [1, 3, 4, 2] })
  const rows = (aggregateFunction: string) => read(drawn(one, { ...form, aggregateFunction })).slice(1)
  expect(rows('Sum as Fraction of Total')).toEqual([
    'E | 10.0% | 30.0% | 40.0%',
    'W | 40.0% | 20.0% | 60.0%',
    'Total (Sum as Fraction of Total) | 50.0% | 50.0% | 100.0%',
  ])
  expect(rows('Sum as Fraction of Rows')).toEqual([
    'E | 25.0% | 75.0% | 100.0%',
    'W | 66.7% | 33.3% | 100.0%',
    'Total (Sum as Fraction of Rows) | 50.0% | 50.0% | 100.0%',
  ])
  expect(rows('Count as Fraction of Columns').at(-1)).toBe(
    'Total (Count as Fraction of Columns) | 100.0% | 100.0% | 100.0%',
  )
})

const named = (name: unknown): string => [name].flat().map(String).filter(Boolean).join('/')

/** Returns the cells of the table that the server lays out for files, by the names of row and column. */
function serverCells(frame: Frame, form: ChartForm): Map<string, Cell> {
  const table = buildPostProcessedTable(frame, form, { headings: new Map(), format: () => String })!
  const columns = table.frame.columns.slice(1)
  return new Map(
    columns.flatMap((column, index) =>
      table.indexnames.map(
        (name, row) => [`${named(name)} × ${named(table.colnames[index])}`, cellAt(column, row)] as const,
      ),
    ),
  )
}
function shownCells(pivot: RenderedPivot): Map<string, Cell> {
  const name = (side: 'rows' | 'columns', line: number) =>
    named(pivot[side].spans.map((spans) => pivot[side].labelOf(findSpan(spans, line)!)))
  return new Map(
    pivot.rows.lines.flatMap((row, down) =>
      pivot.columns.lines.map(
        (column, across) =>
          [`${name('rows', down)} × ${name('columns', across)}`, pivot.cell(row, column).value ?? null] as const,
      ),
    ),
  )
}

it.each(
  aggregations.flatMap(
    (name) =>
      [
        [name, 'COLUMNS'],
        [name, 'ROWS'],
      ] as const,
  ),
)('matches the files of the server: %s, metrics on %s', (aggregateFunction, metricsLayout) => {
  const two = buildFrame({
    region: ['East', 'East', 'East', 'West', 'West', 'West'],
    city: ['Ulm', 'Jena', 'Jena', 'Bonn', 'Bonn', 'Kiel'],
    year: [2024, 2024, 2025, 2024, 2025, 2025],
    m: [10, 4, 4, 1, 9, null],
    n: [1.5, 2, 0.5, -3, 8, 2],
  })
  for (const combineMetric of [false, true])
    for (const transposePivot of [false, true]) {
      const totals = { rowTotals: true, colTotals: true, rowSubTotals: true, colSubTotals: true }
      // Files of the API combine metrics in totals, as the reference does. So do their fractions, which are not compared.
      const metrics = aggregateFunction.includes('Fraction') ? ['n'] : ['n', 'm']
      const form = { ...both, ...totals, viz_type: 'pivot_table_v2', metrics, aggregateFunction }
      const whole = { ...form, metricsLayout, combineMetric, transposePivot }
      const server = serverCells(two, whole)
      const shown = shownCells(drawn(two, whole))
      const names = [...shown.keys()].filter((name) => server.has(name))
      expect(names.length).toBeGreaterThan(shown.size / 3)
      // Cells without values are empty here; in files their sums and counts are zero, as in the reference.
      const text = (cell: Cell | undefined) =>
        cell === null || cell === 0 ? 'nothing' : typeof cell === 'number' ? cell.toPrecision(12) : cell
      expect(names.map((name) => [name, text(shown.get(name))])).toEqual(
        names.map((name) => [name, text(server.get(name))]),
      )
    }
})

it('calculates subtotals from the underlying values where sums of groups would differ', () => {
  const frame = buildFrame({ a: ['x', 'x', 'y'], b: [1, 2, 1], m: [7, 7, 9] })
  const totals = (aggregateFunction: string) =>
    read(drawn(frame, { groupbyRows: ['a', 'b'], colTotals: true, aggregateFunction }))
      .at(-1)
      ?.split(' | ')[1]
  expect(
    ['Count', 'Count Unique Values', 'List Unique Values', 'Median', 'Sample Variance', 'First', 'Last'].map(totals),
  ).toEqual(['3', '2', '7, 9', '7', '1.33333', '7', '9'])
})

it('a large integer keeps all digits in a cell with one value', () => {
  const frame = buildFrame({ a: ['x', 'y'], m: [2n ** 60n, 1n] })
  expect(read(drawn(frame, { groupbyRows: ['a'], valueFormat: ',d' }))[1]).toBe('x | 1,152,921,504,606,846,976')
})

it('shows text and time metrics unchanged', () => {
  const frame = buildFrame({ a: ['x', 'y'], m: ['late', 'early'], n: [new Date('2024-02-01'), new Date('2024-03-05')] })
  const form = { groupbyRows: ['a'], metrics: ['m', 'n'], colTotals: true, aggregateFunction: 'Maximum' }
  expect(read(drawn(frame, form))).toEqual([
    'm | n',
    'x | late | 2024-02-01',
    'y | early | 2024-03-05',
    'Total (Maximum) | late | 2024-03-05 00:00:00',
  ])
})

it('regression: numbers with more digits than a double, such as PostgreSQL numerics, are formatted like others', () => {
  const long = buildFrame({ a: ['x', 'y'], m: ['1234.5000000000000000', '99999999999999999999'] })
  const columns = long.columns.map((column) =>
    column.kind === 'string' && column.name === 'm' ? { ...column, numeric: true } : column,
  )
  const shown = (valueFormat: string) =>
    read(drawn({ ...long, columns }, { groupbyRows: ['a'], colTotals: true, valueFormat })).slice(1)
  expect(shown(',.2f').slice(0, 2)).toEqual(['x | 1,234.50', 'y | 100,000,000,000,000,000,000.00'])
  expect(shown('SMART_NUMBER')[0]).toBe('x | 1.23k')
})

it('formats numbers, currencies and dates as set in the form and the dataset', () => {
  const frame = buildFrame({ day: [new Date('2024-02-01')], m: [1234.5], n: [0.5] })
  const form = { groupbyRows: ['day'], metrics: ['m', 'n'], temporal_columns_lookup: { day: true } }
  const row = (more: ChartForm) => read(drawn(frame, { ...form, ...more }))[1]
  expect(row({ valueFormat: 'SMART_NUMBER' })).toBe('2024-02-01 | 1.23k | 0.5')
  expect(row({ time_grain_sqla: 'P1M', valueFormat: ',.2f' })).toBe('February 2024 | 1,234.50 | 0.50')
  const money = { symbol: 'EUR', symbolPosition: 'suffix' }
  expect(row({ date_format: '%d.%m.%Y', valueFormat: ',d', currency_format: money })).toBe('01.02.2024 | 1,235 € | 1 €')
})

it('CTRL-096: rules tint the cells of their metric but not totals', () => {
  const pivot = drawn(sales, {
    ...both,
    colTotals: true,
    rowTotals: true,
    conditional_formatting: [{ column: 'm', operator: '>', targetValue: 5, colorScheme: '#ACE1C4' }],
  })
  const theme = { tints: { green: 'green' }, tintOpacity: 1 } as never
  const tints = pivot.rows.lines.map((row) =>
    pivot.columns.lines.map((column) => (pivot.tint(row, column, pivot.cell(row, column), theme) ? 1 : 0)),
  )
  expect(tints).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ])
})

it('CTRL-096: a rule has a column, an operator with one target or a left and a right target, and a color', () => {
  const frame = buildFrame({ city: ['Bonn', 'Jena', 'Ulm'], m: [9, 5, 1], k: [1, 5, 9] })
  const theme = { tints: { green: 'green', yellow: 'yellow', red: 'red' }, tintOpacity: 1 } as never
  const tintsBy = (rule: object) => {
    const pivot = drawn(frame, { groupbyRows: ['city'], metrics: ['m', 'k'], conditional_formatting: [rule] })
    return pivot.rows.lines.map((row) =>
      pivot.columns.lines.map((column) => pivot.tint(row, column, pivot.cell(row, column), theme)),
    )
  }
  const none = [null, null]
  const one = { column: 'm', operator: '>', targetValue: 5, colorScheme: '#FDE380' }
  expect(tintsBy(one)).toEqual([['yellow', null], none, none])
  const two = { column: 'k', operator: '< x <', targetValueLeft: 1, targetValueRight: 9, colorScheme: '#EFA1AA' }
  expect(tintsBy(two)).toEqual([none, [null, 'red'], none])
})

it('queries each combination once, times by their grain, sorted by the sort metric', () => {
  const form = {
    viz_type: 'pivot_table_v2',
    groupbyRows: ['day', 'a'],
    groupbyColumns: ['a', 'b'],
    metrics: ['m'],
    time_grain_sqla: 'P1W',
    temporal_columns_lookup: { day: true },
  }
  const asked = namedQueries(chart, form).cells!
  expect(
    asked.columns?.map((column) => (typeof column === 'string' ? column : [column.label, column.timeGrain])),
  ).toEqual(['a', 'b', ['day', 'P1W']])
  expect([asked.metrics, asked.orderby, asked.row_limit]).toEqual([['m'], [['m', false]], 10_000])
  expect(namedQueries(chart, { ...form, series_limit_metric: 'k', order_desc: false }).cells!.orderby).toEqual([
    ['k', true],
  ])
})

it('converts the legacy pivot table', async () => {
  const opened = await loadStoredForm({
    viz_type: 'pivot_table',
    groupby: ['a'],
    columns: ['b'],
    metrics: ['m'],
    pandas_aggfunc: 'mean',
    pivot_margins: true,
    combine_metric: true,
    transpose_pivot: false,
    number_format: ',.1f',
    row_limit: 500,
    timeseries_limit_metric: 'k',
  })
  expect(opened?.chart).toBe(chart)
  expect(opened?.form).toMatchObject({
    viz_type: 'pivot_table_v2',
    groupbyRows: ['a'],
    groupbyColumns: ['b'],
    aggregateFunction: 'Average',
    colTotals: true,
    colSubTotals: true,
    combineMetric: true,
    transposePivot: false,
    valueFormat: ',.1f',
    row_limit: 500,
    series_limit_metric: 'k',
    rowOrder: 'value_z_to_a',
    form_data_bak: { viz_type: 'pivot_table', groupby: ['a'] },
  })
})

it('notes when totals are not calculated from the data and when there may be more rows', () => {
  const avg = { expressionType: 'SIMPLE', aggregate: 'AVG', column: { column_name: 'x' }, label: 'mean of x' }
  const sum = { ...avg, aggregate: 'SUM', label: 'sum of x' }
  const notes = (more: ChartForm) => buildSpec(sales, { ...both, colTotals: true, ...more }).notes
  expect(notes({ metrics: [sum] })).toEqual([])
  expect(notes({ metrics: [avg], colTotals: false })).toEqual([])
  expect(notes({ metrics: [avg], groupbyRows: [] })).toEqual([])
  expect(notes({ metrics: [avg] })).toEqual([
    'Totals of mean of x are calculated from the values shown (Sum), not from the underlying data.',
  ])
  expect(notes({ metrics: [sum], aggregateFunction: 'Average' })).toHaveLength(1)
  expect(notes({ metrics: [{ ...avg, aggregate: 'MAX' }], aggregateFunction: 'Maximum' })).toEqual([])
  const sql = (sqlExpression: string) =>
    notes({ metrics: [{ expressionType: 'SQL', sqlExpression, label: 'm' }] }).length
  expect(['SUM(a)', 'count(*)', 'SUM(a) / SUM(b)', 'COUNT(DISTINCT a)', 'sum(a)+1'].map(sql)).toEqual([0, 0, 1, 1, 1])
  const combined = { metrics: [avg, sum], combineMetric: true, colTotals: false }
  expect(notes({ ...combined, rowTotals: true })).toHaveLength(1)
  expect(notes({ ...combined, colSubTotals: true })).toEqual([])
  expect(notes({ metrics: [sum], row_limit: 5 })).toEqual([
    'The cell limit of 5 was reached. There may be more data than shown.',
    'Totals include only the cells shown.',
  ])
})

it('uses the expression of a saved metric if the dataset has it', () => {
  const form = applyDefaults(chart.form, { metrics: ['total', 'rate', 'unknown'], groupbyRows: ['a'], colTotals: true })
  const metrics = [
    { metric_name: 'total', expression: 'SUM(amount)' },
    { metric_name: 'rate', expression: 'AVG(late) * 100' },
  ]
  const { notes } = chart.spec({}, form, buildSpecContext(form, { dataset: { metrics } })) as PivotSpec
  expect(notes).toEqual(['Totals of rate are calculated from the values shown (Sum), not from the underlying data.'])
})

it('marks filter by names and drill by times as well', () => {
  const day = new Date('2024-02-01')
  const frame = buildFrame({ day: [day, day], a: ['x', null], m: [1, 2] })
  const form = { groupbyRows: ['day', 'a'], time_grain_sqla: 'P1M' }
  const pivot = buildPivot(frame, buildSpec(frame, form))
  const mark = buildPivotMark(pivot, { row: { level: 1, at: 1 }, column: rootGroup, label: 'm' }, form)
  expect(mark).toMatchObject({
    filters: [{ col: 'a', op: 'IS NULL' }],
    drill: [
      { col: 'day', op: '==', val: day.getTime(), grain: 'P1M' },
      { col: 'a', op: 'IS NULL' },
    ],
    key: { day: day.getTime(), a: null },
  })
  expect(buildPivotMark(pivot, { row: rootGroup, column: rootGroup, label: 'm' }, form)).toBeNull()
})

it('marks of long integers can be serialized as JSON and are distinguished from other values', () => {
  const frame = buildFrame({ id: [2n ** 60n, 2n ** 60n + 1n], m: [1, 2] })
  const form = { groupbyRows: ['id'] }
  const pivot = buildPivot(frame, buildSpec(frame, form))
  const [one, other] = [0, 1].map((index) => ({ level: 0, at: index }))
  const mark = buildPivotMark(pivot, { row: one!, column: rootGroup, label: 'm' }, form)!
  expect(JSON.parse(JSON.stringify(mark))).toMatchObject({ key: { id: '1152921504606846976' } })
  expect([one, other].map((row) => isOutsideMark(pivot, mark.key, row!, rootGroup))).toEqual([false, true])
  const several = { id: [mark.key['id'], '3'] }
  expect([one, other].map((row) => isOutsideMark(pivot, several, row!, rootGroup))).toEqual([false, true])
})

it('copies the selection with its column headings, for spreadsheets and as text', () => {
  const pivot = drawn(sales, { ...both, colTotals: true })
  const all = { top: 0, bottom: 3, left: 0, right: 3 }
  expect(formatTsv(cellsToCopy(pivot, all), true)).toBe(
    [
      '\t\tm\tm',
      'region\tcity\t2024\t2025',
      'East\tJena\t4\t6',
      'East\tUlm\t10\t',
      'West\tBonn\t1\t9',
      'Total (Sum)\t\t15\t15',
    ].join('\n'),
  )
  expect(formatTsv(cellsToCopy(pivot, { top: 0, bottom: 1, left: 2, right: 2 }), false)).toBe('4\n10')
  const html = formatHtmlTable(cellsToCopy(pivot, all), true)
  expect(html).toContain('<tr><th>region</th><th>city</th><th>2024</th><th>2025</th></tr>')
  expect(html).toContain('<td style="text-align:right">15</td>')
})

it('regression: 0.1 + 0.2 is copied as 0.3', () => {
  const frame = buildFrame({ a: ['x', 'y'], m: [0.1, 0.2] })
  const pivot = drawn(frame, { groupbyRows: ['a'], colTotals: true })
  expect(formatTsv(cellsToCopy(pivot, { top: 2, bottom: 2, left: 1, right: 1 }), false)).toBe('0.3')
})

const answers = Object.entries(buildHostileFrames('a', 'm'))
it.each(answers)('draws %s', async (_, { rows }) => {
  for (const more of [
    { groupbyRows: ['a'] },
    { groupbyColumns: ['a'], rowTotals: true },
    { groupbyRows: ['a'], rowOrder: 'value_z_to_a' },
  ]) {
    const form = { viz_type: 'pivot_table_v2', metrics: ['m'], colTotals: true, ...more }
    const { svg } = await drawChart('pivot_table_v2', { cells: rows }, form, { width: 320 })
    expect(svg).not.toContain('NaN')
    expect(svg).not.toContain('<script>')
  }
})

it('an image keeps the total and counts the rows that do not fit', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => index)
  const frame = buildFrame({ a: rows, m: rows })
  const form = { viz_type: 'pivot_table_v2', groupbyRows: ['a'], metrics: ['m'], colTotals: true, valueFormat: ',d' }
  const { svg } = await drawChart('pivot_table_v2', { cells: frame }, form, { height: 200 })
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text)
  expect(texts).toContain('4,950')
  const drawnRows = texts.filter((text) => /^\d+$/.test(text!)).length / 2
  expect(texts).toContain(`${100 - drawnRows} more rows not shown. Totals include what is not shown.`)
  expect(svg).toContain('<desc>Pivot table of m: 101 rows, 1 column.</desc>')
})

it('row headings shrink when space is scarce, and all columns grow when there is more', () => {
  const frame = buildFrame({ a: ['a name that is rather long, for a heading', 'b'], b: ['x', 'y'], m: [1, 2] })
  const pivot = drawn(frame, { groupbyRows: ['a'], groupbyColumns: ['b'] })
  const five = [1, 2, 3, 4, 5]
  const deep = drawn(
    buildFrame({
      a: five.map(() => 'a name that is rather long, for a heading'),
      b: five.map(() => 'one of twelve'),
      c: five,
      m: five,
    }),
    { groupbyRows: ['a', 'b'], groupbyColumns: ['c'] },
  )
  const [tight, roomy] = [computePivotWidths(deep, 500).rows, computePivotWidths(deep, 5000).rows]
  // Only the widest shrinks; with enough space all are 1.5 times as wide.
  expect(tight[0]).toBeLessThan(roomy[0]! / 2)
  expect(tight[1]).toBe(Math.round(roomy[1]! / 1.5))
  const [narrow, wide] = [computePivotWidths(pivot, 200), computePivotWidths(pivot, 2000)]
  expect(narrow.rows[0]).toBeLessThanOrEqual(96)
  expect(wide.rows[0]! / narrow.rows[0]!).toBeGreaterThan(2)
  expect(wide.columns[0]).toBeGreaterThan(narrow.columns[0]!)
})

it('cuts no heading that fits, including headings over several columns', () => {
  const long = 'a measure with a name that is longer than all of its numbers together'
  const frame = buildFrame({ a: ['x', 'x'], b: ['2024', '2025'], [long]: [1, 2] })
  const under = drawn(frame, { groupbyRows: ['a'], groupbyColumns: ['b'], metrics: [long] })
  const alone = drawn(buildFrame({ a: ['x'], [long]: [1] }), {
    groupbyRows: ['a'],
    groupbyColumns: [],
    metrics: [long],
  })
  const needed = textWidth(long, 12) + 16
  const across = (of: RenderedPivot, room: number) =>
    computePivotWidths(of, room).columns.reduce((all, width) => all + width, 0)
  for (const pivot of [under, alone]) {
    expect(across(pivot, 700)).toBeGreaterThanOrEqual(needed)
    // With less space they share what is available.
    expect(across(pivot, 300)).toBeLessThan(needed)
    expect(computePivotWidths(pivot, 300).rows[0]! + across(pivot, 300)).toBeLessThanOrEqual(300)
  }
  const far = 'a heading of rows that is much longer than what there is of room for it in a narrow window, and goes on'
  const rows = drawn(buildFrame({ a: [far], m: [1] }), { groupbyRows: ['a'], groupbyColumns: [], metrics: ['m'] })
  expect(computePivotWidths(rows, 1200).rows[0]).toBeGreaterThanOrEqual(textWidth(far, 12) + 16)
  expect(computePivotWidths(rows, 300).rows[0]).toBeLessThan(textWidth(far, 12))
})

it('building a large pivot in steps gives the same result', () => {
  const steps = buildPivotInSteps(sales, buildSpec(sales, both))
  let count = 0
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      expect(step.value.cell(rootGroup, rootGroup).value).toBe(30)
      break
    }
    count += 1
  }
  expect(count).toBeGreaterThan(4)
})

it('regression: an image without space for all columns keeps the total, and counts the others', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `month ${index}`)
  const frame = buildFrame({ a: names.map(() => 'x'), b: names, m: names.map((_, index) => 1000 + index) })
  const { columns: counts } = buildFrame({ n: names.map((_, index) => index + 1) })
  const form = { groupbyRows: ['a'], groupbyColumns: ['b'], metrics: ['m'], colTotals: true, rowTotals: true }
  const { svg } = await drawChart('pivot_table_v2', { cells: frame }, form, { width: 420, height: 200 })
  const texts = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text!)
  const months = texts.filter((text) => text.startsWith('month'))
  expect(months.length).toBeGreaterThan(0)
  expect(months).toEqual(names.slice(0, months.length))
  expect(texts.filter((text) => text === 'Total (Sum)')).toHaveLength(2)
  expect(texts).toContain('12.1k')
  expect(texts).toContain(`${12 - months.length} more columns not shown. Totals include what is not shown.`)
  const more = { ...form, metrics: ['m', 'n'], metricsLayout: 'ROWS' }
  const rows = await drawChart(
    'pivot_table_v2',
    { cells: { ...frame, columns: [...frame.columns, ...counts] } },
    more,
    {
      width: 420,
      height: 200,
    },
  )
  expect([...rows.svg.matchAll(/>(Total \(Sum\)|m|n|12\.1k|78)<\/text>/g)].map(([, text]) => text).toSorted()).toEqual(
    ['12.1k', '12.1k', '78', '78', 'Total (Sum)', 'Total (Sum)', 'm', 'm', 'n', 'n'].toSorted(),
  )
})
