/**
 * Contents of an export bundle: the metadata, and the documents by path below the root folder (`charts/Sales_12.yaml`).
 * @see reference of the API, part 8: the formats are those of Superset's versioned export
 */
export interface Bundle {
  metadata: BundleMetadata
  files: Map<string, Record<string, unknown>>
}

/**
 * An image of a dashboard in a bundle, stored below `images/` under the SHA-256 of its bytes. Superset ignores it because it is
 * not YAML. In a `Bundle` and between processes it is a document with its bytes as `base64`.
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

export const bundleTypes = [
  'Slice',
  'Dashboard',
  'SqlaTable',
  'Database',
  'SavedQuery',
  'assets',
  'Theme',
  // Superset has no bundles of these.
  'CssTemplate',
  'AnnotationLayer',
] as const
export type BundleType = (typeof bundleTypes)[number]

/** Folders of the document types inside a bundle, in import order. */
export const bundleFolders = {
  themes: 'Theme',
  css_templates: 'CssTemplate',
  annotation_layers: 'AnnotationLayer',
  databases: 'Database',
  datasets: 'SqlaTable',
  charts: 'Slice',
  dashboards: 'Dashboard',
  queries: 'SavedQuery',
} as const
export type BundleFolder = keyof typeof bundleFolders

/** Maximum length of a file name; file systems do not accept much longer ones. */
const maxNameLength = 200

/**
 * Returns a safe file name: replaces blanks and slashes with `_` and removes everything except letters, digits, `-`, `_` and `.`.
 */
export const toFileName = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replace(/[^\p{L}\p{N}_.\s/\\-]/gu, '')
    .replace(/[\s/\\]+/g, '_')
    .replace(/^[._]+|[._]+$/g, '') || 'unnamed'
