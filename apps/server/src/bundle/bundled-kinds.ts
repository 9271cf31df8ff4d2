import type { BundleFolder } from '@parquetry/bundle'
import {
  type BundledKind,
  bundledKinds,
  importRoutes,
  message,
  type Message,
  type PermissionPair,
} from '@parquetry/model'

/** Names and texts of one kind of object in imports. */
interface BundledKindInfo {
  /** Folder of its files in a bundle. */
  folder: BundleFolder
  /** Field of a document with the display name. */
  name: string
  /** Name in errors that clients search for, so it is not translated. */
  label: string
  /** Heading of the problems of an import of this kind. */
  failure: Message
}

export const kindInfo: Record<BundledKind, BundledKindInfo> = {
  theme: {
    folder: 'themes',
    name: 'theme_name',
    label: 'Theme',
    failure: message('errors.bundle.importThemes', 'Error importing themes'),
  },
  css_template: {
    folder: 'css_templates',
    name: 'template_name',
    label: 'CSS template',
    failure: message('errors.bundle.importCssTemplates', 'Error importing CSS templates'),
  },
  annotation_layer: {
    folder: 'annotation_layers',
    name: 'name',
    label: 'Annotation layer',
    failure: message('errors.bundle.importAnnotationLayers', 'Error importing annotation layers'),
  },
  database: {
    folder: 'databases',
    name: 'database_name',
    label: 'Database',
    failure: message('errors.bundle.importDatabase', 'Error importing database'),
  },
  dataset: {
    folder: 'datasets',
    name: 'table_name',
    label: 'Dataset',
    failure: message('errors.bundle.importDataset', 'Error importing dataset'),
  },
  chart: {
    folder: 'charts',
    name: 'slice_name',
    label: 'Chart',
    failure: message('errors.bundle.importChart', 'Error importing chart'),
  },
  dashboard: {
    folder: 'dashboards',
    name: 'dashboard_title',
    label: 'Dashboard',
    failure: message('errors.bundle.importDashboard', 'Error importing dashboard'),
  },
  saved_query: {
    folder: 'queries',
    name: 'label',
    label: 'Saved_Queries',
    failure: message('errors.bundle.importSavedQueries', 'Error importing saved_queries'),
  },
}

/** The permission to create and change objects of a kind. */
export const writePermission = (kind: BundledKind): PermissionPair => importRoutes[kind].can

const kindByFolder = new Map(bundledKinds.map((kind) => [kindInfo[kind].folder as string, kind]))

/** The kind of object that a file of a bundle describes; undefined for images, tags and unknown files. */
export const kindOfPath = (path: string): BundledKind | undefined =>
  kindByFolder.get(path.slice(0, Math.max(0, path.indexOf('/'))))
