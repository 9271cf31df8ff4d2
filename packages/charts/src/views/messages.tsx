import { EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import styles from './chart-host.module.css'

export const ChartMessage = ({ children }: { children: ReactNode }) => <div className={styles.message}>{children}</div>

export function ChartError({ error }: { error: Error }) {
  const t = useTranslate()
  return (
    <ChartMessage>
      <ErrorPanel inline>
        {t('charts.failed', 'An error occurred while rendering the visualization: {message}', {
          message: error.message,
        })}
      </ErrorPanel>
    </ChartMessage>
  )
}

export function UnsupportedChart() {
  const t = useTranslate()
  return (
    <ChartMessage>
      <ErrorPanel inline title={t('charts.unsupported.title', 'Can’t show this chart')}>
        {t('charts.unsupported.text', 'This visualization type is not supported.')}
      </ErrorPanel>
    </ChartMessage>
  )
}

export function EmptyChart({ actions }: { actions: ReactNode }) {
  const t = useTranslate()
  return (
    <ChartMessage>
      <EmptyState inline level={3} title={t('picture.empty', 'No rows match these filters')} actions={actions} />
    </ChartMessage>
  )
}
