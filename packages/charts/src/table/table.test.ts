import type { Frame } from '@parquetry/frame'
import { buildFrame, numberAt } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { themes } from '../resolve/theme.ts'
import { findColumn } from '../shared/column.ts'
import { conditionOperators } from '../shared/conditional-formats.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { buildDownloadContext } from '../query/build-download-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toggleSort, sortRows } from '../views/visible-rows.ts'
import { resolveCellColors, readConditionValue, columnFormatter } from './cells.ts'
import chart, { type TableSpec } from './chart.ts'
import type { TableColumn } from './columns.ts'

chartSuite(chart, 'table')

const buildColumns = (frame: Frame, more: object): TableColumn[] => {
  const form = applyDefaults(chart.form, { viz_type: 'table', ...more })
  return chart.spec({ rows: frame }, form, buildSpecContext(form))['columns'] as TableColumn[]
}

it('regression: raw records have cell bars', () => {
  const frame = buildFrame({ a: [1, 2], name: ['x', 'y'] })
  const barsOf = (more: object) =>
    buildColumns(frame, { query_mode: 'raw', all_columns: ['a', 'name'], ...more }).map(({ bars }) => bars !== null)
  expect(barsOf({})).toEqual([true, false])
  expect(barsOf({ show_cell_bars: false })).toEqual([false, false])
  expect(barsOf({ column_config: { a: { showCellBars: false } } })).toEqual([false, false])
})

it('regression: numbers and times have the formats of the API unless the form sets others', () => {
  const frame = buildFrame({ day: [new Date('2003-02-24')], id: [100_000], amount: [11_712.5], rate: [0.12345] })
  const shown = (more: object) =>
    buildColumns(frame, { groupby: ['day', 'id'], metrics: ['amount', 'rate'], ...more }).map((column, index) => {
      const value = [Date.UTC(2003, 1, 24), 100_000, 11_712.5, 0.12345][index]
      return columnFormatter(column, 'en')(value)
    })
  expect(shown({})).toEqual(['2003-02-24 00:00:00', '100000', '11.7k', '0.1235'])
  expect(shown({ table_timestamp_format: '%d.%m.%Y' })[0]).toBe('24.02.2003')
  expect(shown({ time_grain_sqla: 'P1M', temporal_columns_lookup: { day: true } })[0]).toBe('February 2003')
  const column_config = {
    id: { d3NumberFormat: ',d' },
    amount: { d3NumberFormat: ',.1f', currencyFormat: { symbol: 'USD', symbolPosition: 'prefix' } },
    rate: { d3SmallNumberFormat: '.1%' },
  }
  expect(shown({ column_config }).slice(1)).toEqual(['100,000', '$ 11,712.5', '12.3%'])
})

it('regression: rounding noise of sums is not shown, and PostgreSQL numerics are numbers', () => {
  const [plain, smart] = buildColumns(buildFrame({ a: [1.5], m: [1.5] }), { groupby: ['a'], metrics: ['m'] })
  expect([1980.8500000000001, 0.1 + 0.2, 1234567890123, 1e-9].map(columnFormatter(plain!, 'en'))).toEqual([
    '1980.85',
    '0.3',
    '1234567890123',
    '1e-9',
  ])
  expect(['1980.8500000000000000', '11712.333333333333333'].map(columnFormatter(smart!, 'en'))).toEqual([
    '1.98k',
    '11.7k',
  ])
})

it('CONST-005: fraction digits round a column that has no number format of its own', () => {
  const numeric = buildFrame({ n: [1.5] })
  const formatOf = (n: Record<string, unknown>) =>
    buildColumns(numeric, { metrics: ['n'], column_config: { n } })[0]?.format
  expect(formatOf({ fractionDigits: 0 })).toBe(',.0f')
  expect(formatOf({ fractionDigits: 3 })).toBe(',.3f')
  expect(formatOf({ fractionDigits: 3, d3NumberFormat: ',.1%' })).toBe(',.1%')
})

it('regression: numbers that an engine sends as text are formatted', () => {
  const frame = buildFrame({ n: ['11712.50', '12345678901234567.89'] })
  const numeric: Frame = { ...frame, columns: frame.columns.map((column) => ({ ...column, numeric: true }) as never) }
  const [column] = buildColumns(numeric, { metrics: ['n'], column_config: { n: { d3NumberFormat: ',.1f' } } })
  const write = columnFormatter(column!, 'en')
  expect(['11712.50', '-0.25', '12345678901234567.89', 'NaN', null].map(write)).toEqual([
    '11,712.5',
    '-0.3',
    '12345678901234567.89',
    'NaN',
    '∅',
  ])
})

describe('server pagination', () => {
  const form = {
    viz_type: 'table',
    groupby: ['city', 'country'],
    metrics: ['n', 'm'],
    server_pagination: true,
    show_totals: true,
    adhoc_filters: [{ expressionType: 'SIMPLE', clause: 'WHERE', subject: 'year', operator: '==', comparator: 2024 }],
  }
  const ask = (state: object, more: object = {}) => namedQueries(chart, { ...form, ...more }, state as never)
  const own = { col: 'year', op: '==', val: 2024 }

  it('queries a page sorted by all selected headings', () => {
    const sortBy = [{ key: 'country' }, { key: 'm', desc: true }, { key: 'gone' }]
    expect(ask({ currentPage: 2, pageSize: 20, sortBy })['rows']).toMatchObject({
      row_limit: 20,
      row_offset: 40,
      orderby: [
        ['country', true],
        ['m', false],
      ],
    })
  })
  it('regression: a search is a filter on rows, count and totals, not limited to the current page', () => {
    const found = [own, { col: 'city', op: 'ILIKE', val: '%Par%' }]
    const asked = ask({ searchText: ' Par ', searchColumn: 'city' })
    expect(Object.values(asked).map(({ filters }) => filters)).toEqual([found, found, found])
    for (const state of [
      { searchText: 'Par' },
      { searchText: 'Par', searchColumn: 'gone' },
      { searchText: ' ', searchColumn: 'city' },
    ])
      expect(ask(state)['rows']?.filters).toEqual([own])
    expect(ask({ searchText: 'Par', searchColumn: 'city' }, { server_pagination: false })['rows']?.filters).toEqual([
      own,
    ])
  })
})

describe('rows sorted by several columns', () => {
  const frame = buildFrame({ a: ['x', 'y', 'x', null], n: [2, 1, 1, 9] })
  const rows = (...sorting: [column: string, isDescending: boolean][]) => [
    ...sortRows(
      frame,
      sorting.map(([column, isDescending]) => ({ column, isDescending })),
    ),
  ]
  it('are sorted by the next column where the first is equal, nulls last', () => {
    expect(rows(['a', false], ['n', false])).toEqual([2, 0, 1, 3])
    expect(rows(['a', true], ['n', true])).toEqual([1, 0, 2, 3])
    expect(rows(['n', false], ['a', false])).toEqual([2, 1, 0, 3])
    expect(rows(['gone', false])).toEqual([0, 1, 2, 3])
  })
  it('a click replaces the order, Shift and click extends it', () => {
    const a = toggleSort([], 'a')
    expect(a).toEqual([{ column: 'a', isDescending: false }])
    const both = toggleSort(a, 'n', true)
    expect(both).toEqual([...a, { column: 'n', isDescending: false }])
    expect(toggleSort(both, 'a', true)).toEqual([{ column: 'a', isDescending: true }, both[1]])
    expect(toggleSort(toggleSort(both, 'a', true), 'a', true)).toEqual([both[1]])
    expect(toggleSort(both, 'n')).toEqual([{ column: 'n', isDescending: true }])
    expect(toggleSort(both, 'b')).toEqual([{ column: 'b', isDescending: false }])
  })
})

describe('conditional formatting', () => {
  const { light } = themes
  const frame = buildFrame({ city: ['Paris', 'Lyon', null], n: [0, 50, 100], m: [1, 2, null] })
  const groundsOf = (rule: object, name = 'n', ground: 'ground' | 'ink' = 'ground') => {
    const more = {
      conditional_formatting: [{ column: 'n', operator: '>', targetValue: 20, colorScheme: '#ACE1C4', ...rule }],
    }
    const column = buildColumns(frame, { groupby: ['city'], metrics: ['n', 'm'], ...more }).find(
      (each) => each.name === name,
    )!
    return [0, 1, 2].map(
      (row) => resolveCellColors(column, (of) => readConditionValue(findColumn(frame, of), row), light)[ground],
    )
  }
  const green = (strength: number) => `rgba(205,238,218,${strength})`

  it('CTRL-102: regression: the tint is stronger the further a value is from the target', () => {
    expect(groundsOf({})).toEqual([null, green(0.53), light.tints.green])
    expect(groundsOf({ operator: 'None' })).toEqual([green(0.05), green(0.53), light.tints.green])
    expect(groundsOf({ operator: '<', targetValue: 60 })).toEqual([light.tints.green, green(0.38), null])
    expect(groundsOf({ operator: '≤ x ≤', targetValueLeft: 0, targetValueRight: 200 })).toEqual([
      green(0.25),
      green(0.44),
      green(0.63),
    ])
    expect(groundsOf({ operator: '≠', targetValue: 100 })).toEqual([light.tints.green, green(0.63), null])
    expect(groundsOf({ operator: '=', targetValue: '50' })).toEqual([null, light.tints.green, null])
    expect(groundsOf({ useGradient: false })).toEqual([null, light.tints.green, light.tints.green])
  })
  it('CTRL-102: tints the cells that match its operator; the four range operators differ in their ends', () => {
    const held = (operator: string, more: object) =>
      groundsOf({ operator, useGradient: false, ...more }).flatMap((ground, row) => (ground === null ? [] : [row]))
    const ways = ['>', '<', '≥', '≤', '=', '≠'].map((operator) => [operator, held(operator, { targetValue: 50 })])
    const ends = { targetValueLeft: 0, targetValueRight: 100 }
    const between = ['< x <', '≤ x ≤', '≤ x <', '< x ≤'].map((operator) => [operator, held(operator, ends)])
    expect([['None', held('None', {})], ...ways, ...between]).toEqual([
      ['None', [0, 1, 2]],
      ['>', [2]],
      ['<', [0]],
      ['≥', [1, 2]],
      ['≤', [0, 1]],
      ['=', [1]],
      ['≠', [0, 2]],
      ['< x <', [1]],
      ['≤ x ≤', [0, 1, 2]],
      ['≤ x <', [0, 1]],
      ['< x ≤', [1, 2]],
    ])
    expect(conditionOperators).toEqual(['None', ...ways.map(([name]) => name), ...between.map(([name]) => name)])
  })
  it('supports text and nulls', () => {
    const texts = (operator: string, targetValue?: string) =>
      groundsOf({ column: 'city', operator, targetValue }, 'city').map((ground) => ground !== null)
    expect(texts('=', 'lyon')).toEqual([false, true, false])
    expect(texts('≠', 'lyon')).toEqual([true, false, false])
    expect(texts('begins with', 'pa')).toEqual([true, false, false])
    expect(texts('ends with', 'n')).toEqual([false, true, false])
    expect(texts('containing', 'YO')).toEqual([false, true, false])
    expect(texts('not containing', 'yo')).toEqual([true, false, false])
    expect(texts('containing', '')).toEqual([false, false, false])
    expect(texts('is null')).toEqual([false, false, true])
    expect(texts('is not null')).toEqual([true, true, false])
  })
  it('colors whole rows and text if the rule is set to', () => {
    expect(groundsOf({}, 'city')).toEqual([null, null, null])
    expect(groundsOf({ toAllRow: true, useGradient: false }, 'city')).toEqual([
      null,
      light.tints.green,
      light.tints.green,
    ])
    expect(groundsOf({ toTextColor: true })).toEqual([null, null, null])
    expect(groundsOf({ toTextColor: true }, 'n', 'ink')).toEqual([null, light.good, light.good])
  })
})

it('converts the table of later releases', async () => {
  const opened = await loadStoredForm({
    viz_type: 'ag-grid-table',
    query_mode: 'raw',
    all_columns: ['a'],
    include_search: true,
  })
  expect(opened?.chart).toBe(chart)
  expect(opened?.form).toEqual({ viz_type: 'table', query_mode: 'raw', all_columns: ['a'], include_search: true })
})

describe('time comparison', () => {
  const form = { viz_type: 'table', groupby: ['g'], metrics: ['n'], time_compare: '1 year ago', show_totals: true }
  const compare = (compare_type: string, more: object = {}) => ({
    operation: 'compare',
    options: {
      source_columns: ['n'],
      compare_columns: ['n__1 year ago'],
      compare_type,
      drop_original_columns: false,
      ...more,
    },
  })

  it('queries the comparison time and the differences for rows and totals', () => {
    const asked = namedQueries(chart, { ...form, server_pagination: true })
    const steps = [compare('difference'), compare('percentage', { precision: 6 })]
    expect(asked['rows']).toMatchObject({ time_offsets: ['1 year ago'], post_processing: steps })
    expect(asked['totals']).toMatchObject({ time_offsets: ['1 year ago'], post_processing: steps, columns: [] })
    expect(asked['count']).not.toHaveProperty('time_offsets')
  })
  it.each([
    [{ time_compare: ['inherit'] }, ['inherit']],
    [{ time_compare: 'custom', start_date_offset: '2025-03-01T00:00:00' }, ['2025-03-01']],
    [{ time_compare: 'custom' }, undefined],
    [{ query_mode: 'raw', all_columns: ['a'] }, undefined],
    [{ time_compare: null }, undefined],
    [{ metrics: [], percent_metrics: ['n'] }, undefined],
  ])('%j', (more, offsets) => {
    expect(namedQueries(chart, { ...form, ...more })['rows']?.time_offsets).toEqual(offsets)
  })

  it('shows a metric, its previous value and the differences side by side', () => {
    const frame = buildFrame({
      g: ['a'],
      n: [12],
      m: [1],
      'n__1 year ago': [10],
      'm__1 year ago': [2],
      'difference__n__n__1 year ago': [2],
      'difference__m__m__1 year ago': [-1],
      'percentage__n__n__1 year ago': [0.2],
      'percentage__m__m__1 year ago': [-0.5],
    })
    const columns = buildColumns(frame, { ...form, metrics: ['n', 'm'], comparison_color_enabled: true })
    const shown = columns.map((column) => {
      const value = numberAt(findColumn(frame, column.name)!, 0)
      return [
        column.label,
        columnFormatter(column, 'en')(value),
        resolveCellColors(column, () => value, themes.light).ink,
      ]
    })
    const { good, bad } = themes.light
    expect(shown.slice(1)).toEqual([
      ['n', '12', null],
      ['# n', '10', null],
      ['△ n', '2', good],
      ['% n', '+20.0%', good],
      ['m', '1', null],
      ['# m', '2', null],
      ['△ m', '−1', bad],
      ['% m', '-50.0%', bad],
    ])
  })
})

describe('totals and shares', () => {
  const form = {
    viz_type: 'table',
    groupby: ['g'],
    metrics: ['SUM(v)'],
    percent_metrics: ['SUM(v)'],
    show_totals: true,
  }
  const shares = (more: object = {}) => ({
    operation: 'contribution',
    options: { columns: ['SUM(v)'], rename_columns: ['%SUM(v)'], ...more },
  })

  it('C045: HAVING selects the same groups for the totals as for the rows, also on pages', () => {
    const having = { expressionType: 'SQL', clause: 'HAVING', sqlExpression: 'COUNT(*) > 2' }
    for (const more of [{ having: 'COUNT(*) > 2' }, { adhoc_filters: [having] }])
      for (const server_pagination of [false, true]) {
        const { rows, count, totals } = namedQueries(chart, { ...form, ...more, server_pagination })
        expect(totals).toMatchObject({ columns: [], having_columns: ['g'], extras: rows!.extras! })
        expect(rows?.extras?.having).toContain('COUNT(*) > 2')
        expect(rows).not.toHaveProperty('having_columns')
        if (server_pagination) expect(count).toMatchObject({ columns: ['g'], extras: rows!.extras! })
      }
    expect(namedQueries(chart, form).totals).not.toHaveProperty('having_columns')
  })

  it('C046: shares are of the rows within the limit, or of all records, which pages always use', () => {
    const steps = (more: object) => namedQueries(chart, { ...form, ...more }).rows?.post_processing
    expect(steps({})).toEqual([shares()])
    expect(steps({ percent_metric_calculation: 'row_limit' })).toEqual([shares()])
    expect(steps({ percent_metric_calculation: 'all_records' })).toEqual([shares({ whole: 'all_records' })])
    expect(steps({ server_pagination: true })).toEqual([shares({ whole: 'all_records' })])
  })

  it('C046: the totals have a share, and it is that of the whole', () => {
    for (const percent_metric_calculation of ['row_limit', 'all_records'])
      expect(namedQueries(chart, { ...form, percent_metric_calculation }).totals?.post_processing).toEqual([shares()])
  })

  it('regression: a metric of which only the share is shown is not in the response, also when compared', () => {
    const only = { ...form, metrics: ['n'] }
    const { rows, totals } = namedQueries(chart, only)
    const removed = { operation: 'select', options: { exclude: ['SUM(v)'] } }
    expect(rows?.post_processing).toEqual([shares(), removed])
    expect(totals?.post_processing).toEqual([shares(), removed])
    const compared = namedQueries(chart, { ...only, time_compare: '1 year ago' }).rows?.post_processing
    expect(compared?.at(-1)).toEqual({ operation: 'select', options: { exclude: ['SUM(v)', 'SUM(v)__1 year ago'] } })
    expect(namedQueries(chart, { ...form, query_mode: 'raw', all_columns: ['a'] }).rows).not.toHaveProperty(
      'post_processing',
    )
  })

  it('regression: pages can be sorted by a share, which has the order of its metric', () => {
    const only = { ...form, metrics: [], server_pagination: true }
    const { rows } = namedQueries(chart, only, { sortBy: [{ key: '%SUM(v)', desc: true }] })
    expect(rows?.orderby).toEqual([['SUM(v)', false]])
  })

  it('says whether the totals cover more than the rows shown', () => {
    const frame = buildFrame({ g: ['a', 'b'], 'SUM(v)': [50, 30], '%SUM(v)': [0.625, 0.375] })
    const totals = buildFrame({ 'SUM(v)': [100], '%SUM(v)': [1] })
    const said = (more: object) => {
      const settled = applyDefaults(chart.form, { ...form, ...more })
      return chart.spec({ rows: frame, totals }, settled, buildSpecContext(settled)) as unknown as TableSpec
    }
    expect(said({ row_limit: 2 })).toMatchObject({ totalsCoverMore: true, totals: { 'SUM(v)': 100, '%SUM(v)': 1 } })
    expect(said({ row_limit: 3 }).totalsCoverMore).toBe(false)
    expect(said({ row_limit: 3, server_pagination: true }).totalsCoverMore).toBe(true)
  })

  it('regression: an image that leaves out rows says that the total is that of all rows', async () => {
    const rows = buildFrame({ g: [...'abcdefghij'], 'SUM(v)': Array(10).fill(10) })
    const totals = buildFrame({ 'SUM(v)': [100] })
    const plain = { ...form, percent_metrics: [] }
    const textsAt = async (height: number) => {
      const { svg } = await drawChart('table', { rows, totals }, plain, { width: 400, height })
      return [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text)
    }
    expect(await textsAt(200)).toEqual(expect.arrayContaining(['Total of all rows', '100']))
    expect(await textsAt(400)).toEqual(expect.arrayContaining(['Total', '100']))
  })

  it('C046: names the whole of a total share where the sums beside it cover more rows', () => {
    const frame = buildFrame({ g: ['a', 'b'], 'SUM(v)': [50, 30], '%SUM(v)': [0.625, 0.375] })
    const named = (more: object) =>
      buildColumns(frame, { ...form, ...more }).flatMap((each) => (each.isShareOfRowsShown ? [each.name] : []))
    expect(named({ row_limit: 2 })).toEqual(['%SUM(v)'])
    for (const more of [
      { row_limit: 3 },
      { row_limit: 2, percent_metric_calculation: 'all_records' },
      { row_limit: 2, server_pagination: true },
    ])
      expect(named(more)).toEqual([])
  })
})

it('regression: a table with totals or pages downloads as one file with all of its rows', () => {
  const form = { groupby: ['g'], metrics: ['n'], percent_metrics: ['n'], show_totals: true, row_limit: 500 }
  const { rows } = namedQueries(chart, form)
  expect(buildDownloadContext(chart, form, 'csv')).toMatchObject({ queries: [rows], result_format: 'csv' })
  const paged = { ...form, server_pagination: true, server_page_length: 10 }
  const { queries } = buildDownloadContext(chart, paged, 'xlsx')
  expect(queries).toEqual([{ ...rows, post_processing: namedQueries(chart, paged).rows!.post_processing }])
})

it('labels a share differently from a change', () => {
  const frame = buildFrame({
    g: ['a'],
    n: [1],
    'n__1 year ago': [2],
    '%n': [0.5],
    'percentage__n__n__1 year ago': [-0.5],
  })
  const form = { groupby: ['g'], metrics: ['n'], percent_metrics: ['n'], time_compare: '1 year ago' }
  expect(buildColumns(frame, form).map(({ label }) => label)).toEqual(['g', 'n', '# n', '△ % n', '% n'])
})

describe('column settings', () => {
  const shown = (column_config: object) =>
    buildColumns(buildFrame({ a: [1, 2] }), { query_mode: 'raw', all_columns: ['a'], column_config })[0]

  it('CTRL-038: accept only values of their types', () => {
    expect(shown({ a: { horizontalAlign: 'center', customColumnName: 'Sum' } })).toMatchObject({
      align: 'center',
      label: 'Sum',
    })
    expect(shown({ a: { horizontalAlign: 'middle', customColumnName: 'Sum' } })).toMatchObject({ align: 'right' })
    expect(shown({ a: { visible: 'no' } })).toBeDefined()
  })

  it('CTRL-039: accept a number as width', () => {
    expect([120, '120px', null].map((columnWidth) => shown({ a: { columnWidth } })?.width)).toEqual([120, null, null])
  })
})
