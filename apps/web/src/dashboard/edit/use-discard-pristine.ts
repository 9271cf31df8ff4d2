import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { purgeTrashed } from '../../shared/history/calls.ts'
import { removeDashboard } from '../data/calls.ts'
import { isPristineDashboard } from '../document/pristine-dashboard.ts'
import { isChanged } from '../layout/history.ts'
import { useDashboard } from '../state/context.ts'

/** Deletes a new dashboard that is left untouched, unless the user creates a chart for it next. */
export function useDiscardPristine(isNew: boolean): void {
  const { store } = useDashboard()
  const queries = useQueryClient()
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // React's strict mode unmounts and remounts immediately.
    clearTimeout(leaving.current)
    if (!isNew) return
    return () => {
      leaving.current = setTimeout(() => {
        const { dashboard, history } = store.getState()
        const { id } = dashboard.result
        const isGoal = new URLSearchParams(location.search).get('dashboard_id') === String(id)
        if (isGoal || !isPristineDashboard(dashboard) || isChanged(history)) return
        removeDashboard(id)
          .then(() => purgeTrashed('dashboard', id))
          .then(() => queries.invalidateQueries({ queryKey: ['dashboard', 'list'] }))
          .catch(() => undefined)
      })
    }
  }, [isNew, store, queries])
}
