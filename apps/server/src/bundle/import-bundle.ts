import { type Bundle, type BundleSource, sourceOf } from '@parquetry/bundle'
import {
  AppError,
  type FieldMessages,
  type ImportedObject,
  message,
  type Message,
  type PermissionPair,
} from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { addMissingDataPermissions } from '../access/data-permissions.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import { tagPermissions } from '../http/tags.ts'
import { isSerializationFailure } from '../store/failure.ts'
import { runLongTransaction } from '../store/long-transaction.ts'
import type { Tables } from '../store/tables.ts'
import {
  documentOf,
  imagesOf,
  type ImportPlan,
  type PlannedObject,
  planImport,
  type PlanOptions,
} from './import-plan.ts'
import { findGrants } from './import-grants.ts'
import type { WriteScope } from './import-scope.ts'
import { readTagDescriptions } from './import-tags.ts'
import { importers } from './importers.ts'
import { ReferenceTable } from './reference-table.ts'
import { reserveIds } from './reserve-ids.ts'
import { refuseStalePlan, StalePlan } from './stale-plan.ts'

export interface ImportOptions extends PlanOptions {
  /**
   * Principal whose permissions are checked when the bundle changes the access given by dashboard roles; omitted for internal
   * imports.
   */
  principal?: Principal
  /** ISO time of the import. */
  at: string
  /** False when tags are turned off. Objects then keep the tags that they have. */
  hasTags?: boolean
  /** Quota of the author for images of dashboards; no limit when omitted. */
  imageQuotaMb?: number
  /** Called with the plan before its problems are refused, to say more about them. */
  onPlanned?: (plan: ImportPlan) => Promise<void>
  /** Called in the transaction after everything was written, for more work that succeeds or fails with the import. */
  onWritten?: (trx: Transaction<Tables>, plan: ImportPlan) => Promise<void>
  /** Heading of the problems; defaults to that of bundles. */
  failure?: string | Message
}

/** Outcome of an import: the plan, and the ids of its objects by path. */
export interface ImportOutcome {
  plan: ImportPlan
  ids: ReadonlyMap<string, number>
}

const importFailure = message('errors.bundle.import', 'Error importing the bundle')

/** @throws AppError `unprocessable` with the problems of all files, worded as in the API */
export function refuseProblems({ objects }: ImportPlan, failure: string | Message = importFailure): void {
  const problems = objects.flatMap(({ path, problems: found }) => (found === undefined ? [] : [[path, found] as const]))
  if (problems.length > 0)
    throw new AppError('unprocessable', {
      message: failure,
      detailMessages: Object.fromEntries(problems) as FieldMessages,
    })
}

const maxTries = 3

/**
 * Plans an import and does its work, again when others changed meanwhile what the plan relies on.
 * @throws AppError `conflict` when they do so each time
 */
export async function withPlan<T>(
  db: Kysely<Tables>,
  source: BundleSource,
  options: ImportOptions,
  work: (plan: ImportPlan) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const plan = await planImport(db, source, options)
    await options.onPlanned?.(plan)
    try {
      return await work(plan)
    } catch (error) {
      const isRepeated = error instanceof StalePlan || isSerializationFailure(error)
      if (!isRepeated || tries === maxTries) throw error
    }
  }
}

/**
 * Writes a bundle into the store in one transaction, all or nothing.
 * @throws AppError `unprocessable` with `details` by file path, worded as in the API; as `withPlan`
 */
export async function importBundle(
  db: Kysely<Tables>,
  bundle: Bundle | BundleSource,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const source = 'files' in bundle ? sourceOf(bundle) : bundle
  return withPlan(db, source, options, async (plan) => {
    refuseProblems(plan, options.failure)
    const ids = await runLongTransaction(db, async (trx) => {
      const written = await writeBundle(trx, source, plan, options)
      await options.onWritten?.(trx, plan)
      // An importer who cancels at the last object gets nothing either.
      options.signal?.throwIfAborted()
      return written
    })
    return { plan, ids }
  })
}

/** Rolls back what was written. */
class Rollback extends Error {}

/**
 * Tells what an import would refuse only after it has written everything, such as data that a dashboard would open to others.
 * @throws AppError `unprocessable`
 */
export async function tryImport(
  db: Kysely<Tables>,
  source: BundleSource,
  plan: ImportPlan,
  options: ImportOptions,
): Promise<void> {
  try {
    await runLongTransaction(db, async (trx) => {
      await writeBundle(trx, source, plan, options)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  }
}

async function writeBundle(
  db: Transaction<Tables>,
  source: BundleSource,
  plan: ImportPlan,
  options: ImportOptions,
): Promise<Map<string, number>> {
  await refuseStalePlan(db, plan, options)
  const { principal, onProgress, signal } = options
  const authorize = principal && (await findGrants(db, principal, plan))
  const references = new ReferenceTable(plan.index)
  const scope = await createWriteScope(db, source, references, options)
  const ids = new Map<string, number>()
  const created = plan.objects.filter(({ action }) => action === 'create')
  // Ids that others could use up belong to the moves of whole installations, which are for administrators.
  const reserved =
    !principal || principal.isAdmin ? await reserveIds(db, plan.index, created) : new Map<string, number>()
  let done = 0
  for (const object of plan.objects) {
    signal?.throwIfAborted()
    const id = await writeObject(object, source, scope, { references, reserved: reserved.get(object.path) })
    if (id !== undefined) ids.set(object.path, id)
    onProgress?.({ step: 'writing', done: ++done, total: plan.objects.length })
    await scope.yielder.yieldIfDue()
  }
  await authorize?.(ids)
  await addMissingDataPermissions(db)
  return ids
}

async function createWriteScope(
  db: Transaction<Tables>,
  source: BundleSource,
  references: ReferenceTable,
  options: ImportOptions,
): Promise<WriteScope> {
  const { principal, hasTags = true } = options
  const may = (...pairs: PermissionPair[]) => !principal || pairs.some((pair) => hasPermission(principal, pair))
  return {
    db,
    references,
    images: imagesOf(source),
    readImage: async (path) => Buffer.from(String((await source.read(path))['base64'] ?? ''), 'base64'),
    secrets: options.secrets,
    note: () => undefined,
    authorId: options.authorId,
    at: options.at,
    imageQuotaMb: options.imageQuotaMb ?? 0,
    taggedKinds: hasTags ? (['chart', 'dashboard'] as const).filter((kind) => may(...tagPermissions(kind))) : [],
    mayAddTags: may(['can_write', 'Tag']),
    tagDescriptions: await readTagDescriptions(source),
    yielder: new EventLoopYielder(),
  }
}

/** @returns the id of the object; undefined when it is left out */
async function writeObject(
  object: PlannedObject,
  source: BundleSource,
  scope: WriteScope,
  { references, reserved }: { references: ReferenceTable; reserved: number | undefined },
): Promise<number | undefined> {
  const { kind, path, action, stored } = object
  if (action === 'leave_out') return undefined
  if (action === 'use' && stored) {
    references.add(object, stored.id, stored.datasetName)
    return stored.id
  }
  const importer = importers[kind]
  const content = await importer.read(await documentOf(source, object), path, scope, stored)
  const { schema = null, table_name = '' } = content as { schema?: string | null; table_name?: string }
  const name = datasetName({ schema, table_name })
  if (stored) {
    await importer.replace(content, stored, scope)
    references.add(object, stored.id, name)
    return stored.id
  }
  const identity = { uuid: await newUuid(object, scope), ...(reserved !== undefined && { id: reserved }) }
  const id = await importer.create(content, identity, scope)
  references.add(object, id, name)
  return id
}

/** A copy of another user's saved query gets a UUID of its own. */
async function newUuid({ kind, uuid }: PlannedObject, { db }: WriteScope): Promise<string> {
  if (kind !== 'saved_query') return uuid
  const other = await db.selectFrom('saved_query').select('id').where('uuid', '=', uuid).executeTakeFirst()
  return other ? randomUUID() : uuid
}

/** Converts an object of the plan for the report of a preview or an import. */
export const toImportedObject = (
  object: PlannedObject,
  id: number | undefined,
  say: {
    problem(found: FieldMessages[string]): string[]
    note(text: Message): string
    /** Path of an object of the bundle; undefined when the bundle does not contain it. */
    path(key: string): string | undefined
  },
): ImportedObject => {
  const { path, kind, uuid, name, state, stored, differences, secrets, problems, notes, isUnsupported } = object
  const needs = object.needs.flatMap((key) => say.path(key) ?? [])
  return {
    path,
    kind,
    uuid,
    name,
    id: id ?? stored?.id ?? null,
    state,
    ...(differences && { differences }),
    ...(secrets.length > 0 && { secrets }),
    ...(problems !== undefined && secrets.length === 0 && { problems: say.problem(problems) }),
    ...(notes.length > 0 && { notes: notes.map(say.note) }),
    ...(needs.length > 0 && { needs }),
    ...(isUnsupported && { unsupported: true as const }),
  }
}
