import { Button, Dialog, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { messageOf } from '../errors.ts'
import { ReportForm } from './ReportForm.tsx'
import type { PageFilters, ReportStart } from './report-draft.ts'
import { useReport } from './use-report.ts'
import styles from './reports.module.css'

export interface ReportDialogProps {
  /** Id of the alert or report to edit; null creates one. */
  id: number | null
  /** Initial values of a new one. */
  start: ReportStart
  /** Filters of the open dashboard. */
  page?: PageFilters | null
  onClose(): void
}

/** Creates or edits an alert or report: what, when, to whom and in which form. */
export function ReportDialog({ id, start, page = null, onClose }: ReportDialogProps) {
  const t = useTranslate()
  const report = useReport(id)
  if (id === null) return <ReportForm stored={null} start={start} page={page} onClose={onClose} />
  if (report.data) return <ReportForm stored={report.data} start={start} page={page} onClose={onClose} />
  return (
    <Dialog
      open
      title={t('reports.editTitle', 'Edit report')}
      width={720}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('reports.cancel', 'Cancel')}</Button>}
    >
      {report.error ? (
        <ErrorPanel inline onRetry={() => void report.refetch()}>
          {messageOf(report.error)}
        </ErrorPanel>
      ) : (
        <div className={styles.form} aria-busy="true">
          <Skeleton height={56} />
          <Skeleton height={84} />
          <Skeleton height={84} />
        </div>
      )}
    </Dialog>
  )
}
