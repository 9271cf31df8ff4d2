import { readTheme, resolveThemeVariables, type ThemeDocument } from '@parquetry/charts'
import { setThemeVariables } from '@parquetry/ui'
import { boot } from '../boot.ts'

/** CSS variables of a theme on top of the system themes, in both modes. */
export function themeVariables(theme: ThemeDocument) {
  const { default: light = {}, dark = {} } = boot.common.theme ?? {}
  return {
    light: resolveThemeVariables([light as ThemeDocument, theme], 'light'),
    dark: resolveThemeVariables([light as ThemeDocument, dark as ThemeDocument, theme], 'dark'),
  }
}

/** Gives the page the system themes, or the theme of a dashboard on top of them. */
export function showTheme(json_data: string | null): void {
  const read = json_data === null ? undefined : readTheme(json_data)
  setThemeVariables(read && !read.error ? themeVariables(read.theme) : (boot.common.theme?.variables ?? null))
}
