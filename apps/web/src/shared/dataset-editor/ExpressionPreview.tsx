import { Icon, Spinner, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import styles from './editor.module.css'

export interface ExpressionPreviewProps {
  datasetId: number
  kind: 'metric' | 'column'
  sql: string
  /** Formats a number. */
  format: (value: unknown) => string
}

const debounceMs = 500
const shownValues = 5

/**
 * Shows the result of an expression on the current data, half a second after the last keystroke: the engine parses it, and it
 * runs like a chart query, with the same permissions and row-level security rules.
 */
export function ExpressionPreview({ datasetId, kind, sql, format }: ExpressionPreviewProps) {
  const t = useTranslate()
  const [debouncedSql, setDebouncedSql] = useState(sql)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedSql(sql.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [sql])
  const tried = useQuery({
    queryKey: ['dataset', datasetId, 'try', kind, debouncedSql],
    queryFn: async ({ signal }) => {
      const expression = { expressionType: 'SQL', sqlExpression: debouncedSql, label: 'value' }
      const query = kind === 'metric' ? { columns: [], metrics: [expression] } : { columns: [expression], metrics: [] }
      const { result } = await api.post('/api/v1/chart/data', {
        body: {
          datasource: { id: datasetId, type: 'table' },
          queries: [{ ...query, row_limit: shownValues }],
          result_format: 'json',
          result_type: 'results',
        },
        signal,
      })
      return (result[0]?.data ?? []).map((row) => (row as Record<string, unknown>)['value'])
    },
    enabled: debouncedSql !== '',
    retry: false,
    staleTime: 60_000,
  })
  if (sql.trim() === '') return null
  if (tried.isFetching || debouncedSql !== sql.trim())
    return (
      <p className={styles.tried} role="status">
        <Spinner size={12} /> {t('dataset.try.running', 'Testing expression…')}
      </p>
    )
  if (tried.error)
    return (
      <p className={styles.tried} data-wrong role="alert">
        <Icon name="error" size={12} /> <span>{messageOf(tried.error)}</span>
      </p>
    )
  const values = tried.data ?? []
  return (
    <p className={styles.tried} role="status">
      <Icon name="check" size={12} />{' '}
      <span>
        {values.length === 0
          ? t('dataset.try.none', 'Valid, but there are no rows.')
          : t('dataset.try.values', 'Returns {values}', { values: values.map(format).join(' · ') })}
      </span>
    </p>
  )
}
