import { readLayout } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import {
  columnUses,
  findDependentFilters,
  validateFilter,
  newFilter,
  reorder,
  suggestKind,
  buildScope,
  withNativeFilters,
  withOnlyDataset,
} from './config.ts'

const chart = (chartId: number) => ({ type: 'CHART', children: [], meta: { chartId } })
const { nodes } = readLayout({
  ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { type: 'GRID', children: ['ROW-1'] },
  'ROW-1': { type: 'ROW', children: ['a', 'b', 'c'] },
  a: chart(1),
  b: chart(2),
  c: chart(3),
})

describe('filter configuration', () => {
  it('NATF-009: lists missing fields in the order of the form', () => {
    const filter = newFilter('x', 'filter_select')
    expect(validateFilter(filter, nodes)).toEqual(['dataset', 'column', 'name'])
    const whole = { ...filter, name: 'Region', targets: [{ datasetId: 1, column: { name: 'region' } }] }
    expect(validateFilter(whole, nodes)).toEqual([])
    expect(validateFilter({ ...whole, scope: buildScope(nodes, []) }, nodes)).toEqual(['scope'])
    expect(validateFilter({ ...newFilter('t', 'filter_time'), name: 'Time' }, nodes)).toEqual([])
  })

  it('selects the dataset if there is only one, and none of several', () => {
    const grain = newFilter('g', 'filter_timegrain')
    expect(withOnlyDataset(grain, [{ id: 7 }]).targets).toEqual([{ datasetId: 7 }])
    expect(withOnlyDataset(grain, [{ id: 7 }, { id: 8 }])).toBe(grain)
    const chosen = { ...grain, targets: [{ datasetId: 8 }] }
    expect(withOnlyDataset(chosen, [{ id: 7 }])).toBe(chosen)
    for (const none of [newFilter('t', 'filter_time'), newFilter('d', null)])
      expect(withOnlyDataset(none, [{ id: 7 }])).toBe(none)
  })

  it('NATF-005, NATF-017: a divider needs only a title', () => {
    expect(validateFilter(newFilter('x', null), nodes)).toEqual(['name'])
    expect(validateFilter({ ...newFilter('x', null), title: 'Details' }, nodes)).toEqual([])
  })

  it('finds the filters whose values depend on another', () => {
    const country = newFilter('country', 'filter_select')
    const city = { ...newFilter('city', 'filter_select'), cascadeParentIds: [country.id] }
    expect(findDependentFilters([country, city], country.id)).toEqual([city])
    expect(findDependentFilters([country, city], city.id)).toEqual([])
  })

  it('accepts filters of kinds that it cannot edit', () => {
    expect(validateFilter({ id: 'NATIVE_FILTER-r', filterType: 'filter_tree' }, nodes)).toEqual([])
  })

  it('ranks columns by the number of charts that use them, without time columns and those that may not be filtered', () => {
    const datasets = [
      {
        id: 1,
        columns: [
          { column_name: 'day', is_dttm: true },
          { column_name: 'city' },
          { column_name: 'region', verbose_name: 'Region' },
          { column_name: 'secret', filterable: false },
        ],
      },
    ]
    const form = (id: number, groupby: string[]) => ({
      id,
      slice_name: '',
      form_data: { datasource: '1__table', groupby },
    })
    const charts = new Map(
      [form(1, ['region']), form(2, ['region', 'city']), form(3, ['day'])].map((each) => [each.id, each]),
    )
    expect(columnUses(datasets, charts)).toEqual([
      { dataset: 1, column: 'region', label: 'Region', charts: [1, 2] },
      { dataset: 1, column: 'city', label: 'city', charts: [2] },
    ])
  })

  it('regression: a new filter on fractional or many numbers is a range, on other columns a list of values', async () => {
    const use = { dataset: 1, column: 'c', label: 'c', charts: [] }
    const kindOn = (type: string, isMany = false, type_generic = 0) =>
      suggestKind([{ id: 1, columns: [{ column_name: 'c', type, type_generic }] }], use, async () => isMany)
    const kindsOn = async (types: string[]) => [...new Set(await Promise.all(types.map((type) => kindOn(type))))]
    const fractional = ['DECIMAL(10, 2)', 'DOUBLE', 'double precision', 'Nullable(Float64)', 'NUMERIC', 'REAL', 'money']
    expect(await kindsOn(fractional)).toEqual(['filter_range'])
    expect(await kindsOn(['INTEGER', 'Nullable(UInt64)', 'DECIMAL(18, 0)', 'NUMERIC(6)', ''])).toEqual([
      'filter_select',
    ])
    expect(await kindOn('BIGINT', true)).toBe('filter_range')
    expect(await kindOn('VARCHAR', true, 1)).toBe('filter_select')
  })

  it('NATF-016: a scope of some charts is the whole dashboard minus the others', () => {
    expect(buildScope(nodes, [1, 3])).toEqual({ rootPath: ['ROOT_ID'], excluded: [2] })
    expect(buildScope(nodes, [1, 2, 3], { excluded: [3, 9] })).toEqual({ rootPath: ['ROOT_ID'], excluded: [9] })
  })

  it('writes the charts in scope of each filter and preserves all other metadata', () => {
    const filter = { ...newFilter('x', 'filter_time'), name: 'Time', scope: buildScope(nodes, [2]), mine: 1 }
    const metadata = withNativeFilters(
      { color_scheme: 'd3' },
      [filter, { ...newFilter('y', null), title: 'More' }],
      nodes,
    )
    expect(metadata).toMatchObject({
      color_scheme: 'd3',
      native_filter_configuration: [
        { id: 'NATIVE_FILTER-x', mine: 1, chartsInScope: [2] },
        { type: 'DIVIDER', title: 'More' },
      ],
    })
  })

  it('NATF-007: moves an entry by one position, but not past the ends', () => {
    const list = ['a', 'b', 'c'].map((id) => ({ id }))
    expect(reorder(list, 'b', -1).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
    expect(reorder(list, 'b', 1).map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect(reorder(list, 'a', -1)).toBe(list)
    expect(reorder(list, 'c', 1)).toBe(list)
  })
})
