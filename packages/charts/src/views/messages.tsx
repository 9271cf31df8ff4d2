import { EmptyState, ErrorPanel, useText } from '@parquetry/ui'
import type { ReactNode } from 'react'
import styles from './chart-host.module.css'

export const Message = ({ children }: { children: ReactNode }) => <div className={styles.message}>{children}</div>

export function Failed({ error }: { error: Error }) {
  const t = useText()
  return (
    <Message>
      <ErrorPanel inline>
        {t('charts.failed', 'An error occurred while rendering the visualization: {message}', {
          message: error.message,
        })}
      </ErrorPanel>
    </Message>
  )
}

export function Unsupported() {
  const t = useText()
  return (
    <Message>
      <ErrorPanel inline title={t('charts.unsupported.title', 'Can’t show this chart')}>
        {t('charts.unsupported.text', 'This visualization type is not supported.')}
      </ErrorPanel>
    </Message>
  )
}

export function NoRows({ actions }: { actions: ReactNode }) {
  const t = useText()
  return (
    <Message>
      <EmptyState inline level={3} title={t('picture.empty', 'No rows match these filters')} actions={actions} />
    </Message>
  )
}
