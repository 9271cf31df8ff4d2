import { ApiError } from '@parquetry/client'
import { concat, type Frame } from '@parquetry/frame'
import { Button, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { DataGrid } from '../../shared/grid/DataGrid.tsx'
import { framesType, readMessageStream } from '../../shared/message-stream.ts'
import styles from './queries.module.css'

/** Loads the stored rows of a query. @throws ApiError 410 when they have expired */
async function fetchCachedRows(key: string, signal: AbortSignal): Promise<Frame> {
  const response = await api.send('GET', '/api/v1/sqllab/results/', { q: { key }, accept: framesType, signal })
  const frames: Frame[] = []
  for await (const { frame } of readMessageStream(response)) if (frame) frames.push(frame)
  return frames.length > 0 ? concat(frames) : { rows: 0, columns: [] }
}

/** Rows of a past query, loaded on demand. */
export function CachedResults({ resultsKey }: { resultsKey: string }) {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['query', 'results', resultsKey],
    queryFn: ({ signal }) => fetchCachedRows(resultsKey, signal),
    enabled: isOpen,
    retry: false,
    gcTime: 0,
  })
  if (!isOpen)
    return (
      <Button icon="table" onClick={() => setOpen(true)}>
        {t('lists.history.results', 'Show results')}
      </Button>
    )
  if (error)
    return error instanceof ApiError && error.status === 410 ? (
      <p>
        {t(
          'lists.history.gone',
          'These results have expired. Results are kept for 24 hours. Open the query in SQL Lab and run it again.',
        )}
      </p>
    ) : (
      <ErrorPanel inline onRetry={() => void refetch()}>
        {t('lists.history.resultsFailed', 'Failed at retrieving results')}: {messageOf(error)}
      </ErrorPanel>
    )
  if (!data) return <Skeleton height={160} />
  return (
    <div className={styles.rows}>
      <DataGrid frame={data} label={t('lists.history.rowsOf', 'Results')} />
    </div>
  )
}
