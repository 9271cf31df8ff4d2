import type { Translate } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { boot } from '../../shared/boot.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { planTimedRefresh } from '../state/stagger.ts'
import { shownCharts } from '../state/tabs.ts'

/** Intervals in seconds, as in the settings of the API; 0 means never. */
const seconds = [0, 10, 30, 60, 300, 1800, 3600, 21_600, 43_200, 86_400] as const

export const refreshChoices = (t: Translate): { seconds: number; label: string }[] =>
  seconds.map((each) => ({ seconds: each, label: choiceLabel(t, each) }))

function choiceLabel(t: Translate, each: number): string {
  if (each === 0) return t('dashboard.never', 'Never')
  if (each < 60) return t('dashboard.everySeconds', 'Every {n, plural, one {second} other {# seconds}}', { n: each })
  if (each < 3600)
    return t('dashboard.everyMinutes', 'Every {n, plural, one {minute} other {# minutes}}', { n: each / 60 })
  return t('dashboard.everyHours', 'Every {n, plural, one {hour} other {# hours}}', { n: each / 3600 })
}

/**
 * Refreshes while the page is visible and not edited, the first time one interval after the last manual refresh. It starts with the dashboard's interval; a choice here lasts for this
 * visit.
 */
export function useAutoRefresh(): { intervalS: number; setIntervalS(next: number): void } {
  const own = useDashboardState(({ dashboard }) => dashboard.metadata.refresh_frequency)
  const refreshRound = useDashboardState(({ refresh }) => refresh.round)
  const isEditing = useDashboardState((state) => state.isEditing)
  const [chosen, setChosen] = useState<number | null>(null)
  const { store, data } = useDashboard()
  const intervalS = chosen ?? (typeof own === 'number' && own > 0 ? own : 0)
  useEffect(() => {
    if (intervalS === 0 || isEditing) return
    const acceptsAnyAge = boot.common.conf.DASHBOARD_AUTO_REFRESH_MODE === 'fetch'
    const age = acceptsAnyAge ? {} : { refresh_interval: Math.max(1, Math.round(intervalS)) }
    let waiting: ReturnType<typeof setTimeout>[] = []
    const stop = () => waiting.forEach((timer) => clearTimeout(timer))
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible' || !navigator.onLine) return
      stop()
      const { history, openTabs, dashboard } = store.getState()
      const charts = new Set(shownCharts(history.present, openTabs).flatMap(({ meta }) => meta.chartId ?? []))
      waiting = planTimedRefresh([...charts], dashboard.metadata).map((request) =>
        setTimeout(() => data.refresh(request.charts, age), request.delayMs),
      )
    }, intervalS * 1000)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [intervalS, isEditing, refreshRound, store, data])
  return { intervalS, setIntervalS: setChosen }
}
