import { type BundledKind, bundledKinds } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { type Importer, ImportRights } from './import-rights.ts'
import { type BundledObject, objectKey } from './source-ids.ts'
import { findStoredObjects } from './stored-objects.ts'

/** An object of this store that a bundle refers to and does not contain. */
export interface NeededObject {
  kind: BundledKind
  uuid: string
  id: number
  datasetName: string
}

/** Finds what objects of a bundle need besides each other, as far as the importer may see it. */
export async function findNeeded(
  db: Kysely<Tables>,
  objects: readonly BundledObject[],
  importer: Importer | undefined,
): Promise<NeededObject[]> {
  const contained = new Set(objects.map(objectKey))
  const keys = new Set(objects.flatMap(({ needs }) => needs).filter((key) => !contained.has(key)))
  const needed = [...keys].map((key) => {
    const [kind, uuid] = key.split(' ') as [BundledKind, string]
    return { kind, uuid }
  })
  const stored = await findStoredObjects(db, needed)
  const rights = importer && (await ImportRights.load(importer, stored))
  return bundledKinds.flatMap((kind) =>
    [...stored[kind].values()].flatMap(({ uuid, id, datasetName }) =>
      rights?.canSee(kind, id) === false ? [] : [{ kind, uuid, id, datasetName }],
    ),
  )
}
