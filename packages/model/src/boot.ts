import type { DynamicPlugin } from './dynamic-plugin.ts'
import type { MenuItem } from './menu.ts'

/** The signed-in user, available on every page. Anonymous visitors only have roles and permissions. */
export interface BootUser {
  username?: string
  firstName?: string
  lastName?: string
  userId?: number
  /** Ids of the subjects that the user is: their own, those of their roles and of their groups. */
  subjects?: number[]
  email?: string
  isActive: boolean
  isAnonymous: boolean
  createdOn?: string
  loginCount?: number
  /** Permission and view pairs by role. */
  roles: Record<string, [permission: string, view: string][]>
  permissions: { datasource_access?: string[]; database_access?: string[] }
}

export interface BootCommon {
  /** Settings that the API exposes to clients, under their API names. */
  conf: Record<string, unknown>
  locale: string
  feature_flags: Record<string, boolean>
  menu_data: {
    menu: MenuItem[]
    navbar_right: Record<string, unknown>
    brand: Record<string, unknown>
    environment_tag?: { text?: string; color?: string }
  }
  /** Shown once, as toasts or above the form of the sign-in page: `[category, text]`, with categories such as `danger`. */
  flash_messages: [category: string, text: string][]
  /** Themes of all pages (`ThemeDocument`), and the CSS variables that they change in each mode. */
  theme?: {
    default: object
    dark: object
    variables: Record<'light' | 'dark', Record<string, string>>
    enableUiThemeAdministration: boolean
  }
  examples?: ExampleProgress
  /** Chart types that administrators have added, with the flag DYNAMIC_PLUGINS. */
  dynamic_plugins?: DynamicPlugin[]
  /** A query that was posted as a form to the SQL Lab page: `RequestedQuery`. */
  requested_query?: unknown
  [key: string]: unknown
}

/** Progress of the example dashboards, which load in the background after the first start. */
export interface ExampleProgress {
  state: 'off' | 'loading' | 'ready' | 'failed'
  /** Number of tables written, out of `of`. */
  done: number
  of: number
}

/** Data that the server writes into each page, as JSON in `<script type="application/json" id="boot">`. Contains no secrets. */
export interface Boot {
  user: BootUser
  common: BootCommon
}

/**
 * Placeholders in the built `index.html` that the server replaces in each response: a fresh nonce, the boot JSON (with `<`
 * escaped as `\u003c`), the token of the hidden `csrf_token` field that scripts read from the sign-in page, links to the files
 * that the page loads first, and a JSON list of its first API calls.
 */
export const pagePlaceholders = {
  nonce: 'NONCE',
  boot: 'BOOT_JSON',
  csrf: 'CSRF_TOKEN',
  links: '<!--FIRST_FILES-->',
  calls: 'FIRST_CALLS',
} as const
