import type { BundleEntry } from './entries.ts'
import { type BundleType, toFileName } from './bundle.ts'

interface Placement {
  type: BundleType
  folder: string
  /** Field with its name. */
  name: string
  /** Another field that documents of this kind have. */
  has: string
}

const placements: readonly Placement[] = [
  { type: 'Slice', folder: 'charts', name: 'slice_name', has: 'viz_type' },
  { type: 'Dashboard', folder: 'dashboards', name: 'dashboard_title', has: 'position' },
  { type: 'SqlaTable', folder: 'datasets', name: 'table_name', has: 'columns' },
  { type: 'Database', folder: 'databases', name: 'database_name', has: 'sqlalchemy_uri' },
  { type: 'SavedQuery', folder: 'queries', name: 'label', has: 'sql' },
  { type: 'Theme', folder: 'themes', name: 'theme_name', has: 'json_data' },
]

export const createMetadata = (type: BundleType): BundleEntry => [
  'metadata.yaml',
  { version: '1.0.0', type, timestamp: '' },
]

/** A bundle of one document, which its fields tell; undefined if they do not. */
export function placeDocument(value: object): BundleEntry[] | undefined {
  const document = value as Record<string, unknown>
  const found = placements.find(({ name, has }) => typeof document[name] === 'string' && document[has] !== undefined)
  if (!found) return undefined
  return [createMetadata(found.type), [`${found.folder}/${toFileName(String(document[found.name]))}.yaml`, document]]
}
