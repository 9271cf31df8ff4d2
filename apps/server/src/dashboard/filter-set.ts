import {
  parseExactJson,
  AppError,
  message,
  type Message,
  type FilterSet,
  type FilterSetParams,
  type FilterSetPost,
  type FilterSetPut,
} from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import { randomUUID } from 'node:crypto'
import { can } from '../access/access.ts'
import { isWithinJsonLimits } from '../http/json-body.ts'
import { type ReadContext, visibleRow } from '../http/resource.ts'
import { changedBy, createdBy, type WriteContext, invalidPayload } from '../http/writing.ts'
import type { FilterSetTable, Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { type DashboardRow, dashboardResource } from './dashboard-resource.ts'
import { isObject } from './metadata.ts'

export type FilterSetRow = Selectable<FilterSetTable>

/** Maximum number of sets per owner (a user or the dashboard) on one dashboard. */
const maxFilterSets = 500

const findVisibleDashboard = (context: ReadContext, id: number): Promise<DashboardRow> =>
  visibleRow<DashboardRow>(dashboardResource, id, context)

const ownsDashboard = (context: ReadContext, id: number): Promise<boolean> =>
  can(context, ['can_write', 'Dashboard'], { kind: 'dashboard', id })

const isOwn = ({ owner_type, owner_id }: FilterSetRow, { principal }: ReadContext): boolean =>
  owner_type === 'User' && owner_id === principal.id

/** A set as the API returns it. */
export function presentFilterSet(set: FilterSetRow): FilterSet {
  const { uuid: _, json_metadata, ...row } = set
  return { ...row, params: parseExactJson(json_metadata) as FilterSetParams }
}

/** Validates `json_metadata` of a body. @throws AppError `invalid_payload` */
function checkParams(text: string): string {
  const fail = (problem: Message): never => {
    throw invalidPayload({ json_metadata: [problem] })
  }
  if (!isWithinJsonLimits(text))
    fail(message('errors.fields.jsonTooLarge', 'The JSON is nested too deeply or contains too many values.'))
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch {
    fail(message('errors.filterSet.invalidJson', 'Invalid JSON'))
  }
  if (!isObject(value) || !isObject(value['nativeFilters']))
    return fail(message('errors.filterSet.noFilters', 'nativeFilters: Missing data for required field.'))
  if (value['dataMask'] !== undefined && !isObject(value['dataMask']))
    fail(message('errors.filterSet.dataMaskNotMapping', 'dataMask: Not a valid mapping type.'))
  return text
}

/**
 * Sets that the caller can apply: their own and those of the dashboard; an administrator sees all.
 * @throws AppError `not_found` for a dashboard that the caller may not see
 */
export async function listFilterSets(context: ReadContext, dashboard: number): Promise<FilterSetRow[]> {
  const { id } = await findVisibleDashboard(context, dashboard)
  const rows = await context.db
    .selectFrom('filter_set')
    .selectAll()
    .where('dashboard_id', '=', id)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.filter((row) => context.principal.isAdmin || row.owner_type === 'Dashboard' || isOwn(row, context))
}

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('filter_set').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** @throws AppError `not_found`, `forbidden`, `invalid_payload` */
export async function createFilterSet(
  context: WriteContext,
  dashboard: number,
  body: FilterSetPost,
): Promise<FilterSetRow> {
  const { db, principal, now, event } = context
  const { id } = await findVisibleDashboard(context, dashboard)
  event.dashboard_id = id
  const { owner_type, owner_id = null, name, description = null } = body
  if (owner_type === 'User') {
    if (owner_id === null)
      throw invalidPayload({
        owner_id: [message('errors.filterSet.noOwner', 'owner_id is required when owner_type is User')],
      })
    if (owner_id !== principal.id) throw new AppError('forbidden')
  } else {
    if (owner_id !== null && owner_id !== id)
      throw new AppError('bad_request', {
        message: message('errors.filterSet.ownerNotDashboard', 'owner_id must be the ID of the dashboard'),
      })
    if (!(await ownsDashboard(context, id))) throw new AppError('forbidden')
  }
  const owner = owner_type === 'User' ? (principal.id ?? 0) : id
  const { n } = await db
    .selectFrom('filter_set')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('dashboard_id', '=', id)
    .where('owner_type', '=', owner_type)
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  if (Number(n) >= maxFilterSets)
    throw invalidPayload({
      name: [
        message(
          'errors.filterSet.tooMany',
          'The limit of {max, number} filter sets is reached. Delete one to add another.',
          {
            max: maxFilterSets,
          },
        ),
      ],
    })
  const row = {
    uuid: randomUUID(),
    name,
    description,
    owner_type,
    owner_id: owner,
    dashboard_id: id,
    json_metadata: checkParams(body.json_metadata),
    ...createdBy(principal, now),
  }
  const history = { kind: 'filter_set', uuid: row.uuid, author: principal.id, event, now }
  const newId = await change(db, { ...history, document }, async (trx) => {
    const { id: set } = await trx.insertInto('filter_set').values(row).returning('id').executeTakeFirstOrThrow()
    return set
  })
  return { ...row, id: newId }
}

/** Returns a set that the caller may change. @throws AppError `not_found`, also for sets of other users; `forbidden` */
async function findChangeableSet(context: ReadContext, dashboard: number, set: number): Promise<FilterSetRow> {
  const found = (await listFilterSets(context, dashboard)).find(({ id }) => id === set)
  if (!found) throw new AppError('not_found')
  if (!isOwn(found, context) && !(await ownsDashboard(context, found.dashboard_id))) throw new AppError('forbidden')
  return found
}

/** @throws AppError `not_found`, `forbidden`, `invalid_payload` */
export async function updateFilterSet(
  context: WriteContext,
  dashboard: number,
  set: number,
  body: FilterSetPut,
): Promise<FilterSetRow> {
  const { db, principal, now, event } = context
  const row = await findChangeableSet(context, dashboard, set)
  event.dashboard_id = row.dashboard_id
  if (body.owner_type === 'Dashboard' && !(await ownsDashboard(context, row.dashboard_id)))
    throw new AppError('forbidden')
  const changed = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.json_metadata !== undefined && { json_metadata: checkParams(body.json_metadata) }),
    ...(body.owner_type !== undefined && { owner_type: body.owner_type, owner_id: row.dashboard_id }),
    ...changedBy(principal, now, row),
  }
  const history = { kind: 'filter_set', uuid: row.uuid, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
    await trx.updateTable('filter_set').set(changed).where('id', '=', row.id).execute()
  })
  return { ...row, ...changed }
}

/** Deletes a set; does nothing if it does not exist or is not visible to the caller. @throws AppError `forbidden` */
export async function removeFilterSet(context: WriteContext, dashboard: number, set: number): Promise<void> {
  const { db, principal, now, event } = context
  const found = (await listFilterSets(context, dashboard)).some(({ id }) => id === set)
  if (!found) return
  const row = await findChangeableSet(context, dashboard, set)
  event.dashboard_id = row.dashboard_id
  const history = { kind: 'filter_set', uuid: row.uuid, author: principal.id, event, now }
  await change(db, { ...history, document: () => null }, async (trx) => {
    await trx.deleteFrom('filter_set').where('id', '=', row.id).execute()
  })
}
