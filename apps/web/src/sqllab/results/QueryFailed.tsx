import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import { ownErrorMessage } from '../../shared/own-error-message.ts'
import type { SqlLabActions } from '../actions.ts'
import { errorRange, lineAndColumn, locateRun } from '../editor/diagnostics.ts'
import { isOfflineError } from '../run/query-error.ts'
import type { Query } from '../state.ts'
import styles from './results.module.css'

export interface QueryFailedProps {
  query: Query
  /** Current text of the tab, in which lines are counted. */
  text: string
  actions: Pick<SqlLabActions, 'rerun' | 'select'>
}

/** Shows the full database message with its location and a link to the statement, and possible causes below. */
export function QueryFailed({ query, text, actions }: QueryFailedProps) {
  const t = useTranslate()
  const { error, sql } = query
  if (error && isOfflineError(error))
    return (
      <div className={styles.failed}>
        <ErrorPanel title={t('sqllab.result.offline', 'You are offline')} onRetry={() => actions.rerun(query.id)}>
          {error.message}
        </ErrorPanel>
      </div>
    )
  const at = query.isDataPreview ? null : locateRun(text, query)
  const [from, to] = errorRange(sql, error?.offset ?? null)
  const position = at === null || (error?.offset ?? null) === null ? null : lineAndColumn(text, at + from)
  const codes = (error?.errors ?? []).flatMap(({ extra }) => extra?.issue_codes ?? [])
  return (
    <div className={styles.failed}>
      <ErrorPanel
        title={
          position === null
            ? query.state === 'timed_out'
              ? t('sqllab.result.timedOut', 'Query timed out')
              : t('sqllab.result.failed', 'Query failed')
            : t('sqllab.result.place', 'Query failed at line {line}, column {column}', position)
        }
        details={error?.message}
        accessHref={error?.link ?? undefined}
        onRetry={() => actions.rerun(query.id)}
        actions={
          at !== null && (
            <Button onClick={() => actions.select(at + from, at + to)}>
              {t('sqllab.result.show', 'Show statement')}
            </Button>
          )
        }
        hints={
          codes.length > 0 && (
            <ul className={styles.codes}>
              {codes.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          )
        }
      >
        {ownErrorMessage(error?.errors[0]?.error_type)}
      </ErrorPanel>
    </div>
  )
}
