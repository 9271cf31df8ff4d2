import {
  type BundledKind,
  type Difference,
  diffVersions,
  isDeepEqual,
  readLayout,
  type VersionedKind,
  versionedKinds,
  writeLayout,
} from '@parquetry/model'
import type { Connection } from '../connection/connection.ts'
import { describeConnectionDifferences, isSameTarget } from './connection-differences.ts'

type Content = Record<string, unknown>

const jsonFields = new Set([
  'params',
  'query_context',
  'position_json',
  'json_metadata',
  'extra',
  'template_params',
  'currency',
  'json_data',
  'other_fields',
])

/** Superset exports them in any order, and an import keeps the order of those that exist. */
const unordered = new Set(['columns', 'metrics'])
const nameOf = (value: unknown): string => {
  const { column_name, metric_name } = value as Content
  return String(column_name ?? metric_name)
}
const compareNames = (a: unknown, b: unknown): number => (nameOf(a) < nameOf(b) ? -1 : 1)

/** A value without the form in which it is stored: JSON text as a value, no empty text, nothing for null. */
function normalize(name: string, value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (Array.isArray(value)) {
    const values = value.map((each) => normalize('', each))
    return unordered.has(name) ? values.toSorted(compareNames) : values
  }
  if (typeof value === 'object') return normalizeContent(value as Content)
  if (typeof value !== 'string' || !jsonFields.has(name)) return value
  if (name === 'position_json') return writeLayout(readLayout(value))
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Fields that a document may leave open, so that the stored ones stay. */
const optionalFields: readonly string[] = ['tags', 'folders']

const isEmptyList = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** Contents that can be compared: each value normalized, without empty optional fields. */
const normalizeContent = (content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => {
      const normalized = optionalFields.includes(name) && isEmptyList(value) ? undefined : normalize(name, value)
      return normalized === undefined ? [] : [[name, normalized]]
    }),
  )

/** True if storing the contents would change nothing. */
export function isSameContent(before: Content, after: Content): boolean {
  const [was, is] = [connectionOf(before), connectionOf(after)]
  return (!was || !is || isSameTarget(was, is)) && hasSameFields(withoutConnection(before), withoutConnection(after))
}

/** Contents of databases have a connection, which contains secrets. */
const connectionOf = ({ connection }: Content) => connection as Connection | undefined
const withoutConnection = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'connection'))

function hasSameFields(before: Content, after: Content): boolean {
  const kept = Object.fromEntries(optionalFields.filter((name) => after[name] == null).map((name) => [name, null]))
  return isDeepEqual(normalizeContent({ ...before, ...kept }), normalizeContent({ ...after, ...kept }))
}

const isVersioned = (kind: BundledKind): kind is VersionedKind => (versionedKinds as readonly string[]).includes(kind)

const maxTextLength = 80
const shortText = (value: unknown): string | undefined =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= maxTextLength)
    ? String(value)
    : undefined

/** Differences of fields that have no history. */
function diffFields(before: Content, after: Content): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((what): Difference[] => {
    const [was, is] = [normalize(what, before[what]), normalize(what, after[what])]
    if (isDeepEqual(was ?? null, is ?? null)) return []
    const [beforeText, afterText] = [shortText(was), shortText(is)]
    return [
      {
        of: 'field',
        how: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
        what,
        ...(beforeText !== undefined && { before: beforeText }),
        ...(afterText !== undefined && { after: afterText }),
      },
    ]
  })
}

/** Lists the changes that an import would make to a stored object. Empty when only parts differ that are not shown, such as a query context. */
export function describeDifferences(kind: BundledKind, before: Content, after: Content): Difference[] {
  const [was, is] = [connectionOf(before), connectionOf(after)]
  return [
    ...(was && is ? describeConnectionDifferences(was, is) : []),
    ...describeFields(kind, withoutConnection(before), withoutConnection(after)),
  ]
}

function describeFields(kind: BundledKind, before: Content, after: Content): Difference[] {
  if (!isVersioned(kind)) return diffFields(before, after)
  const details = diffVersions(kind, withChildIds(before), withChildIds(after))
  const shown = new Set(details.map(({ what }) => what))
  // Fields without a history, such as description and slug.
  const others = diffFields(simpleFields(before), simpleFields(after)).filter(({ what }) => !shown.has(what))
  return [...details, ...others]
}

const childLists = { columns: 'column_name', metrics: 'metric_name' } as const

/** Columns and metrics are matched by name. */
const withChildIds = (content: Content): Content => ({
  ...content,
  ...Object.fromEntries(
    Object.entries(childLists).flatMap(([list, name]) => {
      const rows = content[list]
      if (!Array.isArray(rows)) return []
      return [[list, (rows as Content[]).map((row) => ({ ...row, id: row[name], uuid: row[name] }))]]
    }),
  ),
})

/** The fields that are neither documents nor references. */
const simpleFields = (content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).filter(
      ([name, value]) =>
        !jsonFields.has(name) && (typeof value !== 'object' || value === null) && !name.endsWith('_id'),
    ),
  )
