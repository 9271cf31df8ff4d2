import { Button, confirm, Strip, toast, toastError, useText } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import type { Dashboard } from '../document/read-dashboard.ts'
import { saveBody } from '../document/save-body.ts'
import { newSuffix } from '../edit/new-things.ts'
import { saveErrorText } from '../edit/use-save.ts'
import { remove } from '../layout/commands.ts'
import { useActions, useBoard, useDashboard } from '../state/context.ts'
import { filtersOf, withNativeFilters } from './config.ts'
import { asNativeFilters, dashboardFilters } from './boxes-as-filters.ts'

const laterKey = (id: number) => `parquetry.filter-boxes.later.${id}`

/** Offers who may edit a dashboard to make filters of its filter boxes: in one step, which can be taken back at once. */
export function BoxMigration() {
  const t = useText()
  const { rights } = useDashboard()
  const { load, settle } = useActions()
  const dashboard = useBoard((state) => state.dashboard)
  const isEditing = useBoard((state) => state.isEditing)
  const { id } = dashboard.result
  const [isLater, setLater] = useState(() => localStorage.getItem(laterKey(id)) !== null)
  const { nodes } = dashboard.layout
  const boxes = dashboardFilters(dashboard, nodes)

  const save = useMutation({
    mutationFn: async (next: Dashboard) => {
      await saveDashboard(id, saveBody(next, next.layout))
      return (await loadDashboard(String(id))).dashboard
    },
    onSuccess: (saved) => {
      load(saved)
      // Filters that came begin with their defaults, and those that went filter nothing.
      settle(() => saved)
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
    const words = {
      __time_range: t('dashboard.timeFilter', 'Time range'),
      __time_grain: t('dashboard.timeGrainFilter', 'Time grain'),
      __time_col: t('dashboard.timeColumnFilter', 'Time column'),
    }
    const added = asNativeFilters(dashboard, nodes, newSuffix, words)
    const without = boxes.reduce((tree, { componentId }) => remove(tree, componentId), nodes)
    const filters = [...filtersOf(dashboard.metadata, nodes), ...added]
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
            } as Dashboard),
          ),
      },
    })
  }
  return (
    <Strip
      banner
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
    </Strip>
  )
}
