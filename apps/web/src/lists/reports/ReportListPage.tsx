import { confirm, Drawer, Tabs, toast, toastError, useNavigation, useTranslate, ButtonLink } from '@parquetry/ui'
import type { ReportType } from '@parquetry/model'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { usePage } from '../../shared/page.ts'
import { canSeeReports, canWriteReports, reportListHref } from '../../shared/reports/has-reports.ts'
import type { ReportStart } from '../../shared/reports/report-draft.ts'
import { useActivate } from '../../shared/reports/use-activate.ts'
import { useReport } from '../../shared/reports/use-report.ts'
import { isAdmin } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import { alerts, reports } from '../pages.ts'
import { NoReports } from './NoReports.tsx'
import { reportList, type ReportRow } from './report-list.tsx'

const ReportDialog = lazyComponent(async () => (await import('../../shared/reports/ReportDialog.tsx')).ReportDialog)
const RunLog = lazyComponent(async () => (await import('./RunLog.tsx')).RunLog)

export const AlertListPage = () => <AlertsAndReports type="Alert" />
export const ReportListPage = () => <AlertsAndReports type="Report" />

const readId = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

/**
 * One page with two tabs, each with its own address. `?new=true` opens the form, with `&dashboard=3&name=Sales` or `&chart=3` for
 * an object, `?edit=3` the form of an existing report, and `?log=3` its runs.
 */
function AlertsAndReports({ type }: { type: ReportType }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const page = type === 'Alert' ? alerts : reports
  const { mutate: activate } = useActivate()
  const { search, setSearch } = usePage(page)
  const definition = useMemo(() => {
    const run = async (row: ReportRow): Promise<void> => {
      const yes = await confirm({
        title: t('reports.list.runTitle', 'Run {name} now?', { name: row.name }),
        body: t(
          'reports.list.runText',
          'It is sent to all its recipients, unless the condition of an alert is not met.',
        ),
        action: t('reports.list.runNow', 'Run now'),
        danger: false,
      })
      if (!yes) return
      try {
        await api.post('/api/v1/report/:id/run', { params: { id: row.id }, body: { to: 'recipients' } })
        toast(t('reports.list.started', 'Started: {name}', { name: row.name }), {
          action: { label: t('reports.log', 'Log'), run: () => setSearch({ log: row.id }) },
        })
      } catch (error) {
        toastError(messageOf(error))
      }
      await queries.invalidateQueries({ queryKey: ['report', 'list'] })
    }
    return reportList(t, type, {
      onRun: (row) => void run(row),
      onActivate: ({ id }, active) => activate({ id, active }),
    })
  }, [t, type, queries, setSearch, activate])
  if (!canSeeReports) return <NoReports />
  const editing = readId(search['edit'])
  const log = readId(search['log'])
  return (
    <ListPage
      key={type}
      page={page}
      definition={definition}
      onOpen={(dialog, id) => setSearch({ [dialog]: id })}
      actions={
        isAdmin && (
          <ButtonLink icon="settings" href="/report/channels/">
            {t('reports.channels', 'Delivery channels')}
          </ButtonLink>
        )
      }
      tabs={
        <Tabs<ReportType>
          label={t('app.nav.reports', 'Alerts & reports')}
          value={type}
          onChange={(next) => go(reportListHref(next))}
          tabs={[
            { value: 'Alert', label: t('reports.list.alerts', 'Alerts') },
            { value: 'Report', label: t('reports.list.reports', 'Reports') },
          ]}
        />
      }
    >
      {canWriteReports && search['new'] === 'true' && (
        <Suspense>
          <ReportDialog
            id={null}
            start={readStart(type, search)}
            onClose={() => setSearch({ new: null, chart: null, dashboard: null, name: null })}
          />
        </Suspense>
      )}
      {canWriteReports && editing !== null && (
        <Suspense>
          <ReportDialog
            key={editing}
            id={editing}
            start={readStart(type, {})}
            onClose={() => setSearch({ edit: null })}
          />
        </Suspense>
      )}
      {log !== null && <LogDrawer key={log} id={log} onClose={() => setSearch({ log: null })} />}
    </ListPage>
  )
}

function LogDrawer({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslate()
  const { data } = useReport(id)
  return (
    <Drawer
      open
      title={data ? t('reports.logOf', 'Log of {name}', { name: data.name }) : t('reports.log', 'Log')}
      width={960}
      onClose={onClose}
    >
      <Suspense>
        <RunLog id={id} />
      </Suspense>
    </Drawer>
  )
}

function readStart(type: ReportType, search: Record<string, string | undefined>): ReportStart {
  const kind = readId(search['chart']) !== null ? 'chart' : 'dashboard'
  const id = readId(search[kind])
  return {
    type,
    creation_method: 'alerts_reports',
    ...(id !== null && { target: { kind, id, name: search['name'] ?? '' } }),
  }
}
