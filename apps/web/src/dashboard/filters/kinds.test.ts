import { createRandom } from '@parquetry/model/testing/random'
import { readLayout, type NativeFilter } from '@parquetry/model'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { restoreKind, convertKind, newFilter, wouldCreateCycle } from './config.ts'
import { kinds } from './kinds/kinds.gen.ts'
import { buildHistogram, buildSliderStops, readRangeMode, toSingleValueSetting } from './kinds/range/range.ts'
import { inheritedForm } from './inherited-form.ts'
import { getKind, kindOf, listAvailableKinds } from './kinds/registry.ts'
import { hasValue, formatEntry, missingValuesOf, buildSelectEntry } from './mask.ts'
import { mergeValues } from './merge-values.ts'
import { splitByDataset, buildHistogramQuery, buildPresenceQuery, buildValuesQuery } from './value-queries.ts'

const on = (filterType: string, column?: string): NativeFilter => ({
  ...newFilter('x', filterType),
  targets: [{ datasetId: 3, ...(column !== undefined && { column: { name: column } }) }],
})
const extraOf = (filterType: string, value: unknown, column?: string) =>
  getKind(filterType).entry(on(filterType, column), value).extraFormData

describe('kinds of filters', () => {
  it('every folder is a kind with a control, and every type used in documents has one', async () => {
    const folder = `${import.meta.dirname}/kinds`
    const folders = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/kind.ts`))
    expect(kinds.length).toBe(folders.length)
    expect(kinds.map(({ filterType }) => filterType)).toEqual(
      expect.arrayContaining([
        'filter_select',
        'filter_range',
        'filter_time',
        'filter_timecolumn',
        'filter_timegrain',
        'filter_groupby',
        null,
      ]),
    )
    expect(kindOf({ id: 'x', filterType: 'filter_of_tomorrow' })).toBeUndefined()
  })

  it('PERM-030: offers group by only with DASHBOARD_FILTERS_EXPERIMENTAL, but existing ones work without it', () => {
    const names = (flags: Record<string, boolean>) => listAvailableKinds(flags).map(({ filterType }) => filterType)
    expect(names({})).not.toContain('filter_groupby')
    expect(names({ DASHBOARD_FILTERS_EXPERIMENTAL: true })).toContain('filter_groupby')
    expect(names({})).toEqual(['filter_select', 'filter_range', 'filter_time', 'filter_timecolumn', 'filter_timegrain'])
    expect(kindOf(on('filter_groupby'))).toBeDefined()
  })

  it.each([
    [
      [1, 5],
      [
        { col: 'n', op: '>=', val: 1 },
        { col: 'n', op: '<=', val: 5 },
      ],
      '1 ≤ x ≤ 5',
    ],
    [[1, null], [{ col: 'n', op: '>=', val: 1 }], 'x ≥ 1'],
    [[null, 0], [{ col: 'n', op: '<=', val: 0 }], 'x ≤ 0'],
    [[4, 4], [{ col: 'n', op: '==', val: 4 }], 'x = 4'],
  ])('NATF-018: a range of %j matches the values within', (value, filters, label) => {
    const entry = getKind('filter_range').entry(on('filter_range', 'n'), value)
    expect(entry.extraFormData).toEqual({ filters })
    expect(formatEntry(entry)).toBe(label)
  })

  it('sets a time column, a grain or columns to group by, and nothing for an empty value', () => {
    expect(extraOf('filter_timecolumn', ['born'])).toEqual({ granularity_sqla: 'born' })
    expect(extraOf('filter_timegrain', 'P1M')).toEqual({ time_grain_sqla: 'P1M' })
    expect(extraOf('filter_groupby', ['a', 'b'])).toEqual({ interactive_groupby: ['a', 'b'] })
    for (const { filterType } of kinds.filter((kind) => kind.filterType !== null))
      for (const nothing of [null, undefined, [], ...(filterType === 'filter_range' ? [[null, null]] : [])]) {
        const entry = getKind(filterType).entry(on(filterType ?? '', 'n'), nothing)
        expect([filterType, hasValue(entry), entry.extraFormData]).toEqual([filterType, false, {}])
      }
  })

  it('a filter converted to another kind keeps its name and scope, and its column if that kind has one', () => {
    const filter = {
      ...on('filter_select', 'n'),
      name: 'N',
      cascadeParentIds: ['p'],
      controlValues: { enableEmptyFilter: true },
    }
    expect(convertKind(filter, 'filter_range')).toMatchObject({
      name: 'N',
      filterType: 'filter_range',
      targets: [{ datasetId: 3, column: { name: 'n' } }],
      cascadeParentIds: [],
    })
    expect(convertKind(filter, 'filter_time').targets).toEqual([{}])
    expect(convertKind(filter, 'filter_timegrain').targets).toEqual([{ datasetId: 3 }])
  })

  it('a filter converted back to an earlier kind regains its column, settings and parent filters', () => {
    const parent = { ...on('filter_select', 'p'), id: 'NATIVE_FILTER-parent' }
    const before = {
      ...on('filter_select', 'n'),
      cascadeParentIds: [parent.id, 'gone'],
      controlValues: { multiSelect: false },
    }
    const between = { ...convertKind(before, 'filter_time'), name: 'Named meanwhile' }
    expect(between.targets).toEqual([{}])
    expect(restoreKind(between, before, [parent])).toMatchObject({
      name: 'Named meanwhile',
      filterType: 'filter_select',
      targets: before.targets,
      controlValues: { multiSelect: false },
      cascadeParentIds: [parent.id],
    })
    const moved = { ...convertKind(before, 'filter_timegrain'), targets: [{ datasetId: 4 }] }
    expect(restoreKind(moved, before, [parent]).targets).toEqual([{ datasetId: 4 }])
    const below = { ...parent, cascadeParentIds: [before.id] }
    expect(restoreKind(between, before, [below]).cascadeParentIds).toEqual([])
  })

  it('a range has a histogram of its values', () => {
    expect(
      buildHistogram(
        [
          [0, 2],
          [1, 1],
          [9, 3],
          [10, 4],
        ],
        { least: 0, greatest: 10, parts: 2 },
      ),
    ).toEqual([3, 7])
    expect(buildHistogram([[5, 2]], { least: 5, greatest: 5, parts: 3 })).toEqual([2, 0, 0])
    expect([0, 1, 2, undefined, 'x'].map(readRangeMode)).toEqual(['min', 'max', 'exact', 'range', 'range'])
    expect(toSingleValueSetting(readRangeMode(2))).toBe(2)
  })

  it('a slider over whole numbers has each of them, and one over fractions round numbers', () => {
    const whole = buildSliderStops(5, 305)
    expect([whole.last, whole.valueAt(0), whole.valueAt(1), whole.positionOf(104)]).toEqual([300, 5, 6, 99])
    const share = buildSliderStops(0.137, 1)
    expect([share.valueAt(0), share.valueAt(1), share.valueAt(2)]).toEqual([0.137, 0.138, 0.139])
    const price = buildSliderStops(0.5, 99.99)
    expect([price.valueAt(1), price.valueAt(2), price.valueAt(price.last - 1)]).toEqual([0.6, 0.7, 99.9])
  })

  it('regression: a slider reaches the bounds of its column exactly, whatever its step', () => {
    const random = createRandom(7)
    for (let turn = 0; turn < 500; turn++) {
      const size = 10 ** Math.floor(random() * 30 - 15)
      const [a = 0, b = 0] = [random() - 0.3, random() - 0.3].map((each) => each * size)
      const [least, greatest] = [Math.min(a, b), Math.max(a, b)]
      const { last, valueAt, positionOf } = buildSliderStops(least, greatest)
      expect([valueAt(0), valueAt(last), positionOf(least), positionOf(greatest)]).toEqual([least, greatest, 0, last])
      const stops = Array.from({ length: last + 1 }, (_, position) => valueAt(position))
      for (const [at, value] of stops.slice(1).entries()) {
        expect(value).toBeGreaterThan(stops[at]!)
        expect(positionOf(value)).toBe(at + 1)
      }
    }
    expect(buildSliderStops(-Number.MAX_VALUE, Number.MAX_VALUE).valueAt(1)).toBe(Number.MAX_VALUE)
    expect(buildSliderStops(1e16, 1e16 + 2).valueAt(0)).toBe(1e16)
  })
})

describe('values of a filter', () => {
  const parent = buildSelectEntry({ ...on('filter_select', 'country'), id: 'P' }, ['FR'])
  const child: NativeFilter = {
    ...on('filter_select', 'city'),
    cascadeParentIds: ['P'],
    time_range: 'Last year',
    adhoc_filters: [
      { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'kind', operator: 'IN', comparator: ['big'] },
      { expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'people > 3' },
    ],
  }
  const queryOf = (body: object) => (body as { queries: Record<string, unknown>[] }).queries[0]!

  it('counts range values in the database when there are too many to fetch, each value in exactly one interval', () => {
    const range: NativeFilter = { id: 'R', targets: [{ datasetId: 3, column: { name: 'price' } }] }
    const { metrics, columns, filters } = queryOf(
      buildHistogramQuery(range, 1, {}, { least: -1, greatest: 2, parts: 3 }),
    ) as {
      metrics: object[]
      columns: string[]
      filters: object[]
    }
    expect([columns, filters]).toEqual([[], []])
    expect(metrics).toEqual(
      [
        [null, 0],
        [0, 1],
        [1, null],
      ].map((between, index) => ({
        expressionType: 'SIMPLE',
        aggregate: 'COUNT',
        column: { column_name: 'price' },
        between,
        label: String(index),
        hasCustomLabel: true,
      })),
    )
  })

  it('are merged from all datasets, each once with the summed count, in the order of the filter', () => {
    const targets = ['here', 'there'].map((name, index) => ({ datasetId: index + 1, column: { name } }))
    const both = { ...on('filter_select', 'here'), targets, sortMetric: 'people' }
    const asked = splitByDataset(both).map(
      (each) => buildValuesQuery(each, 1, {}, '') as { datasource: { id: number } },
    )
    expect(
      asked.map((body) => [body.datasource.id, queryOf(body)['columns'], (queryOf(body)['orderby'] as unknown[])[0]]),
    ).toMatchObject([
      [1, ['here'], ['people', false]],
      [2, ['there'], [{ label: 'count' }, false]],
    ])
    const lists = [
      [['b', 3] as const, ['a', 2] as const],
      [['c', 9] as const, ['a', 2] as const, [null, 1] as const],
    ]
    const inOrder = (more: object) => mergeValues({ ...on('filter_select', 'here'), ...more }, lists)
    expect(inOrder({})).toEqual([
      ['c', 9],
      ['a', 4],
      ['b', 3],
      [null, 1],
    ])
    expect(inOrder({ controlValues: { sortAscending: false } }).map(([value]) => value)).toEqual([null, 'c', 'b', 'a'])
    expect(inOrder({ sortMetric: 'people' }).map(([value]) => value)).toEqual(['b', 'a', 'c', null])
    const tens = [[[10, 1] as const], [[9, 1] as const]]
    expect(mergeValues({ ...on('filter_select', 'here'), controlValues: { sortAscending: true } }, tens)[0]).toEqual([
      9, 1,
    ])
  })

  it('are queried under the masks of parent filters and the condition and time range of the filter', () => {
    expect(queryOf(buildValuesQuery(child, 1, { P: parent }, ''))).toMatchObject({
      columns: ['city'],
      filters: [
        { col: 'country', op: 'IN', val: ['FR'] },
        { col: 'kind', op: 'IN', val: ['big'] },
      ],
      extras: { where: '(people > 3)' },
      time_range: 'Last year',
      row_limit: 1000,
      apply_fetch_values_predicate: true,
    })
    const byTime = { P: { extraFormData: { time_range: 'Last week' } } }
    expect(queryOf(buildValuesQuery(child, 1, byTime, '')), 'the parent’s time counts more').toMatchObject({
      time_range: 'Last week',
    })
  })

  it('are sorted by frequency, by value or by a metric', () => {
    const orderOf = (filter: NativeFilter) => queryOf(buildValuesQuery(filter, 1, {}, ''))['orderby']
    const by = (more: object) => orderOf({ ...child, ...more })
    expect(orderOf(child)).toMatchObject([
      [{ label: 'count' }, false],
      ['city', true],
    ])
    expect(by({ controlValues: { sortAscending: false } })).toEqual([['city', false]])
    expect(by({ sortMetric: 'people', controlValues: { sortAscending: true } })).toEqual([
      ['people', true],
      ['city', true],
    ])
  })

  it('regression: wildcards in typed text are searched as they are', () => {
    const { filters } = queryOf(buildValuesQuery(on('filter_select', 'city'), 1, {}, '50%_\\'))
    expect(filters).toEqual([{ col: 'city', op: 'ILIKE', val: String.raw`%50\%\_\\%` }])
  })

  it('chosen values that parent filters exclude stay chosen but are left out of the query', () => {
    const entry = buildSelectEntry(child, ['Paris', 'Rome'], ['Rome'])
    expect(entry.extraFormData).toEqual({ filters: [{ col: 'city', op: 'IN', val: ['Paris'] }] })
    expect(missingValuesOf(entry)).toEqual(['Rome'])
    expect(buildSelectEntry(child, ['Rome'], ['Rome'])).toMatchObject({
      extraFormData: {},
      filterState: { value: ['Rome'] },
    })
    expect(queryOf(buildPresenceQuery(child, 1, { P: parent }, ['Paris', 'Rome']))).toMatchObject({
      filters: expect.arrayContaining([{ col: 'city', op: 'IN', val: ['Paris', 'Rome'] }]) as unknown,
    })
  })

  it('no filter can depend on itself', () => {
    const at = (id: string, ...cascadeParentIds: string[]): NativeFilter => ({ id, cascadeParentIds })
    const all = [at('a'), at('b', 'a'), at('c', 'b')]
    expect(wouldCreateCycle(all, 'a', 'c')).toBe(true)
    expect(wouldCreateCycle(all, 'c', 'a')).toBe(false)
    expect(wouldCreateCycle(all, 'a', 'a')).toBe(true)
  })
})

describe('a chart that Explore opens from a dashboard', () => {
  const nodes = readLayout({
    ROOT_ID: { type: 'ROOT', children: ['a', 'b'] },
    a: { type: 'CHART', children: [], meta: { chartId: 1 } },
    b: { type: 'CHART', children: [], meta: { chartId: 2 } },
  }).nodes
  const country = {
    ...on('filter_select', 'country'),
    id: 'NATIVE_FILTER-c',
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
  }
  const mask = {
    [country.id]: buildSelectEntry(country, ['FR']),
    'NATIVE_FILTER-t': { extraFormData: { time_range: 'Last week' } },
    '2': { extraFormData: { filters: [{ col: 'kind', op: '==', val: 'x' }] } },
  }
  const time = {
    ...newFilter('t', 'filter_time'),
    id: 'NATIVE_FILTER-t',
    scope: { rootPath: ['ROOT_ID'], excluded: [2] },
  }
  const own = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'mine', operator: '==', comparator: 1 }
  const form = { viz_type: 'pie', adhoc_filters: [own] }
  const opened = (metadata: Record<string, unknown>, chart: number) =>
    inheritedForm(form, chart, { nodes, metadata }, mask, 'day')?.adhoc_filters as {
      subject: string
      isExtra?: boolean
    }[]

  it('NATF-019: shows the dashboard filters as inherited, beside its own', () => {
    const metadata = { native_filter_configuration: [country, time] }
    expect(opened(metadata, 1)).toEqual([
      own,
      {
        expressionType: 'SIMPLE',
        clause: 'WHERE',
        subject: 'country',
        operator: 'IN',
        comparator: ['FR'],
        isExtra: true,
      },
      { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'kind', operator: '==', comparator: 'x', isExtra: true },
      {
        expressionType: 'SIMPLE',
        clause: 'WHERE',
        subject: 'day',
        operator: 'TEMPORAL_RANGE',
        comparator: 'Last week',
        isExtra: true,
      },
    ])
    expect(inheritedForm(form, 1, { nodes, metadata }, {}, 'day')).toBeNull()
  })

  it('NATF-019: uses the time settings of the dashboard and retains its own', () => {
    const range = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'hour', operator: 'TEMPORAL_RANGE' }
    const ranged = { ...range, comparator: 'Last year' }
    const grained = { 'NATIVE_FILTER-t': { extraFormData: { time_range: 'Last week', time_grain_sqla: 'P1W' } } }
    const metadata = { native_filter_configuration: [time] }
    const of = (own: object) => inheritedForm({ viz_type: 'line', ...own }, 1, { nodes, metadata }, grained, 'day')
    expect(of({ adhoc_filters: [ranged], time_grain_sqla: 'P1D' })).toEqual({
      viz_type: 'line',
      time_grain_sqla: 'P1W',
      inherited_settings: { time_grain_sqla: { own: 'P1D', given: 'P1W' } },
      adhoc_filters: [{ ...range, comparator: 'Last week', isExtra: true, insteadOf: ranged }],
    })
    expect(of({ granularity_sqla: 'hour', time_range: 'Last year' })).toMatchObject({
      granularity_sqla: 'hour',
      time_range: 'Last week',
      inherited_settings: { time_range: { own: 'Last year', given: 'Last week' } },
      adhoc_filters: [],
    })
    const open = of({ granularity_sqla: 'hour', time_range: 'No filter' })
    expect(open).toMatchObject({
      inherited_settings: { time_range: { own: 'No filter' } },
      adhoc_filters: [{ subject: 'hour', comparator: 'Last week', isExtra: true }],
    })
    expect(open?.time_range, 'it would put the filter out of force').toBeUndefined()
    expect(of({})).toMatchObject({ adhoc_filters: [{ subject: 'day', comparator: 'Last week', isExtra: true }] })
    const isTime = (name: string) => ['day', 'hour'].includes(name)
    const onAxis = { viz_type: 'line', x_axis: 'day', adhoc_filters: [ranged] }
    expect(
      inheritedForm(onAxis, 1, { nodes, metadata }, grained, 'day', isTime)?.adhoc_filters,
      'reaches the axis and leaves the range on another column alone',
    ).toEqual([ranged, { ...range, subject: 'day', comparator: 'Last week', isExtra: true }])
  })

  it('NATF-020: inherits only native filters and cross-filters whose scope includes it', () => {
    const metadata = {
      native_filter_configuration: [country, time],
      chart_configuration: { 2: { crossFilters: { scope: { rootPath: ['ROOT_ID'], excluded: [1] } } } },
    }
    const subjects = (chart: number) => opened(metadata, chart).map(({ subject }) => subject)
    expect(subjects(1)).toEqual(['mine', 'country', 'day'])
    expect(subjects(2)).toEqual(['mine', 'country'])
  })
})
