import type { ListColumn, IconName, MenuItem, Option, Translate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import type { ImportKind } from '../shared/import-permissions.ts'
import type { Owner } from '../shared/owner.ts'
import type { ThumbnailTarget } from '../shared/thumbnail/thumbnail-target.ts'
import type { Resource, RowSource } from '../shared/use-resource.ts'

export interface ApiFilter {
  col: string
  opr: string
  value: string | number | boolean
}

/** Maximum ids per call, limited by the length of a URL. */
export const idsPerCall = 100

/** Properties common to the rows of all lists. */
export interface ListRow {
  id: number
  changed_on_delta_humanized?: string
}

/** A filter next to the search field; its value is stored in the address under `name`. */
export interface ListFilter {
  name: string
  label: string
  /**
   * A toggle button, a choice of fixed options, or a choice of related objects, distinct column values, tags, or users, roles
   * or groups.
   */
  kind: 'toggle' | 'choice' | 'related' | 'distinct' | 'subject' | 'tag'
  /** Options of a `choice`. */
  options?: Option[]
  /** A `choice` that also accepts free text. */
  freeText?: boolean
  /** Column whose related objects or distinct values are offered; type of a `subject`. */
  column?: string
  toApi(value: string): ApiFilter[]
  /** Hidden in the "Filter" menu until used. */
  secondary?: boolean
}

/** Names of an object type. `count` includes the number: "3 charts". */
export interface Nouns {
  title: string
  one: string
  /** Plural in the middle of a sentence: "charts". */
  many: string
  count(n: number): string
}

export interface FirstUse {
  title: string
  text: string
  /** Shown to users who may create. */
  action?: { label: string; href: string }
}

/** Definition of a list page for one resource; the page itself is shared by all. */
export interface ListDefinition<Row extends ListRow> {
  resource: Resource
  /** Loads rows that belong to another object, instead of the resource. */
  source?: RowSource<Row>
  /** Deletes rows instead of the resource's API calls. */
  remove?: (rows: readonly Row[]) => Promise<void>
  /** View name of the permissions. */
  view: string
  icon: IconName | ((row: Row) => IconName)
  nouns: Nouns
  /** Columns requested from the API. */
  fields: readonly string[]
  nameOf(row: Row): string
  hrefOf(row: Row): string
  /** Sort column of the name header. */
  nameOrder?: string
  nameHeader: string
  searchLabel: string
  search(text: string): ApiFilter
  filters: ListFilter[]
  columns: ListColumn<Row>[]
  /** Secondary details in one line: below the name if the window is too narrow for their columns, and on cards. */
  subtitle(row: Row): string
  defaultSort?: { column: string; direction: 'asc' | 'desc' }
  owners?: (row: Row) => Owner[]
  certified?: (row: Row) => { by: string | null; details: string | null }
  /** Marks next to the name. */
  marks?: (row: Row) => ReactNode
  /** Problem of a row: a short label and a sentence. */
  wrong?: (row: Row) => { word: string; sentence: string } | undefined
  hasFavorites?: boolean
  hasCards?: boolean
  /** Subject of a card's thumbnail; without it, the card shows an icon. */
  pictured?: (row: Row) => ThumbnailTarget
  firstUse: FirstUse
  /** Own texts of failures; without them, a general text with the reason. `fetch` is also shown as a toast. */
  failures?: { fetch: string; remove: string }
  create?: { label: string; href: string; permission: string }
  /** Entries of a row's menu before "Delete". */
  menu?: (row: Row, tools: RowTools) => MenuItem[]
  /** Space on a row opens the dialog `preview` instead of selecting. */
  hasPreview?: boolean
  /** Action of the key E. */
  edit?: { label: string; hrefOf?: (row: Row) => string; mayEdit(row: Row): boolean }
  canDelete?: (row: Row) => boolean
  /** Permission to delete rows, if it is not `can_write`; null if the list itself offers to delete them. */
  removePermission?: string | null
  /** Describes what depends on these rows, and whether the name must be typed; `blocked` if it prevents deletion. */
  consequence?: (rows: Row[], t: Translate) => Promise<{ text: string; typed?: boolean; blocked?: boolean }>
  /** Objects can be exported as bundles. */
  hasExport?: boolean
  /** Permission to export, if it is not `can_export`. */
  exportPermission?: string
  /** Kind of the bundles that can be imported here. */
  imports?: ImportKind
  /** Filters that always apply. */
  always?: ApiFilter[]
}

export interface RowTools {
  t: Translate
  go(href: string): void
  /** Opens the dialog for a row. */
  open(dialog: string, id: number): void
  refresh(): void
}
