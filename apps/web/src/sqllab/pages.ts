import { definePage } from '../shared/page.ts'

export interface SqlLabSearch {
  savedQueryId: number | null
  dbid: number | null
  schema: string | null
  sql: string | null
}

const integer = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

export const sqlLab = definePage<SqlLabSearch>({
  path: '/superset/sqllab/',
  aliases: ['/sqllab/'],
  frame: 'work',
  section: 'sqllab',
  search: (raw) => ({
    savedQueryId: integer(raw['savedQueryId']),
    dbid: integer(raw['dbid']),
    schema: raw['schema'] ?? null,
    sql: raw['sql'] ?? null,
  }),
  load: async () => (await import('./SqlLabPage.tsx')).SqlLabPage,
})

export const pages = [sqlLab]
