/**
 * An export bundle without its archive: the metadata and the documents by path below the root folder (`charts/Sales_12.yaml`).
 * @see reference of the API, part 8: the formats are those of Superset's versioned export
 */
export interface Bundle {
  metadata: BundleMetadata
  files: Map<string, Record<string, unknown>>
}

export interface BundleMetadata {
  version: string
  type: BundleType
  timestamp: string
}

export const bundleTypes = ['Slice', 'Dashboard', 'SqlaTable', 'Database', 'SavedQuery', 'assets', 'Theme'] as const
export type BundleType = (typeof bundleTypes)[number]

/** Folder of each kind of document inside a bundle, in the order in which they are imported. */
export const folders = {
  databases: 'Database',
  datasets: 'SqlaTable',
  charts: 'Slice',
  dashboards: 'Dashboard',
  queries: 'SavedQuery',
} as const
export type BundleFolder = keyof typeof folders

/** Longer ones are no names of files anywhere. */
const longestName = 200

/** A safe file name: blanks and slashes become `_`, what is no letter, digit, `-`, `_` or `.` goes. */
export const fileName = (name: string): string =>
  name
    .slice(0, longestName)
    .replace(/[^\p{L}\p{N}_.\s/\\-]/gu, '')
    .replace(/[\s/\\]+/g, '_')
    .replace(/^[._]+|[._]+$/g, '') || 'unnamed'
