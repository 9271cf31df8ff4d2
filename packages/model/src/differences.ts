import { isDeepEqual } from './deep-equal.ts'
import { toPlainText } from './plain-text.ts'
import {
  chartNameInLayout,
  layoutNode,
  readLayout,
  rootId,
  subtree,
  type LayoutNode,
  type LayoutNodes,
} from './dashboard-layout.ts'

/** Kinds of objects that have stored versions and go to the trash when deleted. */
export const versionedKinds = ['dashboard', 'chart', 'dataset'] as const
export type VersionedKind = (typeof versionedKinds)[number]

/**
 * One difference between two documents of an object, as data; the interface turns it into text. Only this file defines what
 * counts as a difference: for versions, for concurrent edits and for unsaved changes.
 */
export interface Difference {
  /** `field` of the object itself, `setting` of its metadata, `node` of a layout, `filter`, `control` of a form, `column`, `metric`. */
  of: 'field' | 'setting' | 'node' | 'filter' | 'control' | 'column' | 'metric'
  how: 'added' | 'removed' | 'changed' | 'moved'
  /** API name of the field or key, type of the node, or the id. */
  what: string
  /** Display name. */
  name?: string
  /** Values of short text fields. */
  before?: string
  after?: string
  /** Long texts or JSON; only in previews of imports. */
  long?: { before: string; after: string }
  /** Chart id of a node. */
  chart?: number
}

type Document = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON text or a value into an object; anything else becomes an empty object. */
export function parseJsonObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  if (typeof value !== 'string' || value === '') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

const maxTextLength = 80
const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= maxTextLength

const blank = (value: unknown) => (value === '' || value === undefined ? null : value)

function diffFields(
  before: Document,
  after: Document,
  fields: readonly string[],
  short: readonly string[],
): Difference[] {
  return fields.flatMap((what): Difference[] => {
    const [a, b] = [blank(before[what]), blank(after[what])]
    if (isDeepEqual(a, b)) return []
    const told = short.includes(what) && isShort(a) && isShort(b) ? { before: a, after: b } : {}
    return [{ of: 'field', how: 'changed', what, ...told }]
  })
}

/** Keys of two objects whose values differ. */
function diffKeys(of: Difference['of'], before: Document, after: Document): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((what): Difference[] => {
    const [a, b] = [before[what], after[what]]
    if (isDeepEqual(a ?? null, b ?? null)) return []
    return [{ of, how: a == null ? 'added' : b == null ? 'removed' : 'changed', what }]
  })
}

interface Named {
  id: string
  name: string
  value: unknown
}

/** Compares two lists by id; entries that remain in a different order count as moved. */
function diffLists(of: Difference['of'], before: readonly Named[], after: readonly Named[]): Difference[] {
  const old = new Map(before.map((each) => [each.id, each]))
  const now = new Map(after.map((each) => [each.id, each]))
  const found = after.flatMap(({ id, name, value }): Difference[] => {
    const was = old.get(id)
    if (!was) return [{ of, how: 'added', what: id, name }]
    return isDeepEqual(was.value, value) ? [] : [{ of, how: 'changed', what: id, name }]
  })
  const gone = before.filter(({ id }) => !now.has(id))
  const moved = findMoved(
    before.flatMap(({ id }) => (now.has(id) ? [id] : [])),
    after.flatMap(({ id }) => (old.has(id) ? [id] : [])),
  )
  return [
    ...found,
    ...gone.map(({ id, name }): Difference => ({ of, how: 'removed', what: id, name })),
    ...moved.map((id): Difference => ({ of, how: 'moved', what: id, name: now.get(id)?.name ?? id })),
  ]
}

/** Returns the fewest entries that must move to turn one order into the other: all except a longest common subsequence. */
function findMoved(before: readonly string[], after: readonly string[]): string[] {
  if (before.every((id, index) => after[index] === id)) return []
  // Patience sorting: finds the longest increasing sequence of old positions in the new order.
  const places = new Map(before.map((id, index) => [id, index]))
  const ends: string[] = []
  const previous = new Map<string, string>()
  const placeOf = (id: string) => places.get(id) ?? 0
  for (const id of after) {
    let index = ends.findIndex((end) => placeOf(end) > placeOf(id))
    if (index === -1) index = ends.length
    const last = ends[index - 1]
    if (last !== undefined) previous.set(id, last)
    ends[index] = id
  }
  const kept = new Set<string>()
  for (let id = ends.at(-1); id !== undefined; id = previous.get(id)) kept.add(id)
  return after.filter((id) => !kept.has(id))
}

const nodeName = ({ type, meta }: LayoutNode): string | undefined => {
  const name = type === 'CHART' ? chartNameInLayout(meta) : type === 'MARKDOWN' ? undefined : meta.text
  return isShort(name) && name !== '' ? name : undefined
}

const nodeDifference = (node: LayoutNode, how: Difference['how']): Difference => {
  const name = nodeName(node)
  const { chartId } = node.meta
  return {
    of: 'node',
    how,
    what: node.type,
    ...(name !== undefined && { name }),
    ...(typeof chartId === 'number' && { chart: chartId }),
  }
}

/** Omits fields that follow from other changes or are set by the server. */
const ownMeta = ({ meta }: LayoutNode) => {
  const { uuid: _, sliceName: _name, ...own } = meta
  return own
}

/** Rows are created and removed with their content, not by users. */
const isImplicitNode = ({ type }: LayoutNode) => ['ROOT', 'GRID', 'ROW'].includes(type)

/** Returns the differences of two layouts: nodes added, removed, changed and moved. */
export function diffLayouts(before: LayoutNodes, after: LayoutNodes): Difference[] {
  const order = subtree(after, rootId)
  const old = new Set(subtree(before, rootId))
  const now = new Set(order)
  const moved = new Set<string>()
  for (const id of order) {
    const [was, is] = [layoutNode(before, id), layoutNode(after, id)]
    if (!is) continue
    const stays = (child: string) => old.has(child) && now.has(child)
    const oldChildren = was?.children ?? []
    for (const child of is.children) if (stays(child) && !oldChildren.includes(child)) moved.add(child)
    for (const child of findMoved(
      oldChildren.filter((each) => stays(each) && is.children.includes(each)),
      is.children.filter((each) => stays(each) && oldChildren.includes(each)),
    ))
      moved.add(child)
  }
  // A chart moved into another row counts as moved; the row created for it does not count.
  const found = order.flatMap((id): Difference[] => {
    const [was, is] = [old.has(id) ? layoutNode(before, id) : undefined, layoutNode(after, id)]
    if (!is) return []
    if (!was) return isImplicitNode(is) ? [] : [nodeDifference(is, 'added')]
    const changed =
      !isImplicitNode(is) && !isDeepEqual(ownMeta(was), ownMeta(is)) ? [nodeDifference(is, 'changed')] : []
    return [...changed, ...(moved.has(id) ? [nodeDifference(is, 'moved')] : [])]
  })
  const gone = [...old].flatMap((id): Difference[] => {
    const was = layoutNode(before, id)
    return was && !now.has(id) && !isImplicitNode(was) ? [nodeDifference(was, 'removed')] : []
  })
  return [...found, ...gone]
}

const listFilters = (metadata: Document): Named[] =>
  (Array.isArray(metadata['native_filter_configuration']) ? metadata['native_filter_configuration'] : [])
    .filter((each): each is Record<string, unknown> => isObject(each) && typeof each['id'] === 'string')
    .map((value) => {
      // Charts and tabs in scope follow from the scope and the layout.
      const { chartsInScope: _, tabsInScope: _tabs, ...own } = value
      return { id: String(value['id']), name: toPlainText(value['name'] ?? value['title'] ?? ''), value: own }
    })

/** Keys of `json_metadata` that are derived from others. */
const derivedKeys = new Set([
  'native_filter_configuration',
  'positions',
  'shared_label_colors',
  'map_label_colors',
  'color_scheme_domain',
  'default_filters',
  'timed_refresh_immune_slices',
])

/** Defaults that the server sets. */
const defaultSettings: Document = {
  expanded_slices: {},
  refresh_frequency: 0,
  color_scheme: '',
  label_colors: {},
  cross_filters_enabled: true,
  filter_scopes: {},
  chart_configuration: {},
}

const readSettings = (metadata: Document): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([key, value]) => !derivedKeys.has(key) && !isDeepEqual(value, defaultSettings[key] ?? null),
    ),
  )

/** Returns the differences of two `json_metadata`: filters individually, other settings by key. */
export const diffMetadata = (before: Document, after: Document): Difference[] => [
  ...diffLists('filter', listFilters(before), listFilters(after)),
  ...diffKeys('setting', readSettings(before), readSettings(after)),
]

/** Fields that users set in the editor of a dashboard. */
export const dashboardFields = [
  'dashboard_title',
  'slug',
  'published',
  'css',
  'theme',
  'certified_by',
  'certification_details',
  'owners',
  'roles',
] as const

/** Compares owners and viewers of an object. Older versions contain only users as owners and roles as viewers. */
function diffSubjects(before: Document, after: Document): Difference[] {
  const isOlder = [before, after].some(({ editors }) => editors === undefined)
  return diffFields(before, after, isOlder ? ['owners', 'roles'] : ['editors', 'viewers'], [])
}

const subjectFields = new Set(['owners', 'roles'])

const diffDashboards = (before: Document, after: Document): Difference[] => [
  ...diffFields(
    before,
    after,
    [...dashboardFields.filter((field) => !subjectFields.has(field)), 'theme_id'],
    ['dashboard_title', 'slug', 'certified_by'],
  ),
  ...diffSubjects(before, after),
  ...diffLayouts(readLayout(before['position_json'] ?? null).nodes, readLayout(after['position_json'] ?? null).nodes),
  ...diffMetadata(parseJsonObject(before['json_metadata']), parseJsonObject(after['json_metadata'])),
]

/** Form keys that repeat fields of the chart. */
const repeatedKeys = new Set(['slice_id', 'viz_type', 'datasource', 'dashboards', 'url_params', 'dashboardId'])
const readForm = (params: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parseJsonObject(params)).filter(([key]) => !repeatedKeys.has(key)))

const diffCharts = (before: Document, after: Document): Difference[] => [
  ...diffFields(
    before,
    after,
    [
      'slice_name',
      'viz_type',
      'datasource_id',
      'description',
      'cache_timeout',
      'certified_by',
      'certification_details',
    ],
    ['slice_name', 'viz_type', 'certified_by'],
  ),
  ...diffSubjects(before, after),
  ...diffKeys('control', readForm(before['params']), readForm(after['params'])),
]

const listChildren = (children: unknown, name: string): Named[] =>
  (Array.isArray(children) ? children : []).filter(isObject).map((child) => {
    const { id: _, uuid: _uuid, dataset_id: _dataset, created_on: _on, changed_on: _at, ...value } = child
    return { id: String(child[name]), name: String(child[name]), value }
  })

const diffDatasets = (before: Document, after: Document): Difference[] => [
  ...diffFields(
    before,
    after,
    [
      'table_name',
      'schema',
      'catalog',
      'database_id',
      'sql',
      'main_dttm_col',
      'description',
      'default_endpoint',
      'offset',
      'cache_timeout',
      'template_params',
      'extra',
      'filter_select_enabled',
      'fetch_values_predicate',
      'normalize_columns',
      'always_filter_main_dttm',
      'folders',
    ],
    ['table_name', 'schema', 'catalog', 'main_dttm_col'],
  ),
  ...diffSubjects(before, after),
  ...(['column', 'metric'] as const).flatMap((of) =>
    diffLists(of, listChildren(before[`${of}s`], `${of}_name`), listChildren(after[`${of}s`], `${of}_name`)).filter(
      ({ how }) => how !== 'moved',
    ),
  ),
]

const diffByKind = { dashboard: diffDashboards, chart: diffCharts, dataset: diffDatasets }

/**
 * Returns the changes between two versions of an object.
 * @param before  null for the first version
 */
export const diffVersions = (kind: VersionedKind, before: Document | null, after: Document): Difference[] =>
  before === null ? [] : diffByKind[kind](before, after)
