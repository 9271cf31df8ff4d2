import { useEffect } from 'react'
import { useDashboardState } from '../state/context.ts'
import { buildScopedSheet } from './scoped-css.ts'

/** Applies the dashboard's CSS inside its grid, including edits in progress. */
export function useDashboardCss(scope: string): void {
  const css = useDashboardState(({ dashboard, cssPreview }) => cssPreview ?? dashboard.result.css ?? '')
  useEffect(() => {
    if (css.trim() === '') return
    const sheet = buildScopedSheet(css, scope)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [css, scope])
}
