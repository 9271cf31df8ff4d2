import type { Bundle, BundleMetadata } from './bundle.ts'

/** A bundle whose documents are read one at a time, since a large one does not fit into memory. */
export interface BundleSource {
  readonly metadata: BundleMetadata
  /** Paths of all documents except the metadata, in the order of the archive. */
  readonly paths: readonly string[]
  /** @throws RangeError for a path that is not in `paths` */
  read(path: string): Promise<Record<string, unknown>>
}

/** A source over a bundle in memory. */
export const sourceOf = ({ metadata, files }: Bundle): BundleSource => ({
  metadata,
  paths: [...files.keys()],
  read: async (path) => {
    const document = files.get(path)
    if (!document) throw new RangeError(`The bundle has no file ${path}`)
    return document
  },
})

/** Reads all documents of a source into memory. */
export async function loadBundle(source: BundleSource): Promise<Bundle> {
  const files: Bundle['files'] = new Map()
  for (const path of source.paths) files.set(path, await source.read(path))
  return { metadata: source.metadata, files }
}
