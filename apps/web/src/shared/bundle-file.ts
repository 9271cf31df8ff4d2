import type { ImportKind } from './import-permissions.ts'
import { readZipEntry } from './zip-entry.ts'

/** Accepted files, as the attribute of a file input. */
export const importedFiles = '.zip,application/zip,.json,.yaml,.yml'

/** Kinds by the type in the metadata of a bundle. */
const kindByType: Record<string, ImportKind> = {
  Dashboard: 'dashboard',
  Slice: 'chart',
  SqlaTable: 'dataset',
  Database: 'database',
  SavedQuery: 'saved_query',
  Theme: 'theme',
  CssTemplate: 'css_template',
  AnnotationLayer: 'annotation_layer',
  assets: 'assets',
}

/** Type in the text of `metadata.yaml`. */
const typeIn = (metadata: string): string => /^["']?type["']?:[ \t]*["']?(\w+)/m.exec(metadata)?.[1] ?? ''

const headSize = 64 << 10

/**
 * Returns the kind of a bundle, `unknown` for a bundle without a known type, and null for any other file. The exports of the
 * first versions of the API are a JSON file of dashboards or a YAML file of databases with their datasets.
 */
export async function readBundleKind(file: File): Promise<ImportKind | 'unknown' | null> {
  if (/\.json$/i.test(file.name))
    return /"__(?:Dashboard|Slice|SqlaTable)__"/.test(await file.slice(0, headSize).text()) ? 'dashboard' : null
  if (/\.ya?ml$/i.test(file.name)) return 'dataset'
  const metadata = await readZipEntry(file, 'metadata.yaml')
  return metadata === null ? null : (kindByType[typeIn(metadata)] ?? 'unknown')
}
