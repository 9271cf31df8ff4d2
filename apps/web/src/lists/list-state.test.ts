import { expect, it } from 'vitest'
import type { ListFilter } from './definition.ts'
import { isFiltered, buildListQuery, readListState } from './list-state.ts'

const kind: ListFilter = {
  name: 'kind',
  label: 'Type',
  kind: 'choice',
  toApi: (value) => [{ col: 'sql', opr: 'dataset_is_null_or_empty', value: value === 'table' }],
}
const definition = {
  filters: [kind],
  fields: ['id', 'name'],
  search: (value: string) => ({ col: 'name', opr: 'ct', value }),
}

it('LIST-010, LIST-011: defaults to 25 per page, last changed first', () => {
  const state = readListState({}, definition)
  expect(buildListQuery(state, definition)).toEqual({
    columns: ['id', 'name'],
    filters: [],
    order_column: 'changed_on_delta_humanized',
    order_direction: 'desc',
    page: 0,
    page_size: 25,
  })
  expect(isFiltered(state)).toBe(false)
})

it('converts the address to a query', () => {
  const raw = { q: ' rev ', pageIndex: '2', pageSize: '50', sortColumn: 'name', sortOrder: 'asc', kind: 'table' }
  const state = readListState(raw, definition)
  expect(buildListQuery(state, definition)).toMatchObject({
    filters: [
      { col: 'name', opr: 'ct', value: 'rev' },
      { col: 'sql', opr: 'dataset_is_null_or_empty', value: true },
    ],
    order_column: 'name',
    order_direction: 'asc',
    page: 2,
    page_size: 50,
  })
  expect(isFiltered(state)).toBe(true)
})

it('replaces invalid values in the address with defaults', () => {
  const state = readListState({ pageIndex: '-3', pageSize: '7000', sortOrder: 'sideways', other: 'x' }, definition)
  expect([state.page, state.pageSize, state.sort.direction, state.filters]).toEqual([0, 25, 'desc', {}])
})
