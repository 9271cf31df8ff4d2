import Type, { type Static } from 'typebox'
import { auditFields, body, flag, id, openObject, row, text } from './fields.ts'
import { bulkDelete, ById, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

export const maxThemeLength = 100_000

const fields = { theme_name: text(1, 250), json_data: text(0, maxThemeLength) }
/** Body of `POST /api/v1/theme/`. `json_data` is the text of a `ThemeDocument` of the charts. */
export const ThemePost = body(fields)
export type ThemePost = Static<typeof ThemePost>

/** Both fields are required. */
export const ThemePut = body(fields)
export type ThemePut = Static<typeof ThemePut>

const columns = {
  id: id(),
  uuid: text(),
  theme_name: text(),
  json_data: text(),
  /** Defined by the configuration: it can be neither changed nor deleted. */
  is_system: flag(),
  is_system_default: flag(),
  is_system_dark: flag(),
  changed_by: auditFields.changed_by,
  changed_by_name: text(),
  changed_on: text(),
  changed_on_delta_humanized: text(),
  created_by: auditFields.created_by,
  created_on: text(),
  /** Parquetry extension: the dashboards with the theme that the caller may see. */
  dashboards: Type.Array(openObject({ id: id(), dashboard_title: text() })),
}

/** A theme in `GET /api/v1/theme/`. */
export const ListedTheme = row(columns)
export type ListedTheme = Static<typeof ListedTheme>

/**
 * `result` of POST and PUT: the stored fields. Parquetry adds the parts of the theme that were left out because they are unsafe or
 * cannot be read, and the pairs of colors with too little contrast.
 */
const SavedTheme = openObject({
  theme_name: text(),
  json_data: text(),
  removed: Type.Array(openObject({ path: text(), reason: text() })),
  contrast_faults: Type.Array(
    openObject({ foreground: text(), background: text(), ratio: Type.Number(), required: Type.Number() }),
  ),
})

const part = { name: 'theme', view: 'Theme' } as const
const write = { rate: 'write', csrf: 'token', errors: 'plain', body: 'none' } as const
const system = {
  ...write,
  object: 'administrators only, with the setting ENABLE_UI_THEME_ADMINISTRATION',
} as const

const setSystem = <const Mode extends 'default' | 'dark'>(mode: Mode) =>
  defineRoute({
    ...system,
    method: 'PUT',
    path: `/api/v1/theme/:id/set_system_${mode}`,
    summary: `Makes a theme the one that pages use in ${mode === 'dark' ? 'dark' : 'light'} mode`,
    params: ById,
    reply: openObject({ id: id(), result: text() }),
    can: [`can_set_system_${mode}`, 'Theme'],
    audit: `theme.set_system_${mode}`,
    fails: ['forbidden', 'not_found', 'unprocessable'],
  })

const unsetSystem = <const Mode extends 'default' | 'dark'>(mode: Mode) =>
  defineRoute({
    ...system,
    method: 'DELETE',
    path: `/api/v1/theme/unset_system_${mode}`,
    summary: `Returns pages to the configured theme in ${mode === 'dark' ? 'dark' : 'light'} mode`,
    reply: openObject({ result: text() }),
    can: [`can_unset_system_${mode}`, 'Theme'],
    audit: `theme.unset_system_${mode}`,
    fails: ['forbidden'],
  })

const { distinct: _, ...reading } = readingRoutes({ ...part, listed: ListedTheme, detail: ListedTheme })
const writing = writingRoutes({ ...part, post: ThemePost, put: ThemePut })

/** `/api/v1/theme/`: colors, fonts and radii of pages and dashboards. */
export const themeRoutes = {
  ...reading,
  ...writing,
  create: defineRoute({ ...writing.create, reply: openObject({ id: id(), result: SavedTheme }) }),
  update: defineRoute({
    ...writing.update,
    reply: openObject({ id: id(), result: SavedTheme }),
    fails: [...writing.update.fails, 'forbidden'],
  }),
  bulkDelete: bulkDelete(part),
  setDefault: setSystem('default'),
  setDark: setSystem('dark'),
  unsetDefault: unsetSystem('default'),
  unsetDark: unsetSystem('dark'),
}
