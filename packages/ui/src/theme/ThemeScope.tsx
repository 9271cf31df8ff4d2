import { useMemo, type ReactNode } from 'react'
import { ThemeScopeContext, type Theme, type ThemeVariables } from './theme.ts'
import styles from './ThemeScope.module.css'

export interface ThemeScopeProps {
  theme: Theme
  variables: ThemeVariables
  children: ReactNode
}

/** A part of the page with a theme of its own, such as a preview. Menus and dialogs that open from it have the theme of the page. */
export function ThemeScope({ theme, variables, children }: ThemeScopeProps) {
  const value = useMemo(() => ({ theme, variables }), [theme, variables])
  return (
    <ThemeScopeContext value={value}>
      <div className={styles.scope} data-theme={theme} style={variables}>
        {children}
      </div>
    </ThemeScopeContext>
  )
}
