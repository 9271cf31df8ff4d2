import type { MenuItem } from './menu.ts'

/** The signed-in user as every page knows him. Anonymous visitors have roles and permissions only. */
export interface BootUser {
  username?: string
  firstName?: string
  lastName?: string
  userId?: number
  email?: string
  isActive: boolean
  isAnonymous: boolean
  createdOn?: string
  loginCount?: number
  /** Role -> pairs of permission and view. */
  roles: Record<string, [permission: string, view: string][]>
  permissions: { datasource_access?: string[]; database_access?: string[] }
}

export interface BootCommon {
  /** The settings that the API shows to clients, under their names there. */
  conf: Record<string, unknown>
  locale: string
  feature_flags: Record<string, boolean>
  menu_data: {
    menu: MenuItem[]
    navbar_right: Record<string, unknown>
    brand: Record<string, unknown>
    environment_tag?: { text?: string; color?: string }
  }
  /** Shown once as toasts, on the sign-in page above the form: `[category, text]`, category `danger` and so on. */
  flash_messages: [category: string, text: string][]
  examples?: ExampleProgress
  /** What a form posted to the page of SQL Lab asks for: `RequestedQuery`. */
  requested_query?: unknown
  [key: string]: unknown
}

/** How far the example dashboards are, which load behind the first start. */
export interface ExampleProgress {
  state: 'off' | 'loading' | 'ready' | 'failed'
  /** Tables written of all. */
  done: number
  of: number
}

/** What the server writes into each page, as JSON in `<script type="application/json" id="boot">`. No secrets. */
export interface Boot {
  user: BootUser
  common: BootCommon
}

/**
 * Words in the built `index.html` that the server replaces at each answer: a fresh nonce, the boot JSON (with `<` written as
 * `\u003c`), the token in the hidden `csrf_token` field that scripts read from the sign-in page, links to the files that the page
 * fetches first, and as JSON the addresses that it asks first.
 */
export const pagePlaceholders = {
  nonce: 'NONCE',
  boot: 'BOOT_JSON',
  csrf: 'CSRF_TOKEN',
  links: '<!--FIRST_FILES-->',
  calls: 'FIRST_CALLS',
} as const
