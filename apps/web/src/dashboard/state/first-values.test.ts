import type { NativeFilter } from '@parquetry/model'
import { expect, it } from 'vitest'
import { readDashboard } from '../document/read-dashboard.ts'
import { newFilter } from '../filters/config.ts'
import { buildSelectEntry } from '../filters/mask.ts'
import { toFilteredDashboard, isAwaitingFirstValue } from './chart-request.ts'
import { createDashboardStore } from './store.ts'

const species: NativeFilter = {
  ...newFilter('s', 'filter_select'),
  targets: [{ datasetId: 1, column: { name: 'species' } }],
  controlValues: { defaultToFirstItem: true },
  scope: { rootPath: ['ROOT_ID'], excluded: [2] },
}
const dashboard = readDashboard(
  {
    id: 1,
    json_metadata: JSON.stringify({ native_filter_configuration: [species] }),
    position_json: JSON.stringify({
      ROOT_ID: { type: 'ROOT', children: ['a', 'b'] },
      a: { type: 'CHART', children: [], meta: { chartId: 1 } },
      b: { type: 'CHART', children: [], meta: { chartId: 2 } },
    }),
  },
  [],
)
const [adelie, gentoo] = [buildSelectEntry(species, ['Adelie']), buildSelectEntry(species, ['Gentoo'])]
const waiting = (store: ReturnType<typeof createDashboardStore>) =>
  [1, 2].filter((id) =>
    isAwaitingFirstValue(toFilteredDashboard(dashboard, dashboard.layout.nodes), store.getState().awaited, id),
  )

it('only charts in scope of a filter that starts with its first value wait for it', () => {
  const store = createDashboardStore(dashboard)
  expect(waiting(store)).toEqual([1])
  store.getState().actions.setFirstValue(species.id, adelie)
  expect(waiting(store)).toEqual([])
  expect(store.getState().mask[species.id]).toEqual(adelie)
  expect(store.getState().firsts).toEqual({ [species.id]: adelie })
})

it('keeps a value that a link or the user chose before the first value is known', () => {
  expect(waiting(createDashboardStore(dashboard, { mask: { [species.id]: gentoo } }))).toEqual([])
  const store = createDashboardStore(dashboard)
  store.getState().actions.choose({ [species.id]: gentoo })
  store.getState().actions.setFirstValue(species.id, adelie)
  expect(store.getState()).toMatchObject({ chosen: { [species.id]: gentoo }, mask: { [species.id]: adelie } })
  store.getState().actions.apply()
  store.getState().actions.setFirstValue(species.id, adelie)
  expect(store.getState().mask[species.id]).toEqual(gentoo)
})

it('a filter without a value does not block charts', () => {
  const store = createDashboardStore(dashboard)
  store.getState().actions.setFirstValue(species.id, null)
  expect(waiting(store)).toEqual([])
  expect(store.getState().mask[species.id]?.extraFormData).toEqual({})
})

it('PERM-029: without DASHBOARD_NATIVE_FILTERS no filter has a value and no chart waits for one', () => {
  const off = createDashboardStore({ ...dashboard, flags: { DASHBOARD_NATIVE_FILTERS: false } })
  expect([off.getState().mask, off.getState().awaited]).toEqual([{}, []])
})
