import { useEffect } from 'react'
import { useBoard } from '../state/context.ts'
import { scopedSheet } from './scoped-css.ts'

/** Puts the CSS of the dashboard into force inside of its grid, as it is edited. */
export function useDashboardCss(scope: string): void {
  const css = useBoard(({ dashboard, cssPreview }) => cssPreview ?? dashboard.result.css ?? '')
  useEffect(() => {
    if (css.trim() === '') return
    const sheet = scopedSheet(css, scope)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [css, scope])
}
