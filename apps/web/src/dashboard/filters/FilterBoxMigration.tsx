import { Button, confirm, Banner, toast, toastError, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import type { DashboardDocument } from '../document/read-dashboard.ts'
import { buildSaveBody } from '../document/save-body.ts'
import { createIdSuffix } from '../edit/new-nodes.ts'
import { saveErrorText } from '../edit/use-dashboard-save.ts'
import { remove } from '../layout/commands.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { listNativeFilters, withNativeFilters } from './config.ts'
import { toNativeFilters, listFilterBoxes } from './convert-filter-boxes.ts'

const laterKey = (id: number) => `parquetry.filter-boxes.later.${id}`

/** Offers editors to convert the filter boxes of a dashboard to filters in one step, with undo. */
export function FilterBoxMigration() {
  const t = useTranslate()
  const { rights } = useDashboard()
  const { load, updateDocument } = useActions()
  const dashboard = useDashboardState((state) => state.dashboard)
  const isEditing = useDashboardState((state) => state.isEditing)
  const { id } = dashboard.result
  const [isLater, setLater] = useState(() => localStorage.getItem(laterKey(id)) !== null)
  const { nodes } = dashboard.layout
  const boxes = listFilterBoxes(dashboard, nodes)

  const save = useMutation({
    mutationFn: async (next: DashboardDocument) => {
      await saveDashboard(id, buildSaveBody(next, next.layout))
      return (await loadDashboard(String(id))).dashboard
    },
    onSuccess: (saved) => {
      load(saved)
      // New filters start with their defaults, and the values of removed ones are dropped.
      updateDocument(() => saved)
    },
    onError: (error) => toastError(saveErrorText(t, error)),
  })
  if (!rights.edit || isEditing || isLater || boxes.length === 0) return null

  const migrate = async (): Promise<void> => {
    const yes = await confirm({
      title: t('dashboard.migrateBoxes', 'Convert filter boxes to filters?'),
      body: t(
        'dashboard.migrateBoxesBody',
        '{count, plural, one {The filter box is} other {The # filter boxes are}} removed from the dashboard, and each column becomes a filter in the filter bar. The charts themselves are not deleted.',
        { count: boxes.length },
      ),
      action: t('dashboard.migrateAction', 'Convert filter boxes'),
      danger: false,
    })
    if (!yes) return
    const controlNames = {
      __time_range: t('dashboard.timeFilter', 'Time range'),
      __time_grain: t('dashboard.timeGrainFilter', 'Time grain'),
      __time_col: t('dashboard.timeColumnFilter', 'Time column'),
    }
    const added = toNativeFilters(dashboard, nodes, createIdSuffix, controlNames)
    const without = boxes.reduce((tree, { componentId }) => remove(tree, componentId), nodes)
    const filters = [...listNativeFilters(dashboard.metadata, nodes), ...added]
    const metadata = withNativeFilters(dashboard.metadata, filters, without)
    await save.mutateAsync({ ...dashboard, metadata, layout: { ...dashboard.layout, nodes: without } })
    toast(t('dashboard.migrated', 'Filter boxes converted to filters'), {
      action: {
        label: t('dashboard.undo', 'Undo'),
        run: () =>
          void loadDashboard(String(id)).then((now) =>
            save.mutateAsync({
              ...dashboard,
              result: { ...dashboard.result, changed_on: now.dashboard.result.changed_on },
            } as DashboardDocument),
          ),
      },
    })
  }
  return (
    <Banner
      inline
      action={
        <>
          <Button busy={save.isPending} onClick={() => void migrate().catch(() => undefined)}>
            {t('dashboard.migrateAction', 'Convert filter boxes')}
          </Button>
          <Button
            variant="quiet"
            onClick={() => {
              localStorage.setItem(laterKey(id), '1')
              setLater(true)
            }}
          >
            {t('dashboard.notNow', 'Not now')}
          </Button>
        </>
      }
    >
      {t('dashboard.hasBoxes', 'This dashboard uses filter boxes. You can convert them to filters in the filter bar.')}
    </Banner>
  )
}
