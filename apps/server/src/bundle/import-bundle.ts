import { bundleFolders, parseImageHash, type Bundle, type BundledImage, type BundleFolder } from '@parquetry/bundle'
import { AppError, type FieldMessages, message, type Message, type PermissionPair } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { addMissingDataPermissions } from '../access/data-permissions.ts'
import { authorizeChartGrants, findChartGrants } from '../access/chart-grants.ts'
import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { tagPermissions } from '../http/tags.ts'
import type { Tables } from '../store/tables.ts'
import { importChart } from './import-chart.ts'
import { importDashboard } from './import-dashboard.ts'
import { importDatabase, type ImportSecrets } from './import-database.ts'
import { importDataset } from './import-dataset.ts'
import { readTagDescriptions } from './import-tags.ts'
import { importTheme } from './import-theme.ts'
import { importSavedQuery } from './import-saved-query.ts'

/** Context shared by all importers. */
export interface ImportContext {
  db: Transaction<Tables>
  authorId: number | null
  /** ISO time of the import. */
  at: string
  /** Objects of the bundle's main kind may be replaced; their parents never are. */
  overwrite: boolean
  mainFolder: BundleFolder | 'all'
  /** UUID -> id of the objects that this import created or found. */
  ids: Record<'themes' | 'databases' | 'datasets' | 'charts', Map<string, number>>
  /** Images of the bundle, by path. */
  images: ReadonlyMap<string, BundledImage>
  imageQuotaMb: number
  /** New themes of dashboards are left out without the permission to write themes. */
  mayAddThemes: boolean
  /** Kinds of objects whose tags are imported; empty without the permission or when tags are turned off. */
  taggedKinds: readonly ('chart' | 'dashboard')[]
  /** New tags are left out without the permission to write tags. */
  mayAddTags: boolean
  /** Descriptions of the tags of the bundle, by name. */
  tagDescriptions: ReadonlyMap<string, string | null>
  /** By the path of the file. */
  problems: Record<string, FieldMessages[string]>
  /** Yields to the event loop in a long import; called between the statements of a large document. */
  yielder: EventLoopYielder
  secrets?: ImportSecrets | undefined
}

export interface ImportOptions {
  authorId: number | null
  /**
   * Principal whose permissions are checked when the bundle changes the access given by dashboard roles; omitted for internal
   * imports.
   */
  principal?: Principal
  at: string
  overwrite: boolean
  /** False when tags are turned off. Objects then keep the tags that they have. */
  hasTags?: boolean
  /** Quota of the author for images of dashboards; no limit when omitted. */
  imageQuotaMb?: number
  /** Heading of the problems; defaults to that of bundles. */
  failure?: string | Message
  /** Secrets of new databases; when omitted, secrets are rejected. */
  secrets?: ImportSecrets
}

const importers = {
  themes: importTheme,
  databases: importDatabase,
  datasets: importDataset,
  charts: importChart,
  dashboards: importDashboard,
  queries: importSavedQuery,
} as const

/**
 * Writes a bundle into the store in one transaction. Objects are matched by UUID.
 * @throws AppError `unprocessable` with `details` by file path, worded as in the API
 */
export async function importBundle(db: Kysely<Tables>, bundle: Bundle, options: ImportOptions): Promise<void> {
  const { principal, hasTags = true } = options
  const may = (...pairs: PermissionPair[]) => !principal || pairs.some((pair) => hasPermission(principal, pair))
  const mainFolder = bundle.metadata.type === 'assets' ? 'all' : findFolder(bundle.metadata.type)
  await db.transaction().execute(async (transaction) => {
    const context: ImportContext = {
      db: transaction,
      authorId: options.authorId,
      at: options.at,
      overwrite: options.overwrite,
      mainFolder,
      ids: { themes: new Map(), databases: new Map(), datasets: new Map(), charts: new Map() },
      images: new Map([...bundle.files].filter((file): file is [string, BundledImage] => isImage(file))),
      imageQuotaMb: options.imageQuotaMb ?? 0,
      mayAddThemes: may(['can_write', 'Theme']),
      taggedKinds: hasTags ? (['chart', 'dashboard'] as const).filter((kind) => may(...tagPermissions(kind))) : [],
      mayAddTags: may(['can_write', 'Tag']),
      tagDescriptions: readTagDescriptions(bundle),
      problems: {},
      yielder: new EventLoopYielder(),
      secrets: options.secrets,
    }
    const affected = principal ? await findAffectedDashboards(transaction, bundle) : []
    const grants = principal && (await findRoleGrants(transaction, principal, affected))
    const chartGrants =
      principal && (await findChartGrants(transaction, { principal }, await findReplacedCharts(transaction, bundle)))
    for (const [folder, importOne] of Object.entries(importers)) {
      for (const [path, document] of bundle.files) {
        if (!path.startsWith(`${folder}/`)) continue
        await importOne(document, path, context)
        await context.yielder.yieldIfDue()
      }
    }
    if (Object.keys(context.problems).length > 0)
      throw new AppError('unprocessable', {
        message: options.failure ?? message('errors.bundle.import', 'Error importing the bundle'),
        detailMessages: context.problems,
      })
    if (principal && grants) await authorizeRoleGrants(transaction, principal, affected, grants)
    if (principal && chartGrants)
      await authorizeChartGrants(transaction, { principal }, [...context.ids.charts.values()], chartGrants)
    await addMissingDataPermissions(transaction)
  })
}

const listUuids = ({ files }: Bundle, folders: RegExp): string[] =>
  [...files].flatMap(([path, { uuid }]) => (folders.test(path) && typeof uuid === 'string' ? [uuid] : []))

/** Charts that the bundle may replace. */
async function findReplacedCharts(db: Transaction<Tables>, bundle: Bundle): Promise<number[]> {
  const uuids = listUuids(bundle, /^charts\//)
  if (uuids.length === 0) return []
  return (await db.selectFrom('chart').select('id').where('uuid', 'in', uuids).execute()).map(({ id }) => id)
}

/** Dashboards that the bundle replaces, and those that show a chart it may replace. */
async function findAffectedDashboards(db: Transaction<Tables>, bundle: Bundle): Promise<number[]> {
  const uuids = listUuids(bundle, /^(dashboards|charts)\//)
  if (uuids.length === 0) return []
  const replaced = db.selectFrom('dashboard').select('id').where('uuid', 'in', uuids)
  const showing = db
    .selectFrom('dashboard_chart')
    .innerJoin('chart', 'chart.id', 'chart_id')
    .select('dashboard_id as id')
    .where('uuid', 'in', uuids)
  return (await replaced.union(showing).execute()).map(({ id }) => id)
}

const isImage = ([path, { base64 }]: [string, Record<string, unknown>]): boolean =>
  parseImageHash(path) !== undefined && typeof base64 === 'string'

const findFolder = (type: string): BundleFolder => {
  const found = Object.entries(bundleFolders).find(([, kind]) => kind === type)
  if (!found)
    throw new AppError('unprocessable', {
      message: message('errors.bundle.type', 'Bundles of type {type} cannot be imported.', { type }),
    })
  return found[0] as BundleFolder
}
