import { expect, it } from 'vitest'
import { editorFixture } from './persistence.testing.ts'
import { syncedFields, newTabForm, tabForm } from './tab-state.ts'

const tab = editorFixture('a', {
  name: 'Orders',
  dbId: 3,
  catalog: 'c',
  schema: 's',
  sql: 'select 1',
  queryLimit: 50,
  templateParams: '{"a": 1}',
  autorun: true,
  latestQueryId: 'q',
  remoteId: 8,
  hideLeftBar: true,
})
const read = (form: FormData) =>
  Object.fromEntries([...form].map(([name, value]) => [name, JSON.parse(String(value)) as unknown]))

it('API-014, SQL-043: sends changes under the API’s names, each value as JSON text', () => {
  expect(read(tabForm(tab, syncedFields, 4))).toEqual({
    label: 'Orders',
    database_id: 3,
    catalog: 'c',
    schema: 's',
    sql: 'select 1',
    query_limit: 50,
    template_params: '{"a": 1}',
    autorun: true,
    latest_query_id: 'q',
    saved_query_id: 8,
    hide_left_bar: true,
    version: 4,
  })
  expect(read(tabForm({ ...tab, schema: null }, ['schema'], null))).toEqual({ schema: null })
})

it('API-012: sends a new tab as the API’s queryEditor', () => {
  expect(read(newTabForm(tab))).toEqual({
    queryEditor: {
      id: 'a',
      clientKey: 'a',
      name: 'Orders',
      title: 'Orders',
      dbId: 3,
      catalog: 'c',
      schema: 's',
      sql: 'select 1',
      queryLimit: 50,
      hideLeftBar: true,
      autorun: true,
      templateParams: '{"a": 1}',
      remoteId: 8,
    },
  })
})
