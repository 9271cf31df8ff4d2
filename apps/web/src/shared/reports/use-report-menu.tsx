import { confirm, toast, toastError, useTranslate, type MenuItem } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { api } from '../api.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { canWriteReports } from './has-reports.ts'
import type { NamedTarget, PageFilters } from './report-draft.ts'
import { useActivate } from './use-activate.ts'
import { creationMethodOf, useReportOf } from './use-report.ts'

const ReportDialog = lazyComponent(async () => (await import('./ReportDialog.tsx')).ReportDialog)

export interface ReportMenu {
  items: MenuItem[]
  /** Loads the existing report when the menu is first opened, so that pages do not wait for it. */
  onOpenChange(open: boolean): void
  /** The dialog that the items open. */
  element: ReactNode
}

/**
 * Menu items for the user's own report of a chart or dashboard: one can be set up, then edited, turned on and off, and deleted
 * (REPORT-001 to REPORT-006).
 * @param target  null for a chart that is not saved
 * @param readPage  filters of the open dashboard
 */
export function useReportMenu(target: NamedTarget | null, readPage: () => PageFilters | null): ReportMenu {
  const t = useTranslate()
  const queries = useQueryClient()
  const [isWanted, setWanted] = useState(false)
  const [dialog, setDialog] = useState<{ id: number | null; page: PageFilters | null } | null>(null)
  const isOffered = canWriteReports && target !== null
  const found = useReportOf(target ?? { kind: 'chart', id: -1 }, isWanted && isOffered)
  const report = found.data
  const hasFailed = found.isError
  useEffect(() => {
    if (hasFailed) toastError(t('reports.fetchFailed', 'There was an issue fetching reports.'))
  }, [hasFailed, t])

  const activate = useActivate(() => toast(t('reports.updated', 'Report updated')))
  const remove = async (id: number, name: string): Promise<void> => {
    const yes = await confirm({
      title: t('reports.deleteTitle', 'Delete report {name}?', { name }),
      body: t('reports.deleteText', 'Its log and its files are deleted too. This cannot be undone.'),
      action: t('reports.delete', 'Delete report'),
    })
    if (!yes) return
    try {
      await api.del('/api/v1/report/:id', { params: { id } })
      toast(t('lists.deleted', 'Deleted: {names}', { names: name }))
    } catch {
      toastError(t('reports.deleteFailed', 'Your report could not be deleted.'))
    }
    await queries.invalidateQueries({ queryKey: ['report'] })
  }
  const open = (id: number | null): void => setDialog({ id, page: readPage() })

  return {
    items: isOffered
      ? report
        ? [
            {
              label: t('reports.menu.manage', 'Manage email report'),
              icon: 'clock',
              items: [
                {
                  label: t('reports.menu.active', 'Email reports active'),
                  checked: activate.isPending ? activate.variables.active : report.active,
                  onSelect: () => activate.mutate({ id: report.id, active: !report.active }),
                },
                {
                  label: t('reports.menu.edit', 'Edit email report'),
                  icon: 'edit',
                  onSelect: () => open(report.id),
                },
                {
                  label: t('reports.menu.delete', 'Delete email report'),
                  icon: 'trash',
                  danger: true,
                  onSelect: () => void remove(report.id, report.name),
                },
              ],
            },
          ]
        : [
            {
              label: t('reports.menu.new', 'Set up an email report'),
              icon: 'clock',
              onSelect: () => open(null),
              disabledReason: found.isFetching ? t('reports.menu.loading', 'Loading') : undefined,
            },
          ]
      : [],
    onOpenChange: (isOpen) => {
      if (isOpen) setWanted(true)
    },
    element: dialog && target && (
      <Suspense>
        <ReportDialog
          id={dialog.id}
          start={{ type: 'Report', creation_method: creationMethodOf(target.kind), target }}
          page={dialog.page}
          onClose={() => setDialog(null)}
        />
      </Suspense>
    ),
  }
}
