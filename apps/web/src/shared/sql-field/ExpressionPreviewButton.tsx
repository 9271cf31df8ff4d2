import { formatText, nullText } from '@parquetry/charts'
import { GenericType } from '@parquetry/model'
import { Button, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import type { TypedExpression } from './use-expression-check.ts'
import styles from './sql-field.module.css'

export interface ExpressionPreviewButtonProps {
  source: { id: number; type: string }
  kind: 'metric' | 'column' | 'where'
  sql: string
  /** The check of the expression already shows an error. */
  isFaulty: boolean
}

type Row = Record<string, unknown>

/** Rows read for a column, and different values shown. */
const [maxRows, maxValues] = [50, 5]

/** Query whose only row or first rows show what an expression gives. Filters are counted beside all rows. */
function buildPreviewQueries({ kind, sql }: Pick<TypedExpression, 'sql'> & Pick<ExpressionPreviewButtonProps, 'kind'>) {
  const value = { expressionType: 'SQL', sqlExpression: sql, label: 'value' }
  if (kind === 'column') return [{ columns: [value], row_limit: maxRows }]
  if (kind === 'metric') return [{ columns: [], metrics: [value] }]
  const count = { ...value, sqlExpression: 'COUNT(*)' }
  // A trailing comment must not include the bracket.
  return [{ extras: { where: `(${sql}\n)` } }, {}].map((each) => ({ columns: [], metrics: [count], ...each }))
}

/** Button that runs an expression and shows a few of its values, or the error of the database. */
export function ExpressionPreviewButton({ source, kind, sql, isFaulty }: ExpressionPreviewButtonProps) {
  const t = useTranslate()
  const trimmed = sql.trim()
  const [previewed, setPreviewed] = useState<string | null>(null)
  const isCurrent = previewed === trimmed && trimmed !== ''
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['expression-preview', source.type, source.id, kind, previewed],
    queryFn: async ({ signal }) => {
      const body = {
        datasource: { id: source.id, type: source.type },
        queries: buildPreviewQueries({ kind, sql: trimmed }),
        result_format: 'json',
        result_type: 'results',
      }
      const { result } = await api.post('/api/v1/chart/data', { body, signal })
      return result.map(({ data: rows, coltypes }) => ({
        values: ((rows ?? []) as Row[]).map(({ value }) => value),
        isTime: coltypes?.[0] === GenericType.TEMPORAL,
      }))
    },
    enabled: isCurrent,
    retry: false,
  })
  const run = () => (isCurrent ? void refetch() : setPreviewed(trimmed))
  const shownError = isCurrent && !isFetching && error ? messageOf(error) : null
  return (
    <div className={styles.preview}>
      <Button
        icon="play"
        busy={isCurrent && isFetching}
        onClick={run}
        disabledReason={
          trimmed === '' || isFaulty ? t('shared.sql.previewFirst', 'Enter a valid expression first') : undefined
        }
      >
        {t('shared.sql.preview', 'Preview')}
      </Button>
      {shownError !== null && (
        <p role="alert" className={styles.previewError}>
          {shownError}
        </p>
      )}
      <output className={styles.values}>
        {isCurrent && !isFetching && data && shownError === null && <Values results={data} kind={kind} />}
      </output>
    </div>
  )
}

interface Result {
  values: unknown[]
  isTime: boolean
}

function Values({ results, kind }: { results: Result[]; kind: ExpressionPreviewButtonProps['kind'] }) {
  const t = useTranslate()
  const [first, all] = results
  if (kind === 'where')
    return t('shared.sql.previewRows', '{found, number} of {count, plural, one {# row} other {# rows}}', {
      found: Number(first?.values[0] ?? 0),
      count: Number(all?.values[0] ?? 0),
    })
  const texts = [...new Set((first?.values ?? []).map((value) => formatPreview(value, first?.isTime ?? false)))]
  if (texts.length === 0) return t('shared.sql.previewEmpty', 'No rows')
  return texts.slice(0, maxValues).map((text) => <code key={text}>{text}</code>)
}

/** A time of the response is in milliseconds. */
function formatPreview(value: unknown, isTime: boolean): string {
  if (value === null || value === undefined) return nullText
  if (isTime && typeof value === 'number') return new Date(value).toISOString().replace('T', ' ').replace('.000Z', '')
  return formatText(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean))
}
