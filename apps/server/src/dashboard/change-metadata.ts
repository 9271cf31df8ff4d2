import {
  AppError,
  message,
  type DashboardColorsPut,
  type DashboardFiltersPut,
  type NativeFilter,
} from '@parquetry/model'
import { isWithinJsonLimits } from '../http/json-body.ts'
import { changedBy, authorizeChange, type WriteContext, invalidPayload } from '../http/writing.ts'
import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import { change } from '../store/write.ts'
import type { DashboardRow } from './dashboard-resource.ts'
import type { Json } from './metadata.ts'
import { parseMetadata } from '../chart/stored-dashboard.ts'
import { readDashboardDocument, refuseTooLarge } from './save-dashboard.ts'

/**
 * Changes part of the metadata as currently stored, so that concurrent changes to different parts do not overwrite each other.
 */
async function changeMetadata(
  context: WriteContext,
  { id, uuid }: DashboardRow,
  edit: (metadata: Json) => Json,
  marksUpdated = true,
): Promise<Json> {
  const { db, principal, now, event } = context
  await authorizeChange(context, ['can_write', 'Dashboard'], { kind: 'dashboard', id })
  event.dashboard_id = id
  const history = { kind: 'dashboard', uuid, author: principal.id, event, now }
  return change(db, { ...history, document: (trx) => readDashboardDocument(trx, id) }, async (trx) => {
    const row = await trx.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    const grants = await findRoleGrants(trx, principal, [id])
    const metadata = edit(parseMetadata(row.json_metadata))
    const json_metadata = JSON.stringify(metadata)
    refuseTooLarge('json_metadata', json_metadata)
    const changed = marksUpdated ? changedBy(principal, now, row) : {}
    await trx
      .updateTable('dashboard')
      .set({ json_metadata, ...changed })
      .where('id', '=', id)
      .execute()
    await authorizeRoleGrants(trx, principal, [id], grants)
    return metadata
  })
}

/** Deletes filters, replaces those with a known id, appends the others, and reorders them. @returns all filters */
export async function changeFilters(
  context: WriteContext,
  row: DashboardRow,
  { deleted = [], modified = [], reordered = [] }: DashboardFiltersPut,
): Promise<NativeFilter[]> {
  if (!isWithinJsonLimits(JSON.stringify(modified)))
    throw invalidPayload({
      modified: [message('errors.fields.jsonTooLarge', 'The JSON is nested too deeply or contains too many values.')],
    })
  const edit = (metadata: Json): Json => {
    const stored = metadata['native_filter_configuration']
    const before = (Array.isArray(stored) ? stored : []) as NativeFilter[]
    const remaining = before.filter(({ id }) => !deleted.includes(id))
    const byId = new Map(modified.map((filter) => [filter['id'] as string, filter as unknown as NativeFilter]))
    const changed = remaining.map((filter) => byId.get(filter.id) ?? filter)
    const remainingIds = new Set(remaining.map(({ id }) => id))
    const all = [...changed, ...[...byId.values()].filter(({ id }) => !remainingIds.has(id))]
    const positions = new Map(reordered.map((id, index) => [id, index]))
    const positionOf = ({ id }: NativeFilter) => positions.get(id) ?? Infinity
    return {
      ...metadata,
      native_filter_configuration:
        reordered.length > 0
          ? all
              .map((filter, index) => ({ filter, at: index }))
              .toSorted((a, b) => positionOf(a.filter) - positionOf(b.filter) || a.at - b.at)
              .map(({ filter }) => filter)
          : all,
    }
  }
  const metadata = await changeMetadata(context, row, edit)
  return metadata['native_filter_configuration'] as NativeFilter[]
}

/** Writes the sent colors and keeps the others. */
export const changeColors = async (
  context: WriteContext,
  row: DashboardRow,
  colors: DashboardColorsPut,
  marksUpdated: boolean,
): Promise<void> => {
  await changeMetadata(context, row, (metadata) => ({ ...metadata, ...colors }), marksUpdated)
}
