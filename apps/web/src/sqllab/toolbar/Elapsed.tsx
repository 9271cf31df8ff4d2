import { useTranslate } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { formatNumber } from '../../shared/formats.ts'
import type { Query } from '../state.ts'
import styles from './Toolbar.module.css'

/** Elapsed time of a query, and rows received so far. */
export function Elapsed({ query: { startDttm, rows, progress, state, view, refusal } }: { query: Query }) {
  const t = useTranslate()
  const [now, setNow] = useState(startDttm)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const all = Math.max(0, Math.floor((now - startDttm) / 1000))
  const values = { minutes: Math.floor(all / 60), seconds: all % 60 }
  const time =
    all < 60
      ? t('sqllab.elapsed.seconds', '{seconds} s', values)
      : t('sqllab.elapsed.minutes', '{minutes} min {seconds} s', values)
  const ahead = view?.extra['ahead']
  const formatState = () => {
    if (state === 'offline')
      return t('sqllab.elapsed.lost', 'Connection lost. Checking for the result… {time}', { time })
    if (typeof ahead === 'number')
      return t(
        'sqllab.elapsed.turn',
        'Queued for {time}, {ahead, plural, =0 {next in line} one {# query ahead} other {# queries ahead}}',
        { ahead, time },
      )
    return state === 'pending' || refusal
      ? t('sqllab.elapsed.waiting', 'Waiting… {time}', { time })
      : t('sqllab.elapsed.running', 'Running… {time}', { time })
  }
  return (
    <span className={styles.elapsed}>
      {formatState()}
      {progress > 0 && progress < 100 && ` · ${formatNumber(progress / 100, { style: 'percent' })}`}
      {rows !== null && rows > 0 && ` · ${t('sqllab.elapsed.rows', '{rows} rows', { rows: formatNumber(rows) })}`}
    </span>
  )
}
