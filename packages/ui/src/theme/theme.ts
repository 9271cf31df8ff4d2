import { createContext, use, useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type Theme = 'light' | 'dark'
export type Density = 'compact' | 'comfortable'

/** Keys in local storage. `index.html` contains them as well, because it reads both before the first paint. */
export const storageKeys = { theme: 'parquetry.theme', density: 'parquetry.density' } as const

const root = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Without storage the choice only lasts until the page is left.
  }
}

const stored = read(storageKeys.theme)
let choice: ThemeChoice = stored === 'light' || stored === 'dark' ? stored : 'system'
let density: Density = read(storageKeys.density) === 'comfortable' ? 'comfortable' : 'compact'

const theme = (): Theme => (choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice)

const apply = (): void => {
  root.dataset.theme = theme()
  root.dataset.density = density
  for (const listener of listeners) listener()
}
dark.addEventListener('change', apply)
apply()

export function setTheme(next: ThemeChoice): void {
  choice = next
  write(storageKeys.theme, next)
  apply()
}

export function setDensity(next: Density): void {
  density = next
  write(storageKeys.density, next)
  apply()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** CSS variables and their values. */
export type ThemeVariables = Readonly<Record<string, string>>
type VariablesByTheme = Readonly<Record<Theme, ThemeVariables>>

const noVariables: VariablesByTheme = { light: {}, dark: {} }
let variables = noVariables
const sheet = new CSSStyleSheet()

/** Sets CSS variables of the page on top of `tokens.css`. Values are set by the CSSOM, so none can leave its variable. */
export function setThemeVariables(next: VariablesByTheme | null): void {
  variables = next ?? noVariables
  sheet.replaceSync(`:root[data-theme='light'] {} :root[data-theme='dark'] {}`)
  for (const [index, values] of [variables.light, variables.dark].entries())
    for (const [name, value] of Object.entries(values))
      (sheet.cssRules[index] as CSSStyleRule).style.setProperty(name, value)
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets]
  for (const listener of listeners) listener()
}

/** The theme of a part of the page that differs from the page: see `ThemeScope`. */
export const ThemeScopeContext = createContext<{ theme: Theme; variables: ThemeVariables } | null>(null)

/** Returns the current theme; updates immediately when the system or the user changes it. Charts are drawn with it. */
export function useTheme(): Theme {
  const current = useSyncExternalStore(subscribe, theme)
  return use(ThemeScopeContext)?.theme ?? current
}

/** Returns the CSS variables that themes have set, for canvases, which cannot read them. */
export function useThemeVariables(): ThemeVariables {
  const current = useSyncExternalStore(subscribe, () => variables[theme()])
  return use(ThemeScopeContext)?.variables ?? current
}
/** Returns the user's choice, which may be `system`. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, () => choice)
export const useDensity = (): Density => useSyncExternalStore(subscribe, () => density)
