import { ApiError } from '@parquetry/client'
import { ButtonLink, EmptyState, ErrorPanel, PageHeader, useTranslate } from '@parquetry/ui'
import { messageOf } from '../../shared/errors.ts'
import { usePage } from '../../shared/page.ts'
import { canSeeReports, reportListHref } from '../../shared/reports/has-reports.ts'
import { useReport } from '../../shared/reports/use-report.ts'
import { useTitle } from '../../shared/use-title.ts'
import lists from '../lists.module.css'
import { reportLog } from '../pages.ts'
import { NoReports } from './NoReports.tsx'
import { mayChangeReport } from './report-list.tsx'
import { RunLog } from './RunLog.tsx'

/** The runs of one alert or report. */
export function ReportLogPage() {
  return canSeeReports ? <Log /> : <NoReports />
}

function Log() {
  const t = useTranslate()
  const { params } = usePage(reportLog)
  const id = Number(params['id'])
  const report = useReport(id)
  const { name, type = 'Report' } = report.data ?? {}
  const title = name ?? t('reports.log', 'Log')
  useTitle([title, t('reports.log', 'Log')])
  const isGone = report.error instanceof ApiError && report.error.status === 404
  const listHref = reportListHref(type)
  return (
    <div className={lists.page}>
      <PageHeader
        title={title}
        crumbs={[
          {
            label: type === 'Alert' ? t('reports.list.alerts', 'Alerts') : t('reports.list.reports', 'Reports'),
            href: listHref,
          },
        ]}
        actions={
          report.data &&
          mayChangeReport(report.data) && (
            <ButtonLink icon="edit" href={`${listHref}?edit=${id}`}>
              {t('lists.edit', 'Edit')}
            </ButtonLink>
          )
        }
      />
      <div className={lists.content}>
        {isGone ? (
          <EmptyState title={t('reports.gone', 'Report not found')}>
            {t('reports.goneText', 'It was deleted, or it belongs to other users.')}
          </EmptyState>
        ) : report.error ? (
          <ErrorPanel onRetry={() => void report.refetch()}>{messageOf(report.error)}</ErrorPanel>
        ) : (
          <RunLog id={id} />
        )}
      </div>
    </div>
  )
}
