import { definePage } from '../shared/page.ts'
import type { SqlLabSearch } from './open/read-link.ts'

const integer = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)
const isOn = (text: string | undefined): boolean => text !== undefined && !['', '0', 'false'].includes(text)

export const sqlLab = definePage<SqlLabSearch>({
  name: 'sqlLab',
  frame: 'work',
  section: 'sqllab',
  search: (raw) => ({
    id: raw['id'] ?? null,
    savedQueryId: integer(raw['savedQueryId']),
    queryId: integer(raw['queryId']),
    datasourceKey: raw['datasourceKey'] ?? null,
    dbid: integer(raw['dbid']),
    schema: raw['schema'] ?? null,
    catalog: raw['catalog'] ?? null,
    sql: raw['sql'] ?? null,
    title: raw['title'] ?? null,
    name: raw['name'] ?? null,
    autorun: isOn(raw['autorun']),
    new: isOn(raw['new']),
    templateParams: raw['templateParams'] ?? null,
  }),
  load: async () => (await import('./SqlLabPage.tsx')).SqlLabPage,
})

export const pages = [sqlLab]
