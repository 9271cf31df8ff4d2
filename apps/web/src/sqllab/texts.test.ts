import { beforeAll, expect, it, vi } from 'vitest'
import type { SyncedField } from './persistence/local-tabs.ts'

let texts: typeof import('./texts.ts')
beforeAll(async () => {
  vi.stubGlobal('document', { getElementById: () => null, querySelector: () => null })
  texts = await import('./texts.ts')
})

it('SQL-078: each field that cannot be stored has its own message (SQL-089 to SQL-097)', () => {
  const things: [SyncedField, string][] = [
    ['latestQueryId', 'the latest query id'],
    ['sql', 'the tab'],
    ['dbId', 'the database'],
    ['schema', 'the schema'],
    ['autorun', 'autorun'],
    ['name', "the tab's name"],
    ['templateParams', 'the template parameters'],
    ['queryLimit', 'the query limit'],
    ['hideLeftBar', 'the left bar'],
  ]
  for (const [field, thing] of things)
    expect(texts.failureTexts({ what: 'store', fields: [field] })).toEqual({
      kind: 'error',
      texts: [`An error occurred while storing ${thing} on the server. Contact your administrator if this persists.`],
    })
})

it('SQL-098, SQL-099, SQL-100: a failed move is a warning', () => {
  for (const [thing, words] of [
    ['tab', 'a tab'],
    ['table', 'a table'],
    ['query', 'a query'],
  ] as const)
    expect(texts.failureTexts({ what: 'migrate', thing })).toEqual({
      kind: 'warning',
      texts: [
        `Moving ${words} to the server failed. It stays in this browser and will be tried again on the next load.`,
      ],
    })
})

it('SQL-102, SQL-105 to SQL-107, SQL-110, SQL-113: the messages of the other failures', () => {
  const messages = (['load', 'expandTable', 'collapseTable', 'removeTable', 'add'] as const).flatMap(
    (what) => texts.failureTexts({ what }).texts,
  )
  expect(messages).toEqual([
    'An error occurred while fetching tab state',
    'An error occurred while expanding table metadata',
    'An error occurred while collapsing table metadata',
    'An error occurred while removing table metadata',
    'Unable to add a new tab',
  ])
  expect(texts.unknownError()).toBe('Unknown error')
})

it('SQL-041: the note for tabs stored in the browser only', () => {
  expect(texts.browserOnlyNote()).toBe('-- Tabs are kept in this browser only. Save your query to keep it.')
})
