import { hash } from 'node:crypto'
import { chartEntry } from '@parquetry/charts'
import {
  AppError,
  maxPluginBytes,
  message,
  reservedPluginSettings,
  type DynamicPlugin,
  type PluginForm,
  type PluginPost,
  type PluginPut,
} from '@parquetry/model'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { changedBy, createdBy, FieldErrorCollector, unprocessableFields, type WriteContext } from '../http/writing.ts'
import { logRow } from '../store/audit-log.ts'
import type { DynamicPluginTable, Tables } from '../store/tables.ts'

type ListedRow = Pick<Selectable<DynamicPluginTable>, 'id' | 'name' | 'viz_type' | 'form' | 'sha256'>

const listedColumns = ['id', 'name', 'viz_type', 'form', 'sha256'] as const

const toPlugin = ({ id, name, viz_type, form, sha256 }: ListedRow): DynamicPlugin => ({
  id,
  name,
  key: viz_type,
  bundle_url: `/dynamic-plugins/api/bundle/${id}/${sha256}.js`,
  form: JSON.parse(form) as PluginForm,
})

/** All plugins by name, without their modules. */
export async function listPlugins(db: Kysely<Tables>): Promise<DynamicPlugin[]> {
  const rows = await db.selectFrom('dynamic_plugin').select(listedColumns).orderBy('name').orderBy('id').execute()
  return rows.map(toPlugin)
}

/** Names of the plugins by the `viz_type` of their charts; empty without the flag DYNAMIC_PLUGINS. */
export async function mapPluginNames(
  db: Kysely<Tables>,
  flags: Readonly<Record<string, boolean>>,
): Promise<ReadonlyMap<string, string>> {
  if (flags['DYNAMIC_PLUGINS'] !== true) return new Map()
  const rows = await db.selectFrom('dynamic_plugin').select(['viz_type', 'name']).execute()
  return new Map(rows.map(({ viz_type, name }) => [viz_type, name]))
}

/** @throws AppError `not_found` also for the hash of a module that has been replaced */
export async function findModule(db: Kysely<Tables>, id: number, sha256: string): Promise<string> {
  const row = await db
    .selectFrom('dynamic_plugin')
    .select('module')
    .where('id', '=', id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.module
}

/** @throws AppError naming the fields that are wrong; nothing is stored then */
export const createPlugin = (context: WriteContext, body: PluginPost): Promise<DynamicPlugin> =>
  changePlugin(context, async (trx) => {
    const { name, key, form, module } = body
    await checkFields(trx, null, body)
    const row = await trx
      .insertInto('dynamic_plugin')
      .values({
        name,
        viz_type: key,
        form: JSON.stringify(form),
        ...storeModule(module),
        ...createdBy(context.principal, context.now),
      })
      // Another administrator has added it since the check.
      .onConflict((conflict) => conflict.doNothing())
      .returning(listedColumns)
      .executeTakeFirst()
    if (!row) throw new AppError('conflict')
    return row
  })

/** @throws AppError naming the fields that are wrong; nothing is stored then */
export const updatePlugin = (context: WriteContext, id: number, body: PluginPut): Promise<DynamicPlugin> =>
  changePlugin(context, async (trx) => {
    const { name, form, module } = body
    const stored = await trx.selectFrom('dynamic_plugin').select('changed_on').where('id', '=', id).executeTakeFirst()
    if (!stored) throw new AppError('not_found')
    await checkFields(trx, id, body)
    return trx
      .updateTable('dynamic_plugin')
      .set({
        ...(name !== undefined && { name }),
        ...(form !== undefined && { form: JSON.stringify(form) }),
        ...(module !== undefined && storeModule(module)),
        ...changedBy(context.principal, context.now, stored),
      })
      .where('id', '=', id)
      .returning(listedColumns)
      .executeTakeFirstOrThrow()
  })

/** @throws AppError `not_found` */
export async function removePlugin(context: WriteContext, id: number): Promise<void> {
  await changePlugin(context, async (trx) => {
    const row = await trx.deleteFrom('dynamic_plugin').where('id', '=', id).returning(listedColumns).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return row
  })
}

/** Changes a plugin and writes the action log in one transaction. */
async function changePlugin(
  { db, now, event }: WriteContext,
  work: (trx: Transaction<Tables>) => Promise<ListedRow>,
): Promise<DynamicPlugin> {
  const row = await db.transaction().execute(async (trx) => {
    const changed = await work(trx)
    event.json = { id: changed.id, key: changed.viz_type, sha256: changed.sha256 }
    await trx.insertInto('log').values(logRow(event, now)).execute()
    return changed
  })
  event.isWritten = true
  return toPlugin(row)
}

const storeModule = (module: string) => ({ module, sha256: hash('sha256', module) })

async function checkFields(trx: Kysely<Tables>, id: number | null, body: Partial<PluginPost>): Promise<void> {
  const errors = new FieldErrorCollector(unprocessableFields)
  const { name, key, form, module } = body
  if (name !== undefined && (await isTaken(trx, id, 'name', name)))
    errors.add(
      'name',
      message('errors.plugin.nameTaken', 'A plugin named "{name}" already exists. Choose another name.', { name }),
    )
  if (key !== undefined && (chartEntry(key) || (await isTaken(trx, id, 'viz_type', key))))
    errors.add(
      'key',
      message('errors.plugin.keyTaken', 'A chart type "{key}" already exists. Change viz_type in the module.', { key }),
    )
  if (module !== undefined && Buffer.byteLength(module) > maxPluginBytes)
    errors.add(
      'module',
      message(
        'errors.plugin.tooLarge',
        'The module is larger than 5 MB. Minify it, or leave out what it does not need.',
      ),
    )
  const repeated = findRepeated(form ?? [])
  if (repeated !== undefined)
    errors.add(
      'form',
      message('errors.plugin.repeated', 'The setting "{name}" is listed twice in form. Remove one of them.', {
        name: repeated,
      }),
    )
  const reserved = form?.find((setting) => typeof setting !== 'string' && reservedPluginSettings.includes(setting.name))
  if (reserved !== undefined && typeof reserved !== 'string')
    errors.add(
      'form',
      message('errors.plugin.reserved', 'Every chart has a setting named "{name}". Rename this one in form.', {
        name: reserved.name,
      }),
    )
  errors.throwIfAny()
}

const isTaken = async (trx: Kysely<Tables>, id: number | null, column: 'name' | 'viz_type', value: string) =>
  (await trx
    .selectFrom('dynamic_plugin')
    .select('id')
    .where(column, '=', value)
    .where('id', '!=', id ?? -1)
    .executeTakeFirst()) !== undefined

function findRepeated(form: PluginForm): string | undefined {
  const names = form.map((setting) => (typeof setting === 'string' ? setting : setting.name))
  return names.find((name, place) => names.indexOf(name) !== place)
}
