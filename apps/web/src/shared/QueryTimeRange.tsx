import { useTranslate } from '@parquetry/ui'
import { formatQueryTime } from './query-time.ts'

export interface QueryTimeBounds {
  from_dttm?: number | null | undefined
  to_dttm?: number | null | undefined
}

/** The time range of a query beside its SQL (TIME-028); nothing for a query without a start. */
export function QueryTimeRange({ from_dttm = null, to_dttm = null }: QueryTimeBounds) {
  const t = useTranslate()
  if (from_dttm === null) return null
  const from = formatQueryTime(from_dttm)
  return (
    <p>
      {to_dttm === null
        ? t('shared.queryTime.since', 'Time range: since {from}', { from })
        : t('shared.queryTime.range', 'Time range: {from} to {to}', { from, to: formatQueryTime(to_dttm) })}
    </p>
  )
}
