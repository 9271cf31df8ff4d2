import type { WireError } from '@parquetry/model'
import { Button, useTranslate } from '@parquetry/ui'
import { useEffect } from 'react'
import { useNow } from './use-now.ts'
import styles from './ChartFrame.module.css'

/** Number of notes on the page. */
let shown = 0

let liveRegion: HTMLElement | null = null

/** A region of the page whose text screen readers read out when it changes. */
function ensureLiveRegion(): HTMLElement {
  if (!liveRegion) {
    liveRegion = document.createElement('div')
    liveRegion.className = 'visually-hidden'
    liveRegion.setAttribute('role', 'status')
    document.body.append(liveRegion)
  }
  return liveRegion
}

/** Announces the first of the notes for all of them. */
function useAnnounceOnce(text: string): void {
  useEffect(() => {
    shown += 1
    if (shown === 1) ensureLiveRegion().textContent = text
    return () => {
      shown -= 1
      if (shown === 0) ensureLiveRegion().textContent = ''
    }
  }, [text])
}

/** Explains that a chart or run was refused, and counts down to the next try. Screen readers hear it once, however many charts wait. */
export function RefusedNote({
  error,
  retryAt,
  onRetry,
  onStop,
  inline = false,
}: {
  error: WireError
  retryAt: number
  onRetry?: (() => void) | undefined
  onStop?: () => void
  /** Takes part in the layout instead of covering a corner. */
  inline?: boolean
}) {
  const t = useTranslate()
  const seconds = Math.max(1, Math.ceil((retryAt - useNow('second')) / 1000))
  const reason =
    error.code === 'source_busy'
      ? t('chartFrame.busy', 'The database is busy.')
      : error.code === 'queries_waiting'
        ? t('chartFrame.waiting', 'Too many of your queries are waiting.')
        : t('chartFrame.serverBusy', 'The server is busy.')
  useAnnounceOnce(`${reason} ${t('chartFrame.retries', 'The page tries again by itself.')}`)
  return (
    <div className={inline ? styles.refusedLine : `${styles.note} ${styles.refused}`}>
      <span>
        {reason} {t('chartFrame.retryIn', 'Trying again in {seconds, number} s.', { seconds })}
      </span>
      {onRetry && (
        <Button variant="quiet" icon="refresh" onClick={onRetry}>
          {t('chartFrame.retryNow', 'Try again now')}
        </Button>
      )}
      {onStop && (
        <Button variant="quiet" icon="stop" onClick={onStop}>
          {t('chartFrame.stop', 'Stop')}
        </Button>
      )}
    </div>
  )
}
