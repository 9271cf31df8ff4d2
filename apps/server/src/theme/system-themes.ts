import {
  checkTheme,
  resolveThemeVariables,
  type ThemeDocument,
  type ThemeMode,
  type ThemeVariables,
} from '@parquetry/charts'
import type { HttpDeps } from '../http/app.ts'
import { readCached } from '../store/read-cache.ts'

/** The themes of all pages: for light mode, and for dark mode on top of it. */
export interface SystemThemes {
  default: ThemeDocument
  dark: ThemeDocument
  /** CSS variables that the themes change in each mode. */
  variables: { light: ThemeVariables; dark: ThemeVariables }
}

const parse = (value: unknown): ThemeDocument => {
  const read = checkTheme(value)
  return read.error ? {} : read.theme
}

/**
 * Returns the CSS variables of one mode: those of the system themes, overridden by those of a dashboard's theme.
 * @param id  of the dashboard's theme
 */
export async function loadThemeVariables(
  deps: Pick<HttpDeps, 'db' | 'settings'>,
  id: number | null,
  mode: ThemeMode,
): Promise<ThemeVariables> {
  const system = await loadSystemThemes(deps)
  const row =
    id === null
      ? undefined
      : await deps.db.selectFrom('theme').select('json_data').where('id', '=', id).executeTakeFirst()
  if (!row) return system.variables[mode]
  const layers = mode === 'light' ? [system.default] : [system.default, system.dark]
  return resolveThemeVariables([...layers, parse(JSON.parse(row.json_data))], mode)
}

/** The themes that administrators chose, otherwise those of the configuration. */
export async function loadSystemThemes({ db, settings }: Pick<HttpDeps, 'db' | 'settings'>): Promise<SystemThemes> {
  const { THEME_DEFAULT, THEME_DARK, ENABLE_UI_THEME_ADMINISTRATION } = settings.config
  const chosen = !ENABLE_UI_THEME_ADMINISTRATION
    ? []
    : await readCached(db, db, 'system themes', () =>
        db
          .selectFrom('theme')
          .select(['json_data', 'is_system_default', 'is_system_dark'])
          .where((is) => is.or([is('is_system_default', '=', 1), is('is_system_dark', '=', 1)]))
          .execute(),
      )
  const find = (flag: 'is_system_default' | 'is_system_dark', configured: object | null) => {
    const row = chosen.find((each) => each[flag] === 1)
    return parse(row ? JSON.parse(row.json_data) : (configured ?? {}))
  }
  const light = find('is_system_default', THEME_DEFAULT)
  const dark = find('is_system_dark', THEME_DARK)
  return {
    default: light,
    dark,
    variables: {
      light: resolveThemeVariables([light], 'light'),
      dark: resolveThemeVariables([light, dark], 'dark'),
    },
  }
}
