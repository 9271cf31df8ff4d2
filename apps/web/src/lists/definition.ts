import type { ListColumn, IconName, MenuItem, Option, Translate } from '@parquetry/ui'
import type { Owner } from '../shared/owner.ts'
import type { ThumbnailTarget } from '../shared/thumbnail/thumbnail-target.ts'
import type { Resource, RowSource } from '../shared/use-resource.ts'

export interface ApiFilter {
  col: string
  opr: string
  value: string | number | boolean
}

/** Ids that one call takes: more would not fit into its address. */
export const idsPerCall = 100

/** What every row of every list has. */
export interface ListRow {
  id: number
  changed_on_delta_humanized?: string
}

/** A filter beside the search field; its value stands in the address under `name`. */
export interface ListFilter {
  name: string
  label: string
  /** A button that is in or out, a choice from a few, or one from what the server knows of a column. */
  kind: 'toggle' | 'choice' | 'related' | 'distinct'
  /** Options of a `choice`. */
  options?: Option[]
  /** A `choice` that also takes what is typed. */
  freeText?: boolean
  /** Column whose related objects or distinct values are offered. */
  column?: string
  toApi(value: string): ApiFilter[]
  /** Stands under "Filter" until it is used. */
  secondary?: boolean
}

/** Words of a kind of thing. `plural` with a number inside: "3 charts". */
export interface Nouns {
  title: string
  one: string
  /** In the middle of a sentence: "charts". */
  many: string
  count(n: number): string
}

export interface FirstUse {
  title: string
  text: string
  /** Shown to those who may create. */
  action?: { label: string; href: string }
}

/** Everything that one list page needs to say about its resource; the page itself is the same for all. */
export interface ListDefinition<Row extends ListRow> {
  resource: Resource
  /** Of rows that lie within another object; else the resource is asked. */
  source?: RowSource<Row>
  /** Deletes in place of the calls of the resource. */
  remove?: (rows: readonly Row[]) => Promise<void>
  /** View of the permission pairs. */
  view: string
  icon: IconName | ((row: Row) => IconName)
  nouns: Nouns
  /** Columns asked of the API. */
  fields: readonly string[]
  nameOf(row: Row): string
  hrefOf(row: Row): string
  /** Column that the list is ordered by when its names are. */
  nameOrder?: string
  nameHeader: string
  searchLabel: string
  search(text: string): ApiFilter
  filters: ListFilter[]
  columns: ListColumn<Row>[]
  /** Secondary facts in one line: under the name on windows that are too narrow for their columns, and on cards. */
  subtitle(row: Row): string
  defaultSort?: { column: string; direction: 'asc' | 'desc' }
  owners?: (row: Row) => Owner[]
  certified?: (row: Row) => { by: string | null; details: string | null }
  /** What is wrong with it: in a word, and in a sentence. */
  wrong?: (row: Row) => { word: string; sentence: string } | undefined
  hasFavorites?: boolean
  hasCards?: boolean
  /** What the picture of a card is of; else it is the sketch of its icon. */
  pictured?: (row: Row) => ThumbnailTarget
  firstUse: FirstUse
  create?: { label: string; href: string; permission: string }
  /** Entries of a row's menu before "Delete". */
  menu?: (row: Row, tools: RowTools) => MenuItem[]
  /** Space on a row opens the dialog `preview` instead of selecting. */
  hasPreview?: boolean
  /** For the key E. */
  edit?: { label: string; hrefOf?: (row: Row) => string; mayEdit(row: Row): boolean }
  canDelete?: (row: Row) => boolean
  /** What depends on these rows, in a sentence, and whether a name must be typed; `blocked` where it keeps them from being deleted. */
  consequence?: (rows: Row[], t: Translate) => Promise<{ text: string; typed?: boolean; blocked?: boolean }>
  /** Things of this list leave as bundles, one or many. */
  hasExport?: boolean
  /** The API takes bundles of them. */
  hasImport?: boolean
  /** More filters that always hold. */
  always?: ApiFilter[]
}

export interface RowTools {
  t: Translate
  go(href: string): void
  /** Opens the dialog for a row. */
  open(dialog: string, id: number): void
  refresh(): void
}
