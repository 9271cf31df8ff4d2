import {
  AppError,
  isObjectPermission,
  message,
  type Message,
  type PermissionPairPut,
  type ResourceNamePut,
} from '@parquetry/model'
import type { Transaction } from 'kysely'
import { type ReadContext, visibleRow } from '../http/resource.ts'
import { FieldErrorCollector, unprocessable, unprocessableFields, type WriteContext } from '../http/writing.ts'
import { allPairs } from '../security/roles.ts'
import type { Tables } from '../store/tables.ts'
import { record } from '../store/write.ts'
import { type NamedRow, pairResource, type PermissionPairRow, viewResource } from './permission-resources.ts'

const productPairs: ReadonlySet<string> = new Set(allPairs.map((pair) => pair.join(' ')))
const productViews: ReadonlySet<string> = new Set(allPairs.map(([, view]) => view))

/** Pairs have no uuid; their history is that of the name and the view. */
const formatPair = ({ name, view }: Pick<PermissionPairRow, 'name' | 'view'>): string => `${name} ${view}`

/** Does the work in one transaction with its history and its audit event. */
async function changePair<T>(
  { db, principal, event, now }: WriteContext,
  work: (trx: Transaction<Tables>) => Promise<{ pair: Pick<PermissionPairRow, 'name' | 'view'>; result: T }>,
  isRemoved = false,
): Promise<T> {
  const outcome = await db.transaction().execute(async (trx) => {
    const { pair, result } = await work(trx)
    event.json = { permission: pair.name, view: pair.view }
    const document = () => (isRemoved ? null : pair)
    const history = { kind: 'permission', uuid: formatPair(pair), author: principal.id, document, event, now }
    await record(trx, history, undefined)
    return result
  })
  event.isWritten = true
  return outcome
}

/** @throws AppError `unprocessable` for a pair that the product itself uses, or that belongs to an object */
function requireOwnPair(pair: PermissionPairRow): void {
  if (productPairs.has(formatPair(pair)) || isObjectPermission(pair.name))
    throw unprocessable(
      message(
        'errors.permission.fixedPair',
        'The permission {name} on {view} belongs to Parquetry and cannot be changed or deleted. Take it from roles instead.',
        { name: pair.name, view: pair.view },
      ),
    )
}

/** Names of the pair that the ids in a body stand for. @throws AppError `unprocessable` naming the fields that are wrong */
async function resolvePair(
  trx: Transaction<Tables>,
  { permission_id, view_menu_id }: PermissionPairPut,
  before?: PermissionPairRow,
): Promise<Pick<PermissionPairRow, 'name' | 'view'>> {
  const errors = new FieldErrorCollector(unprocessableFields)
  const find = async (table: 'permission_name' | 'permission_view', id: number | undefined) =>
    id === undefined || !Number.isSafeInteger(id)
      ? undefined
      : (await trx.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())?.name
  const name = permission_id === undefined ? before?.name : await find('permission_name', permission_id)
  const view = view_menu_id === undefined ? before?.view : await find('permission_view', view_menu_id)
  if (name === undefined)
    errors.add('permission_id', message('errors.permission.noName', 'This permission does not exist.'))
  else if (isObjectPermission(name))
    errors.add(
      'permission_id',
      message(
        'errors.permission.objectPair',
        'Permissions on databases, schemas and datasets are created with them. Synchronize the permissions of the database if one is missing.',
      ),
    )
  if (view === undefined)
    errors.add('view_menu_id', message('errors.permission.noView', 'This resource does not exist.'))
  errors.throwIfAny()
  const pair = { name: name ?? '', view: view ?? '' }
  const same = await trx
    .selectFrom('permission')
    .select('id')
    .where('name', '=', pair.name)
    .where('view', '=', pair.view)
    .executeTakeFirst()
  if (same && same.id !== before?.id)
    throw unprocessableFields({
      [view_menu_id === undefined ? 'permission_id' : 'view_menu_id']: [
        message('errors.permission.pairTaken', 'The permission {name} on {view} already exists.', { ...pair }),
      ],
    })
  return pair
}

/** @returns the id of the new pair @throws AppError `unprocessable` */
export const createPair = (context: WriteContext, body: PermissionPairPut): Promise<number> =>
  changePair(context, async (trx) => {
    const pair = await resolvePair(trx, body)
    const { id } = await trx.insertInto('permission').values(pair).returning('id').executeTakeFirstOrThrow()
    return { pair, result: id }
  })

/** @throws AppError `not_found`; `unprocessable` */
export const updatePair = (context: WriteContext, id: number, body: PermissionPairPut): Promise<void> =>
  changePair(context, async (trx) => {
    const before = await findRow<PermissionPairRow>(trx, context, pairResource, id)
    requireOwnPair(before)
    const pair = await resolvePair(trx, body, before)
    await trx.updateTable('permission').set(pair).where('id', '=', id).execute()
    return { pair, result: undefined }
  })

/** @throws AppError `not_found`; `unprocessable`, also while a role has the permission */
export const removePair = (context: WriteContext, id: number): Promise<void> =>
  changePair(
    context,
    async (trx) => {
      const pair = await findRow<PermissionPairRow>(trx, context, pairResource, id)
      requireOwnPair(pair)
      const holder = await trx
        .selectFrom('role_permission')
        .innerJoin('role', 'role.id', 'role_id')
        .select('role.name')
        .where('permission_id', '=', id)
        .executeTakeFirst()
      if (holder)
        throw unprocessable(
          message(
            'errors.permission.granted',
            'The role {role} has the permission {name} on {view}. Take it from the role first.',
            { name: pair.name, view: pair.view, role: holder.name },
          ),
        )
      await trx.deleteFrom('permission').where('id', '=', id).execute()
      return { pair, result: undefined }
    },
    true,
  )

const findRow = <Row extends { id: number }>(
  trx: Transaction<Tables>,
  context: ReadContext,
  resource: Parameters<typeof visibleRow<Row>>[0],
  id: number,
): Promise<Row> => visibleRow<Row>(resource, id, { ...context, db: trx })

const refuseView = (text: Message): AppError => unprocessableFields({ name: [text] })

async function requireFreeView(trx: Transaction<Tables>, name: string): Promise<void> {
  if (name.trim() !== name)
    throw refuseView(message('errors.permission.viewName', 'The name must not begin or end with a space.'))
  if (await trx.selectFrom('permission').select('id').where('view', '=', name).executeTakeFirst())
    throw refuseView(message('errors.permission.viewTaken', 'A resource named "{name}" already exists.', { name }))
}

/** @throws AppError `unprocessable` for a view that the product itself uses, or that is an object */
async function requireOwnView(trx: Transaction<Tables>, { name }: NamedRow): Promise<void> {
  const pairs = await trx.selectFrom('permission').select('name').where('view', '=', name).execute()
  if (productViews.has(name) || pairs.some((pair) => isObjectPermission(pair.name)))
    throw refuseView(
      message(
        'errors.permission.fixedView',
        'The resource {name} belongs to Parquetry and cannot be changed or deleted.',
        { name },
      ),
    )
}

/** @returns the id of the new view @throws AppError `unprocessable` */
export const createView = (context: WriteContext, name: string): Promise<number> =>
  changePair(context, async (trx) => {
    await requireFreeView(trx, name)
    const pair = { name: '', view: name }
    const { id } = await trx.insertInto('permission').values(pair).returning('id').executeTakeFirstOrThrow()
    return { pair, result: id }
  })

/** @throws AppError `not_found`; `unprocessable` */
export const renameView = (context: WriteContext, id: number, { name }: ResourceNamePut): Promise<void> =>
  changePair(context, async (trx) => {
    const before = await findRow<NamedRow>(trx, context, viewResource, id)
    await requireOwnView(trx, before)
    const pair = { name: '', view: name ?? before.name }
    if (pair.view !== before.name) {
      await requireFreeView(trx, pair.view)
      await trx.updateTable('permission').set({ view: pair.view }).where('view', '=', before.name).execute()
    }
    return { pair, result: undefined }
  })

/** @throws AppError `not_found`; `unprocessable`, also while there are permissions on the view */
export const removeView = (context: WriteContext, id: number): Promise<void> =>
  changePair(
    context,
    async (trx) => {
      const view = await findRow<NamedRow>(trx, context, viewResource, id)
      await requireOwnView(trx, view)
      const used = await trx
        .selectFrom('permission')
        .select('name')
        .where('view', '=', view.name)
        .where('name', '<>', '')
        .executeTakeFirst()
      if (used)
        throw unprocessable(
          message(
            'errors.permission.viewUsed',
            'There is a permission {permission} on {name}. Delete the permission first.',
            { permission: used.name, name: view.name },
          ),
        )
      await trx.deleteFrom('permission').where('view', '=', view.name).execute()
      return { pair: { name: '', view: view.name }, result: undefined }
    },
    true,
  )
