import { ErrorPanel, Skeleton } from '@parquetry/ui'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../shared/errors.ts'
import styles from './account.module.css'

/** Content of a section while it loads, after a failure, and when loaded. */
export function SectionBody<T>({ query, children }: { query: UseQueryResult<T>; children(data: T): ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <ErrorPanel inline onRetry={() => void query.refetch()}>
        {messageOf(query.error)}
      </ErrorPanel>
    )
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height={40} />
      <Skeleton height={40} />
    </div>
  )
}
