import { type Bundle, bundleFolders, type BundleSource, joinDocument, parseImageHash } from '@parquetry/bundle'
import {
  AppError,
  type BundledKind,
  bundledKinds,
  type Difference,
  type FieldMessages,
  type ImportedObject,
  type ImportProgress,
  type ImportSecretField,
  message,
  type Message,
} from '@parquetry/model'
import type { Kysely } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { Connection } from '../connection/connection.ts'
import type { Tables } from '../store/tables.ts'
import { kindInfo } from './bundled-kinds.ts'
import { addValues } from './difference-values.ts'
import { type DatasetLocation, DatasetTables, isSameLocation } from './dataset-tables.ts'
import { fileProblem, formatAlreadyExists } from './fields.ts'
import { type ImportSecrets, listMissingSecrets } from './import-database.ts'
import type { DatasetContent } from './import-dataset.ts'
import { findNeeded } from './find-needed.ts'
import { describeDifferences, isSameContent } from './import-differences.ts'
import { canSee, type Importer, ImportRights } from './import-rights.ts'
import type { ReadScope } from './import-scope.ts'
import { type AnyContent, importers } from './importers.ts'
import { ownReferences, ReferenceTable } from './reference-table.ts'
import { refuseUnsavable } from './save-limits.ts'
import { type BundledObject, type BundleIndex, indexBundle } from './source-ids.ts'
import { findStoredObjects, matchDatabaseNames, type StoredObject, type StoredObjects } from './stored-objects.ts'
import { datasetExists } from '../dataset/save-dataset.ts'
import { datasetName } from '../dataset/stored-dataset.ts'

export interface PlanOptions {
  authorId: number | null
  /** Whose rights are checked; omitted for imports of the product itself. */
  importer?: Importer | undefined
  overwrite: boolean
  /** Paths that may be created or replaced; all when omitted. */
  only?: ReadonlySet<string> | undefined
  /** Paths that may be created, but not replaced. */
  onlyNew?: ReadonlySet<string> | undefined
  /** Secrets of databases; without them, documents with secrets are refused. */
  secrets?: ImportSecrets | undefined
  /** Compares all objects that could be replaced, also without `overwrite`. */
  preview?: boolean
  /** Objects that the bundle refers to and does not contain may exist here. */
  sparse?: boolean
  onProgress?: (progress: ImportProgress) => void
  signal?: AbortSignal
}

/** An object of the bundle, and the action that the import takes. */
export interface PlannedObject extends BundledObject {
  action: 'create' | 'replace' | 'use' | 'leave_out'
  state: ImportedObject['state']
  stored: StoredObject | undefined
  differences: Difference[] | undefined
  secrets: ImportSecretField[]
  problems: FieldMessages[string] | undefined
  notes: Message[]
  /** A database that this server cannot connect to. */
  isUnsupported: boolean
}

export interface ImportPlan {
  type: Bundle['metadata']['type']
  index: BundleIndex
  objects: PlannedObject[]
  tables: DatasetTables
}

/** Kinds that bundles of a type are about: only they are replaced. */
const mainKinds = (type: ImportPlan['type']): ReadonlySet<BundledKind> => {
  if (type === 'assets') return new Set(bundledKinds)
  const found = bundledKinds.filter((kind) => bundleFolders[kindInfo[kind].folder] === type)
  if (found.length === 0)
    throw new AppError('unprocessable', {
      message: message('errors.bundle.type', 'Bundles of type {type} cannot be imported.', { type }),
    })
  // A dashboard is imported with its charts.
  return new Set(type === 'Dashboard' ? [...found, 'chart'] : found)
}

/** Paths of the images of a bundle, by the hash in their name. */
export const imagesOf = ({ paths }: BundleSource): Map<string, string> =>
  new Map(
    paths.flatMap((path) => {
      const hash = parseImageHash(path)
      return hash === undefined ? [] : [[hash, path] as const]
    }),
  )

/**
 * Decides what an import does with each object, without writing anything. Objects are matched by UUID.
 * @throws AppError `unprocessable` for a bundle that cannot be read; problems of single objects are part of the plan
 */
export async function planImport(db: Kysely<Tables>, source: BundleSource, options: PlanOptions): Promise<ImportPlan> {
  const yielder = new EventLoopYielder()
  const { onProgress, signal } = options
  const pause = async (): Promise<void> => {
    signal?.throwIfAborted()
    await yielder.yieldIfDue()
  }
  const total = source.paths.length
  const index = await indexBundle(source, async (done) => {
    onProgress?.({ step: 'reading', done, total })
    await pause()
  })
  const { importer } = options
  await matchDatabaseNames(db, index.objects, importer && ((id) => canSee(importer, 'database', id)))
  if (options.sparse) index.needed = await findNeeded(db, index.objects, importer)
  const stored = await findStoredObjects(db, index.objects)
  const rights = importer && (await ImportRights.load(importer, stored))
  const planner = new Planner(db, source, { ...options, type: source.metadata.type }, { index, stored, rights })
  const objects: PlannedObject[] = []
  for (const object of index.objects) {
    objects.push(await planner.plan(object))
    onProgress?.({ step: 'checking', done: objects.length, total: index.objects.length })
    await pause()
  }
  return { type: source.metadata.type, index, objects, tables: planner.tables }
}

/** Limits of what a plan reports; the first two are per object, the last one is in characters. */
const reportLimits = { notes: 20, differences: 500, allDifferences: 50_000, allText: 2_000_000 }
const moreNotes = message('errors.bundle.moreNotes', 'There is more to say about it, which is not shown.')

class Planner {
  readonly #db: Kysely<Tables>
  readonly #source: BundleSource
  readonly #options: PlanOptions
  readonly #stored: StoredObjects
  readonly #rights: ImportRights | undefined
  readonly #main: ReadonlySet<BundledKind>
  readonly #isDashboard: boolean
  readonly #references: ReferenceTable
  readonly #images: ReadonlyMap<string, string>
  readonly tables: DatasetTables
  readonly #seen = new Map<string, string>()
  #newId = -1
  #differencesLeft = reportLimits.allDifferences
  #textLeft = reportLimits.allText

  constructor(
    db: Kysely<Tables>,
    source: BundleSource,
    options: PlanOptions & { type: ImportPlan['type'] },
    found: { index: BundleIndex; stored: StoredObjects; rights: ImportRights | undefined },
  ) {
    this.#db = db
    this.#source = source
    this.#options = options
    this.#stored = found.stored
    this.#rights = found.rights
    this.#main = mainKinds(options.type)
    this.#isDashboard = options.type === 'Dashboard'
    this.#images = imagesOf(source)
    this.#references = new ReferenceTable(found.index)
    this.tables = new DatasetTables(db)
  }

  async plan(object: BundledObject): Promise<PlannedObject> {
    const { kind, uuid } = object
    const planned: PlannedObject = {
      ...object,
      ...this.#choose(object),
      differences: undefined,
      secrets: [],
      problems: undefined,
      notes: [],
      isUnsupported: false,
    }
    const other = this.#seen.get(`${kind} ${uuid}`)
    this.#seen.set(`${kind} ${uuid}`, object.path)
    if (other !== undefined) {
      const text = message('errors.bundle.sameUuid', 'The file {other} has the same UUID.', { other })
      return { ...planned, problems: [text] }
    }
    if (await this.#useSameTable(planned)) return planned
    planned.problems = this.#refuse(planned)
    if (planned.stored && this.#rights?.canSee(kind, planned.stored.id) === false) hideStored(planned)
    if (planned.problems !== undefined || planned.action === 'leave_out') return planned
    if (planned.action === 'use') {
      this.#add(planned, planned.stored?.id)
      return planned
    }
    try {
      await this.#compare(planned)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      planned.problems = error.detailMessages?.[object.path] ?? error.detailMessages ?? error.sentence
      planned.secrets = listMissingSecrets(planned.problems)
    }
    // Objects that refer to one with problems are checked too.
    if (planned.problems !== undefined) this.#add(planned, planned.stored?.id)
    return planned
  }

  /** Chooses the action that the caller requested, before rights and contents are checked. */
  #choose({ kind, uuid, path }: BundledObject): Pick<PlannedObject, 'action' | 'state' | 'stored'> {
    const { only, overwrite, preview, authorId } = this.#options
    const found = this.#stored[kind].get(uuid)
    // A saved query of another user stays theirs; the importer gets a copy.
    const stored = kind === 'saved_query' && found?.userId !== authorId ? undefined : found
    if (!stored)
      return only?.has(path) === false || this.#rights?.isLeftOut(kind)
        ? { action: 'leave_out', state: 'left_out', stored }
        : { action: 'create', state: 'new', stored }
    if (!this.#main.has(kind)) return { action: 'use', state: 'kept', stored }
    const isChosen = only ? only.has(path) : overwrite || preview
    if (isChosen) return { action: 'replace', state: 'changed', stored }
    return { action: 'use', state: 'kept', stored }
  }

  #refuse({ action, kind, stored }: PlannedObject): PlannedObject['problems'] {
    const { only, overwrite, preview } = this.#options
    const isSecondary = this.#isDashboard && kind === 'chart'
    if (action === 'use' && this.#main.has(kind) && !only && !overwrite && !preview && !isSecondary)
      return formatAlreadyExists(kindInfo[kind].label)
    if (action === 'leave_out') return undefined
    const refusal = this.#rights?.refuse(action, kind, stored?.id)
    return refusal && { _schema: [refusal] }
  }

  async #compare(planned: PlannedObject): Promise<void> {
    const { kind, path, stored } = planned
    const importer = importers[kind]
    const scope = this.#scope(planned)
    const content = await importer.read(await this.#document(planned), path, scope, stored)
    planned.isUnsupported = (content['connection'] as Connection | undefined)?.engine.isUnsupported ?? false
    const refusal = await this.#refuseContent(kind, content)
    if (refusal) {
      planned.problems = { _schema: [refusal] }
      return
    }
    const id = this.#add(planned, stored?.id, content)
    if (kind === 'database' && !stored) this.tables.addDatabase(id, content['connection'] as Connection)
    const before = stored && (await this.#readStored(kind, stored, scope))
    if (before && isSameContent(before, content)) {
      planned.action = 'use'
      planned.state = 'same'
      return
    }
    if (stored && this.#options.onlyNew?.has(path)) {
      planned.problems = formatAlreadyExists(kindInfo[kind].label)
      return
    }
    refuseUnsavable(kind, content, path)
    if (kind === 'dataset') await this.#refuseSameTable(planned, locationOf(content), before && locationOf(before))
    if (before && this.#options.preview) this.#describe(planned, before, content)
  }

  /**
   * Bundles that are not about datasets use one of the same table that exists here, because they never change datasets. It is found
   * before the choice of paths is applied, as objects with the same UUID are.
   */
  async #useSameTable(planned: PlannedObject): Promise<boolean> {
    const { kind, stored } = planned
    if (kind !== 'dataset' || stored || this.#main.has('dataset')) return false
    const other = await this.#findSameTable(planned)
    if (!other || (await this.#rights?.refuseDataset(other.id))) return false
    Object.assign(planned, { action: 'use', state: 'kept', stored: other })
    planned.notes.push(
      message(
        'errors.bundle.sameTableUsed',
        'The dataset {name} of this table exists here with another UUID. It is used as it is.',
        { name: other.datasetName },
      ),
    )
    this.#add(planned, other.id)
    return true
  }

  /** Undefined also for a document that cannot be read, whose problem is reported later. */
  async #findSameTable(planned: PlannedObject): Promise<StoredObject | undefined> {
    const scope = { ...this.#scope(planned), note: () => undefined }
    try {
      const content = await importers.dataset.read(await this.#document(planned), planned.path, scope)
      return await this.tables.find(locationOf(content))
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  /** @throws AppError `unprocessable` for a dataset of a table that another dataset has */
  async #refuseSameTable(
    { path, stored }: PlannedObject,
    location: DatasetLocation,
    before: DatasetLocation | undefined,
  ): Promise<void> {
    if (before && isSameLocation(location, before)) return
    const file = await this.tables.claim(location, path, stored?.id)
    if (file !== undefined)
      throw fileProblem(path, {
        table_name: [
          message('errors.bundle.sameTableInBundle', 'The file {file} is a dataset of the same table.', { file }),
        ],
      })
    const other = await this.tables.find(location, stored?.id)
    if (!other) return
    const isSeen = !(await this.#rights?.refuseDataset(other.id))
    const name = other.datasetName
    throw fileProblem(path, {
      table_name: [
        isSeen
          ? message(
              'errors.bundle.sameTable',
              'The dataset {name} of this table exists here with another UUID. Delete it first, or write its UUID {uuid} into the file.',
              { name, uuid: other.uuid },
            )
          : datasetExists(location.table_name),
      ],
    })
  }

  /** Shows the first differences; a bundle can have more of them than fit into memory. */
  #describe(planned: PlannedObject, before: AnyContent, after: AnyContent): void {
    const found = describeDifferences(planned.kind, before, after)
    planned.differences = found
      .slice(0, Math.min(reportLimits.differences, this.#differencesLeft))
      .map((difference) => {
        // Texts of databases could contain secrets.
        if (this.#textLeft <= 0 || planned.kind === 'database') return difference
        const more = addValues(difference, before, after)
        this.#textLeft -= (more.long?.before.length ?? 0) + (more.long?.after.length ?? 0)
        return more
      })
    this.#differencesLeft -= planned.differences.length
    if (planned.differences.length === found.length) return
    const counts = { n: found.length, shown: planned.differences.length }
    planned.notes.push(
      message('errors.bundle.moreDifferences', '{shown, number} of its {n, number} differences are shown.', counts),
    )
  }

  /** Undefined for an object that could not be stored today, such as a connection that the settings no longer allow. */
  async #readStored(kind: BundledKind, stored: StoredObject, scope: ReadScope): Promise<AnyContent | undefined> {
    const own = { ...scope, references: ownReferences(this.#references), note: () => undefined }
    try {
      return await importers[kind].readStored(this.#db, stored, own)
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  #document = (object: BundledObject) => documentOf(this.#source, object)

  #scope = (planned: PlannedObject): ReadScope => ({
    db: this.#db,
    references: this.#references,
    images: this.#images,
    secrets: this.#options.secrets,
    canUseDatabase: this.#rights?.canUseDatabase,
    note: (text) => {
      if (planned.notes.length < reportLimits.notes) planned.notes.push(text)
      else planned.notes[reportLimits.notes] = moreNotes
    },
  })

  async #refuseContent(kind: BundledKind, content: AnyContent): Promise<Message | string | undefined> {
    const rights = this.#rights
    if (kind === 'dataset' && rights) return rights.refuseSource(content as unknown as DatasetContent)
    const datasetId = Number(content['datasource_id'])
    // New datasets have no id yet, and belong to the importer.
    return kind === 'chart' && datasetId > 0 ? rights?.refuseDataset(datasetId) : undefined
  }

  /** @returns the id, a negative one for a new object */
  #add(planned: PlannedObject, storedId: number | undefined, content?: AnyContent): number {
    const { schema = null, table_name = '' } = (content ?? {}) as { schema?: string | null; table_name?: string }
    const name = content ? datasetName({ schema, table_name }) : (planned.stored?.datasetName ?? planned.name)
    const id = storedId ?? this.#newId--
    this.#references.add(planned, id, name)
    return id
  }
}

/** Reports nothing of an object that the importer may not see; the problem of a database does not even tell that it exists. */
function hideStored(planned: PlannedObject): void {
  planned.stored = undefined
  if (planned.kind === 'database') planned.state = 'new'
}

/** The document of an object, with the UUID that was found for it and the fields of its file in `other_fields`. */
export async function documentOf(
  source: BundleSource,
  { path, uuid, othersPath }: Pick<BundledObject, 'path' | 'uuid' | 'othersPath'>,
): Promise<Record<string, unknown>> {
  const document = await source.read(path)
  return { ...(othersPath === undefined ? document : joinDocument(document, await source.read(othersPath))), uuid }
}

const locationOf = (content: AnyContent): DatasetLocation => content as unknown as DatasetLocation
