import { Button, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import styles from '../lists.module.css'

export interface FirstRowsProps {
  database: number
  schema: string | null
  /** Table to preview; null to preview `sql`. */
  table: string | null
  sql: string
}

const shownRows = 8

interface Rows {
  columns: { name: string; type_generic: number }[]
  data: Record<string, unknown>[]
}

/** First rows of a table, or of a query on demand, since it may be slow. They are read through SQL Lab, under its rules. */
export function FirstRows({ database, schema, table, sql }: FirstRowsProps) {
  const t = useTranslate()
  const [wanted, setWanted] = useState<string | null>(null)
  const isRequested = table !== null || wanted === sql
  const rows = useQuery({
    queryKey: ['dataset', 'first-rows', database, schema, table, sql],
    queryFn: async ({ signal }) => {
      const text = table === null ? sql : await fetchSelectStar(database, schema, table, signal)
      const body = { database_id: database, schema, sql: text, queryLimit: shownRows, runAsync: false }
      return (await api.post('/api/v1/sqllab/execute/', { body, signal })) as unknown as Rows
    },
    enabled: isRequested,
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  if (!isRequested)
    return (
      <Button icon="rows" onClick={() => setWanted(sql)}>
        {t('lists.datasets.showRows', 'Show first rows')}
      </Button>
    )
  return (
    <section className={styles.preview}>
      <h3>{t('lists.datasets.rows', 'First rows')}</h3>
      {rows.error && <ErrorPanel inline>{messageOf(rows.error)}</ErrorPanel>}
      {rows.isPending && <Skeleton height={160} />}
      {rows.data && <RowsTable {...rows.data} />}
    </section>
  )
}

function RowsTable({ columns, data }: Rows) {
  const t = useTranslate()
  if (data.length === 0) return <p className={styles.noRows}>{t('lists.datasets.noRows', 'No rows')}</p>
  return (
    <div className={styles.rows} role="group" tabIndex={0} aria-label={t('lists.datasets.rows', 'First rows')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type_generic }) => (
              <th key={name} scope="col" data-number={type_generic === 0 || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.slice(0, shownRows).map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, type_generic }) => (
                <td key={name} data-number={type_generic === 0 || undefined} data-null={row[name] == null || undefined}>
                  {formatCell(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `SELECT *` of a table in the engine's dialect. */
const fetchSelectStar = async (
  id: number,
  schema: string | null,
  table: string,
  signal: AbortSignal,
): Promise<string> =>
  (
    await api.get('/api/v1/database/:id/table/:table/:schema/', {
      params: { id, table, schema: schema ?? 'None' },
      signal,
    })
  ).selectStar

const formatCell = (value: unknown): string =>
  value == null ? '∅' : typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
