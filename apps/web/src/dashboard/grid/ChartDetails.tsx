import { buildQueryContext, loadStoredForm } from '@parquetry/charts'
import { Button, Dialog, ErrorPanel, Skeleton, Tabs, useCopy, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { QueryTimeRange } from '../../shared/QueryTimeRange.tsx'
import { DataGrid } from '../../shared/grid/DataGrid.tsx'
import type { ChartDataResult } from '../data/chart-data.ts'
import { useDashboard } from '../state/context.ts'
import { datasetOfForm } from '../state/dashboard-colors.ts'
import styles from './ChartDetails.module.css'

export type DetailKind = 'data' | 'query'

interface ChartDetailsProps {
  kind: DetailKind
  title: string
  answer: ChartDataResult | null
  onClose(): void
}

/** Shows the rows or the query of a chart. */
export function ChartDetails({ kind, title, answer, onClose }: ChartDetailsProps) {
  const t = useTranslate()
  const heading =
    kind === 'data'
      ? t('dashboard.dataOf', 'Data for {title}', { title })
      : t('dashboard.queryOf', 'Query for {title}', { title })
  return (
    <Dialog open title={heading} width={960} onClose={onClose}>
      {answer && (kind === 'data' ? <Data answer={answer} title={title} /> : <Query answer={answer} />)}
    </Dialog>
  )
}

function Data({ answer, title }: { answer: ChartDataResult; title: string }) {
  const t = useTranslate()
  const names = Object.keys(answer.frames)
  const [name, setName] = useState(names[0] ?? '')
  const frame = answer.frames[name]
  return (
    <>
      {names.length > 1 && (
        <Tabs
          value={name}
          onChange={setName}
          tabs={names.map((each) => ({ value: each, label: each }))}
          label={t('dashboard.queries', 'Queries')}
        />
      )}
      <div className={styles.grid}>{frame && <DataGrid frame={frame} label={title} />}</div>
    </>
  )
}

/** The SQL as the server would run it for this user. */
function Query({ answer }: { answer: ChartDataResult }) {
  const t = useTranslate()
  const copy = useCopy()
  const { datasets } = useDashboard()
  const { data, error, refetch } = useQuery({
    queryKey: ['chart-query', answer.form],
    queryFn: async ({ signal }) => {
      const opened = await loadStoredForm(answer.form, datasetOfForm(answer.form, datasets))
      if (!opened) return []
      const body = buildQueryContext(opened.chart, opened.form, { result_type: 'query' })
      return (await api.post('/api/v1/chart/data', { body, signal })).result
    },
  })
  if (error) {
    return (
      <ErrorPanel inline onRetry={() => void refetch()}>
        {messageOf(error)}
      </ErrorPanel>
    )
  }
  if (!data) return <Skeleton height={160} />
  const text = data.map(({ query, error: failed }) => failed ?? query).join('\n\n')
  return (
    <>
      <QueryTimeRange {...data[0]} />
      <pre className={styles.query} tabIndex={0}>
        {text}
      </pre>
      <Button icon="copy" onClick={() => copy(text, t('dashboard.queryCopied', 'Query copied'))}>
        {t('dashboard.copyQuery', 'Copy')}
      </Button>
    </>
  )
}
