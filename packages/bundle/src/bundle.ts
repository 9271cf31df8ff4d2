/**
 * An export bundle without its archive: the metadata and the documents by path below the root folder (`charts/Sales_12.yaml`).
 * @see reference of the API, part 8: the formats are those of Superset's versioned export
 */
export interface Bundle {
  metadata: BundleMetadata
  files: Map<string, Record<string, unknown>>
}

/**
 * An image of a dashboard in a bundle, below `images/` under the SHA-256 of its bytes. Readers of the original pass it over: it is no
 * YAML. On its way between processes, and in a `Bundle`, it is a document with its bytes as `base64`.
 */
export interface BundledImage extends Record<string, unknown> {
  base64: string
}

export const imagePath = (hash: string, ending: string): string => `images/${hash}.${ending}`
/** The SHA-256 in the path of an image; undefined for other paths. */
export const parseImageHash = (path: string): string | undefined =>
  /^images\/([0-9a-f]{64})\.[a-z]{3,4}$/.exec(path)?.[1]

export interface BundleMetadata {
  version: string
  type: BundleType
  timestamp: string
}

export const bundleTypes = ['Slice', 'Dashboard', 'SqlaTable', 'Database', 'SavedQuery', 'assets', 'Theme'] as const
export type BundleType = (typeof bundleTypes)[number]

/** Folder of each kind of document inside a bundle, in the order in which they are imported. */
export const bundleFolders = {
  databases: 'Database',
  datasets: 'SqlaTable',
  charts: 'Slice',
  dashboards: 'Dashboard',
  queries: 'SavedQuery',
} as const
export type BundleFolder = keyof typeof bundleFolders

/** Longer ones are no names of files anywhere. */
const maxNameLength = 200

/** A safe file name: blanks and slashes become `_`, what is no letter, digit, `-`, `_` or `.` goes. */
export const toFileName = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replace(/[^\p{L}\p{N}_.\s/\\-]/gu, '')
    .replace(/[\s/\\]+/g, '_')
    .replace(/^[._]+|[._]+$/g, '') || 'unnamed'
