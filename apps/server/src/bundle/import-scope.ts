import type { BundledKind, FieldMessages, Message } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import type { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { Tables } from '../store/tables.ts'
import type { ImportSecrets } from './import-database.ts'

/** A dataset that charts of the bundle may use. */
export interface ScopeDataset {
  id: number
  /** `schema.table` */
  name: string
}

/**
 * Where the references of documents lead: from UUIDs, and from ids of the store that the bundle comes from, to ids here. In a
 * preview, objects that would be created have negative ids.
 */
export interface ImportReferences {
  themes: ReadonlyMap<string, number>
  databases: ReadonlyMap<string, number>
  datasets: ReadonlyMap<string, ScopeDataset>
  charts: ReadonlyMap<string, number>
  /** Id here of a chart or annotation layer by its id in the other store; undefined when the bundle does not contain it. */
  chartOf(sourceId: number): number | undefined
  layerOf(sourceId: number): number | undefined
}

/** Everything that reading a document depends on. */
export interface ReadScope {
  db: Kysely<Tables>
  references: ImportReferences
  /** Paths of the images of the bundle, by the hash in their name. */
  images: ReadonlyMap<string, string>
  /** Secrets of databases; without them, documents with secrets are refused. */
  secrets?: ImportSecrets | undefined
  /** Tests if the importer may use a database that a document names; omitted where that has been tested. */
  canUseDatabase?: ((id: number) => Promise<boolean>) | undefined
  /** Tells the importer something about the object that is read. */
  note(text: Message): void
}

/** Everything that writing needs in addition. */
export interface WriteScope extends ReadScope {
  db: Transaction<Tables>
  /** Bytes of an image of the bundle. */
  readImage(path: string): Promise<Buffer>
  authorId: number | null
  /** ISO time of the import. */
  at: string
  imageQuotaMb: number
  /** Kinds of objects whose tags are imported; empty without the permission or when tags are turned off. */
  taggedKinds: readonly ('chart' | 'dashboard')[]
  /** New tags are left out without the permission to write tags. */
  mayAddTags: boolean
  /** Descriptions of the tags of the bundle, by name. */
  tagDescriptions: ReadonlyMap<string, string | null>
  /** Yields to the event loop in a long import; called between the statements of a large document. */
  yielder: EventLoopYielder
}

/** An object that exists here. */
export interface StoredIdentity {
  id: number
  uuid: string
}

/**
 * Imports one kind of object. `Content` is what an object stores, without its id, author and times, and with ids of this store:
 * two objects with equal contents are the same.
 */
export interface KindImporter<Content> {
  kind: BundledKind
  /** @throws AppError `unprocessable` with details by path and field */
  read(
    document: Record<string, unknown>,
    path: string,
    scope: ReadScope,
    stored?: StoredIdentity,
  ): Content | Promise<Content>
  /** The contents of a stored object, as its own export would be read again. */
  readStored(db: Kysely<Tables>, stored: StoredIdentity, scope: ReadScope): Promise<Content | undefined>
  /**
   * @param identity  the id is given when it is kept from another store
   * @returns the id
   */
  create(content: Content, identity: { uuid: string; id?: number }, scope: WriteScope): Promise<number>
  replace(content: Content, stored: StoredIdentity, scope: WriteScope): Promise<void>
}

/** Problems of one file: a sentence, or sentences by field. */
export type FileProblem = FieldMessages[string] | FieldMessages
