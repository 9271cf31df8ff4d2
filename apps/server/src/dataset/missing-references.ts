import type { MissingReference } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { writeVersion } from '../store/write.ts'
import type { ColumnRow, DatasetRow, MetricRow, StoredDataset } from './stored-dataset.ts'

/** A name that a change of a dataset renamed or removed. */
export type NameChange = Pick<MissingReference, 'kind' | 'name' | 'now'>

type Children = Pick<StoredDataset, 'columns' | 'metrics'>
type IdentifiedName = { id: number; name: string }

const columnNames = (columns: readonly Pick<ColumnRow, 'id' | 'column_name'>[]): IdentifiedName[] =>
  columns.map(({ id, column_name }) => ({ id, name: column_name }))
const metricNames = (metrics: readonly Pick<MetricRow, 'id' | 'metric_name'>[]): IdentifiedName[] =>
  metrics.map(({ id, metric_name }) => ({ id, name: metric_name }))

/** Stored separately from the versions, which are too large to be searched when a chart is opened. */
const kind = 'dataset.names'

/**
 * Renames and removals of a change, matched by the ids of columns and metrics. A name that is created again is neither. Swapped
 * names count as renames.
 */
export function diffNames(before: Children, after: Children): NameChange[] {
  return [
    ...changesIn('column', columnNames(before.columns), columnNames(after.columns)),
    ...changesIn('metric', metricNames(before.metrics), metricNames(after.metrics)),
  ]
}

function changesIn(
  childKind: NameChange['kind'],
  before: readonly IdentifiedName[],
  after: readonly IdentifiedName[],
): NameChange[] {
  const names = new Map(after.map(({ id, name }) => [id, name]))
  const currentNames = new Set(names.values())
  return before.flatMap(({ id, name }): NameChange[] => {
    const currentName = names.get(id)
    if (currentName === name || (currentName === undefined && currentNames.has(name))) return []
    return [{ kind: childKind, name, now: currentName ?? null }]
  })
}

/** Stores the renames and removals of a change, in its transaction. */
export async function storeNameChanges(
  trx: Transaction<Tables>,
  { id, uuid }: Pick<DatasetRow, 'id' | 'uuid'>,
  changes: readonly NameChange[],
  { author, now }: { author: number | null; now: Date },
): Promise<void> {
  if (changes.length > 0) await writeVersion(trx, { kind, uuid, id, author, now }, { id, changes })
}

/**
 * Former names of columns and metrics of a dataset, with what replaced them: after several renames, the current name. Names that
 * exist again are left out; changes made by older releases are not recorded.
 */
export async function loadMissingReferences(
  db: Kysely<Tables>,
  { row, columns, metrics }: StoredDataset,
): Promise<MissingReference[]> {
  const rows = await db
    .selectFrom('version')
    .leftJoin('user', 'user.id', 'version.author_id')
    .select(['at', 'document', 'first_name', 'last_name'])
    .where('kind', '=', kind)
    .where('object_uuid', '=', row.uuid)
    .where('object_id', '=', row.id)
    .orderBy('n')
    .execute()
  const missing = new Map<string, MissingReference>()
  for (const { at, document, first_name, last_name } of rows) {
    const by = `${first_name ?? ''} ${last_name ?? ''}`.trim() || null
    const { changes } = JSON.parse(document) as { changes: NameChange[] }
    const changeByKey = new Map(changes.map((change) => [nameKey(change), change]))
    for (const [key, reference] of missing) {
      const next =
        reference.now === null ? undefined : changeByKey.get(nameKey({ kind: reference.kind, name: reference.now }))
      if (next) missing.set(key, { ...reference, now: next.now, by, at })
    }
    for (const change of changes) missing.set(nameKey(change), { ...change, by, at })
  }
  const currentKeys = new Set([
    ...columnNames(columns).map(({ name }) => nameKey({ kind: 'column', name })),
    ...metricNames(metrics).map(({ name }) => nameKey({ kind: 'metric', name })),
  ])
  return [...missing.values()].filter(
    (each) =>
      !currentKeys.has(nameKey(each)) &&
      (each.now === null || currentKeys.has(nameKey({ kind: each.kind, name: each.now }))),
  )
}

/** Those of the datasets that have renamed or removed names. */
export async function findDatasetsWithNameChanges(db: Kysely<Tables>, ids: readonly number[]): Promise<number[]> {
  const found = await db
    .selectFrom('version')
    .innerJoin('dataset', 'dataset.uuid', 'version.object_uuid')
    .select('dataset.id')
    .distinct()
    .where('kind', '=', kind)
    .where('dataset.id', 'in', [...new Set(ids), -1])
    .execute()
  return found.map(({ id }) => id)
}

const nameKey = ({ kind: childKind, name }: Pick<NameChange, 'kind' | 'name'>): string => `${childKind} ${name}`
