import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { baseQuery } from '../query/base-query.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { withFilters } from '../query/extra-form-data.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart, { maxFilterValues, type FilterBoxSpec } from './chart.ts'
import { readChoices, defaultChoices, buildFilterBoxMask, timeKeys } from './choices.ts'

chartSuite(chart, 'filter-box')

const base = { viz_type: 'filter_box' }
const buildForm = (filter_configs: object[], more: object = {}) => ({ ...base, filter_configs, ...more })
const buildSpec = (form: Record<string, unknown>, values: (string | null)[] = ['a']) => {
  const settled = applyDefaults(chart.form, form)
  return chart.spec(
    toFrames({ values_0: [{ name: 'shop', values }] }),
    settled,
    buildSpecContext(settled),
  ) as FilterBoxSpec
}

it('NATF-048, NATF-049: queries the values of each column, at most 1000', () => {
  const queries = namedQueries(chart, buildForm([{ column: 'shop' }, { column: 'town' }]))
  expect(Object.values(queries).map(({ columns, row_limit }) => [columns, row_limit])).toEqual([
    [['shop'], 1000],
    [['town'], 1000],
  ])
  expect(maxFilterValues).toBe(1000)
  expect(Object.keys(namedQueries(chart, base))).toEqual(['rows'])
})

it('NATF-050: sorts values in ascending order, by value or by the metric of the item', () => {
  const orderOf = (item: object) => namedQueries(chart, buildForm([{ column: 'shop', ...item }])).values_0?.orderby
  expect(orderOf({})).toEqual([['shop', true]])
  expect(orderOf({ asc: false })).toEqual([['shop', false]])
  expect(orderOf({ metric: 'sales', asc: false })).toEqual([['sales', false]])
})

it('NATF-051 to NATF-053: by default, an item accepts several values, may be empty and searches the loaded values', () => {
  const [item] = buildSpec(buildForm([{ column: 'shop' }])).items
  expect(item).toMatchObject({ isMultiple: true, isRequired: false, searchesAll: false })
  const [own] = buildSpec(
    buildForm([{ column: 'shop', multiple: false, clearable: false, searchAllOptions: true }]),
  ).items
  expect(own).toMatchObject({ isMultiple: false, isRequired: true, searchesAll: true })
})

it('limits the values by the filters of the form', () => {
  const filter = { clause: 'WHERE', expressionType: 'SIMPLE', subject: 'open', operator: '==', comparator: 1 }
  const { values_0 } = namedQueries(chart, buildForm([{ column: 'shop' }], { adhoc_filters: [filter] }))
  expect(values_0?.filters).toMatchObject([{ col: 'open', op: '==', val: 1 }])
})

it('NATF-042: starts with the default of an item, several separated by semicolons', () => {
  const defaults = (item: object) => defaultChoices(buildForm([{ column: 'shop', ...item }]))
  expect(defaults({ defaultValue: 'east; west;' })).toEqual({ shop: ['east', 'west'] })
  expect(defaults({ defaultValue: 'east; west', multiple: false })).toEqual({ shop: 'east; west' })
  expect(defaults({ defaultValue: 0, multiple: false })).toEqual({ shop: 0 })
  expect(defaults({ defaultValue: null })).toEqual({})
})

it('NATF-033 to NATF-036: choices apply to other charts as filters, time range, grain and time column', () => {
  const form = buildForm([
    { column: 'shop', label: 'Shop' },
    { column: 'open', multiple: false },
  ])
  const choices = {
    shop: ['east', null],
    open: true,
    [timeKeys.range]: 'Last week',
    [timeKeys.grain]: 'P1M',
    [timeKeys.column]: 'sold_on',
  }
  const { extraFormData, filterState } = buildFilterBoxMask(form, choices)
  const query = baseQuery(withFilters({ viz_type: 'pie', metric: 'count' }, [extraFormData]))
  expect(query).toMatchObject({
    filters: [
      { col: 'shop', op: 'IN', val: ['east', null] },
      { col: 'open', op: '==', val: true },
    ],
    time_range: 'Last week',
    granularity: 'sold_on',
    extras: { time_grain_sqla: 'P1M' },
    applied_time_extras: { __time_range: 'Last week', __time_col: 'sold_on', __time_grain: 'P1M' },
  })
  expect(filterState.label).toBe('Shop: east, ∅ · open: true · Last week · sold_on · P1M')
  expect(readChoices(filterState)).toEqual(choices)
})

it('filters nothing without a choice', () => {
  const form = buildForm([{ column: 'shop' }])
  expect(buildFilterBoxMask(form, { shop: [], [timeKeys.range]: 'No filter' })).toMatchObject({
    extraFormData: {},
    filterState: { value: null },
  })
  expect(readChoices({ value: ['a click on a mark'] })).toEqual({})
})

it('describes its filters, and is drawn even if a column has no values', async () => {
  const form = buildForm([{ column: 'shop', label: '<b>Shop</b>', defaultValue: '<script>alert(1)</script>' }])
  const { svg } = await drawChart('filter_box', toFrames({ values_0: [{ name: 'shop', values: [] }] }), form)
  expect(svg).toContain('&lt;b&gt;Shop&lt;/b&gt;')
  expect(svg).toContain('<desc>Filters by Time range, &lt;b&gt;Shop')
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('No rows')
})

it('NATF-037: ranks values by their metric', () => {
  const settled = applyDefaults(chart.form, buildForm([{ column: 'shop', metric: 'sales' }]))
  const frames = toFrames({
    values_0: [
      { name: 'shop', values: ['a', 'b', null] },
      { name: 'sales', values: [4, 1, null] },
    ],
  })
  const spec = chart.spec(frames, settled, buildSpecContext(settled)) as FilterBoxSpec
  expect(spec.items[0]?.options).toEqual([
    { value: 'a', part: 1 },
    { value: 'b', part: 0.25 },
    { value: null, part: 0 },
  ])
})
