import { buildQueryContext, openForm, type ChartForm } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import type { DatasetObject } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api } from '../api.ts'
import { framesType } from '../message-stream.ts'
import { readChartResult, type ChartResult } from '../use-chart-data.ts'
import styles from './thumbnail.module.css'

/** A chart from what is kept of its answer; no database is asked for it. */
export function ChartPicture({ id, sketch }: { id: number; sketch: ReactNode }) {
  const { data } = useQuery({
    queryKey: ['chart', 'picture', id],
    queryFn: ({ signal }) => keptPicture(id, signal),
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const [isBroken, setBroken] = useState(false)
  if (!data || isBroken) return sketch
  return (
    <div className={styles.small} inert>
      <ChartHost
        form={data.result.form}
        frames={data.result.frames}
        annotations={data.result.heads[0]?.annotations?.data}
        title=""
        dataset={data.dataset as never}
        onFailed={() => setBroken(true)}
      />
    </div>
  )
}

/** Null where nothing is kept, or of a type that nobody draws. */
async function keptPicture(
  slice_id: number,
  signal: AbortSignal,
): Promise<{ dataset: DatasetObject; result: ChartResult } | null> {
  const document = (await api.get('/api/v1/explore/', { query: { slice_id }, signal, quiet: true })).result
  const opened = await openForm(document.form_data as ChartForm, document.dataset as never)
  if (!opened) return null
  const { chart, form } = opened
  const response = await api.send('POST', '/api/v1/chart/data', {
    body: buildQueryContext(chart, form),
    accept: framesType,
    onlyCached: true,
    quiet: true,
    signal,
  })
  if (response.status === 204) return null
  const result = await readChartResult(response, chart, form, {}, performance.now())
  return Object.values(result.frames)[0]?.rows ? { dataset: document.dataset, result } : null
}
