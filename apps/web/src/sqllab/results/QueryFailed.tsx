import { Button, ErrorPanel, useText } from '@parquetry/ui'
import type { SqlLabActions } from '../actions.ts'
import type { Query } from '../state.ts'
import { errorRange } from './words.ts'
import styles from './results.module.css'

export interface QueryFailedProps {
  query: Query
  actions: Pick<SqlLabActions, 'rerun' | 'select'>
}

/** What the database says, whole, with its place, and the way to the statement. */
export function QueryFailed({ query, actions }: QueryFailedProps) {
  const t = useText()
  const { error, sql, from } = query
  const line = error?.line ?? null
  const codes = (error?.errors ?? []).flatMap(({ extra }) => extra?.issue_codes ?? [])
  const show = (): void => {
    const [start, end] = errorRange(sql, error?.offset ?? null)
    actions.select(from + start, from + end)
  }
  return (
    <div className={styles.failed}>
      <ErrorPanel
        title={
          line === null
            ? query.state === 'timed_out'
              ? t('sqllab.result.timedOut', 'The query ran out of time')
              : t('sqllab.result.failed', 'The query failed')
            : t('sqllab.result.place', 'The query failed at line {line}, column {column}', {
                line,
                column: error?.column ?? 1,
              })
        }
        details={error?.message}
        accessHref={error?.link ?? undefined}
        onRetry={() => actions.rerun(query.id)}
        actions={
          !query.isDataPreview && <Button onClick={show}>{t('sqllab.result.show', 'Show the statement')}</Button>
        }
      >
        {codes.length > 0 ? (
          <ul className={styles.codes}>
            {codes.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        ) : (
          t('sqllab.result.engine', 'The database says:')
        )}
      </ErrorPanel>
    </div>
  )
}
