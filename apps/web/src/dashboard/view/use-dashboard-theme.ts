import { useLayoutEffect } from 'react'
import { showTheme } from '../../shared/theme/page-theme.ts'
import { useDashboardState } from '../state/context.ts'

/** Gives the page the theme of the dashboard while it is shown, including edits in progress. */
export function useDashboardTheme(): void {
  const json_data = useDashboardState(({ dashboard }) => dashboard.result.theme?.json_data ?? null)
  useLayoutEffect(() => {
    if (json_data === null) return
    showTheme(json_data)
    return () => showTheme(null)
  }, [json_data])
}
