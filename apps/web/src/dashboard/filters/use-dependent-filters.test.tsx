import type { DataMask, NativeFilter } from '@parquetry/model'
import { beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../shared/query-client.ts'
import { readDashboard } from '../document/read-dashboard.ts'
import { createDashboardStore, type DashboardStore } from '../state/store.ts'
import { newFilter } from './config.ts'
import { buildSelectEntry, toList, valueOf } from './mask.ts'
import { watchDependentFilters } from './use-dependent-filters.ts'
import { buildPresenceQuery, buildValuesQuery } from './value-queries.ts'

const select = (id: string, column: string, more: Partial<NativeFilter>): NativeFilter => ({
  ...newFilter(id, 'filter_select'),
  id,
  targets: [{ datasetId: 1, column: { name: column } }],
  ...more,
})
const country = select('country', 'country', {})
const city = select('city', 'city', {
  cascadeParentIds: ['country'],
  controlValues: { defaultToFirstItem: true, multiSelect: true },
})
const dashboard = readDashboard(
  {
    id: 1,
    json_metadata: JSON.stringify({ native_filter_configuration: [country, city] }),
    position_json: JSON.stringify({ ROOT_ID: { type: 'ROOT', children: [] } }),
  },
  [],
)
const cities: Record<string, string[]> = { France: ['Paris', 'Lyon'], Germany: ['Berlin', 'Bonn'], Nowhere: [] }
const under = (name: string): DataMask => ({ country: buildSelectEntry(country, [name]) })

/** Answers the queries of the filter for each country, as if they had been sent before. */
beforeEach(() => {
  queryClient.clear()
  for (const [name, all] of Object.entries(cities)) {
    const answer = (query: object, values: string[]) =>
      queryClient.setQueryData(['filter-values', query], [values.map((each) => ({ city: each }))])
    answer(buildValuesQuery(city, 1, under(name), ''), all)
    for (const each of ['Paris', 'Lyon', 'Berlin', 'Bonn'])
      answer(
        buildPresenceQuery(city, 1, under(name), [each]),
        all.filter((one) => one === each),
      )
  }
})

/** A dashboard that has chosen the first city of a country. */
function openIn(name: string): DashboardStore {
  const store = createDashboardStore(dashboard, { mask: under(name) })
  watchDependentFilters(store)
  const [first] = cities[name] ?? []
  store.getState().actions.setFirstValue('city', first === undefined ? null : buildSelectEntry(city, [first]))
  return store
}
const chosen = (store: DashboardStore) => toList(valueOf(store.getState().chosen.city))
const applied = (store: DashboardStore) => toList(valueOf(store.getState().mask.city))

it('regression: a dependent filter that starts with its first value chooses again when its parent changes', async () => {
  const store = openIn('France')
  expect(chosen(store)).toEqual(['Paris'])
  store.getState().actions.choose(under('Germany'))
  await expect.poll(() => chosen(store)).toEqual(['Berlin'])
  expect(applied(store), 'the parent is not applied yet').toEqual(['Paris'])
  store.getState().actions.apply()
  store.getState().actions.filter('country', under('France').country!)
  await expect.poll(() => applied(store)).toEqual(['Paris'])
})

it('has no value while its parent leaves none, and chooses again afterwards', async () => {
  const store = openIn('France')
  store.getState().actions.filter('country', under('Nowhere').country!)
  await expect.poll(() => applied(store)).toEqual([])
  store.getState().actions.filter('country', under('Germany').country!)
  await expect.poll(() => applied(store)).toEqual(['Berlin'])
})

it('keeps a value that the user chose until the parent excludes it', async () => {
  const store = openIn('France')
  store.getState().actions.filter('city', buildSelectEntry(city, ['Lyon']))
  store.getState().actions.filter('country', buildSelectEntry(country, ['France']))
  expect(applied(store)).toEqual(['Lyon'])
  store.getState().actions.filter('country', under('Germany').country!)
  await expect.poll(() => applied(store)).toEqual(['Berlin'])
})
