import { AppError, type BundledKind, importRoutes, message, type Message } from '@parquetry/model'
import type { SqlBool, sql } from 'kysely'
import { can, canReadData, visibilityCondition, writableCondition } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { authorizeDatasetSource, SourceError } from '../dataset/source-columns.ts'
import type { IdentityApiKey } from '../http/identity.ts'
import type { ReadContext } from '../http/resource.ts'
import { writePermission } from './bundled-kinds.ts'
import type { DatasetContent } from './import-dataset.ts'
import { type StoredObjects, filterIds } from './stored-objects.ts'

type SqlCondition = ReturnType<typeof sql<SqlBool>>

/** The importer, and what checking SQL of datasets needs. */
export interface Importer {
  context: ReadContext
  /** The API key of the call. */
  apiKey?: IdentityApiKey | undefined
  deps: ConnectionDeps
  signal: AbortSignal
}

const addTexts: Partial<Record<BundledKind, Message>> = {
  database: message('errors.bundle.addDatabase', 'Database not found, and you do not have permission to add it.'),
  dataset: message('errors.bundle.addDatasets', 'You do not have permission to add datasets.'),
  chart: message('errors.bundle.addCharts', 'You do not have permission to add charts.'),
  dashboard: message('errors.bundle.addDashboards', 'You do not have permission to add dashboards.'),
  saved_query: message('errors.bundle.addSavedQueries', 'You do not have permission to save queries.'),
}

const notReadable = message(
  'errors.bundle.notReadable',
  'It exists here, and you do not have access to it. Ask an owner or an administrator for access.',
)
const notOwned = message(
  'errors.bundle.notOwned',
  'It exists here, and only its owners and administrators can replace it.',
)
const noDataAccess = message(
  'errors.bundle.noDataAccess',
  'You do not have access to the data of its dataset. Ask for access to the data first.',
)
/** Kinds that are left out without the permission to add them, because the others of the bundle work without them. */
const isOptional = (kind: BundledKind): boolean => addTexts[kind] === undefined

/** Tests if the importer may see an object that exists here. */
export const canSee = async ({ context }: Importer, kind: BundledKind, id: number): Promise<boolean> =>
  (await filterIds(context.db, kind, [id], visibilityCondition(kind, context) as SqlCondition)).has(id)

/** Rights of the importer: each object needs the same rights as the ordinary calls that create or change it. */
export class ImportRights {
  readonly #importer: Importer
  readonly #readable: Record<string, Set<number>>
  readonly #writable: Record<string, Set<number>>

  private constructor(
    importer: Importer,
    readable: Record<string, Set<number>>,
    writable: Record<string, Set<number>>,
  ) {
    this.#importer = importer
    this.#readable = readable
    this.#writable = writable
  }

  static async load(importer: Importer, stored: StoredObjects): Promise<ImportRights> {
    const { context } = importer
    const ids = (kind: BundledKind) => [...stored[kind].values()].map(({ id }) => id)
    const readable: Record<string, Set<number>> = {}
    const writable: Record<string, Set<number>> = {}
    for (const kind of ['database', 'dataset', 'chart', 'dashboard'] as const)
      readable[kind] = await filterIds(context.db, kind, ids(kind), visibilityCondition(kind, context) as SqlCondition)
    for (const kind of ['dataset', 'chart', 'dashboard'] as const)
      writable[kind] = await filterIds(
        context.db,
        kind,
        ids(kind),
        writableCondition(kind, writePermission(kind), context) as SqlCondition,
      )
    return new ImportRights(importer, readable, writable)
  }

  #may(kind: BundledKind): boolean {
    const { context, apiKey } = this.#importer
    // A key without the scope of a kind does not get around it with a bundle of another kind.
    const isInScope = apiKey === undefined || apiKey.includes(importRoutes[kind])
    return isInScope && hasPermission(context.principal, writePermission(kind))
  }

  canSee(kind: BundledKind, id: number): boolean {
    return this.#readable[kind]?.has(id) ?? true
  }

  /** Tests if the importer may use a database that a document names, with the same right as the call that creates a dataset. */
  readonly canUseDatabase = (id: number): Promise<boolean> =>
    can(this.#importer.context, ['can_read', 'Database'], { kind: 'database', id })

  /** The object is skipped, and nothing else depends on it. */
  isLeftOut(kind: BundledKind): boolean {
    return isOptional(kind) && !this.#may(kind)
  }

  /** Why an object cannot be created, replaced or used; undefined if it can. */
  refuse(action: 'create' | 'replace' | 'use', kind: BundledKind, id: number | undefined): Message | undefined {
    if (action === 'create') return this.#may(kind) ? undefined : addTexts[kind]
    if (id === undefined) return undefined
    if (!this.canSee(kind, id)) return kind === 'database' ? addTexts.database : notReadable
    if (action === 'use') return undefined
    return this.#may(kind) && (this.#writable[kind]?.has(id) ?? true) ? undefined : notOwned
  }

  /** Why a chart cannot have this dataset, which exists here. */
  async refuseDataset(id: number): Promise<Message | undefined> {
    return (await canReadData(this.#importer.context, id)) ? undefined : noDataAccess
  }

  /** Why the importer cannot own a dataset of this table or SQL: its owners read all of its data. */
  async refuseSource(content: DatasetContent): Promise<Message | string | undefined> {
    const { context, deps, signal } = this.#importer
    const database = await context.db
      .selectFrom('database')
      .selectAll()
      .where('id', '=', content.database_id)
      .executeTakeFirst()
    // A new database belongs to the importer.
    if (!database) return undefined
    try {
      await authorizeDatasetSource({ ...context, deps, signal }, database, content)
      return undefined
    } catch (error) {
      if (error instanceof SourceError) return error.sentence
      if (error instanceof AppError && error.status < 500) return error.sentence
      throw error
    }
  }
}
