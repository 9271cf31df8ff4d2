import { hash } from 'node:crypto'
import { AppError, type FilteredDashboard } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { signDatasetAccess } from '../chart/access-signature.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { buildChartContext, type SavedChart } from '../chart/saved-chart-query.ts'
import { changeCountOf } from '../store/changes.ts'
import { readCached } from '../store/read-cache.ts'
import { loadDashboardCharts, type StoredDashboard, toFilteredDashboard } from '../chart/stored-dashboard.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/** A dashboard with its charts, as stored. */
interface DashboardContents {
  dashboard: StoredDashboard
  charts: ReadonlyMap<number, SavedChart>
  filtered: FilteredDashboard
  /** Hash of all of it. */
  digest: string
}

/** A dashboard that a principal may see. */
export interface OpenDashboard extends DashboardContents {
  /** Tests if the principal may change it. */
  canEdit(): Promise<boolean>
}

/** Identifies everything that decides the answers of a dashboard to a principal. */
export interface DashboardSignature {
  /**
   * Principals with the same signature get the same results of signed charts from the same requests. It contains the documents,
   * and the outcome of every check that a request runs.
   */
  text: string
  /** The others are refused, or depend on templates. */
  signedCharts: ReadonlySet<number>
}

const maxDashboards = 100

/** Opens dashboards, each read from the metadata store once until that changes. */
export class DashboardOpener {
  readonly #deps: ChartDeps
  readonly #contents = new LRUCache<string, { changes: number; found: Promise<DashboardContents | undefined> }>({
    max: maxDashboards,
  })

  constructor(deps: ChartDeps) {
    this.#deps = deps
  }

  /** @throws AppError `not_found`, also for dashboards that the principal may not see */
  open(principal: Principal, idOrSlug: string): Promise<OpenDashboard> {
    const { db, settings } = this.#deps
    return readCached(db, principal, JSON.stringify(['dashboard', idOrSlug]), async () => {
      const contents = await this.#readContents(idOrSlug)
      if (!contents) throw new AppError('not_found')
      const access = { db, principal, ...readViewerRules(settings) }
      const object = { kind: 'dashboard', id: contents.dashboard.id } as const
      if (!(await can(access, ['can_read', 'Dashboard'], object))) throw new AppError('not_found')
      return { ...contents, canEdit: () => can(access, ['can_write', 'Dashboard'], object) }
    })
  }

  /** Signs what a principal sees on a dashboard. */
  sign(principal: Principal, { dashboard, charts, digest }: OpenDashboard): Promise<DashboardSignature> {
    return readCached(this.#deps.db, principal, JSON.stringify(['dashboard signature', dashboard.id]), async () => {
      const byDataset = new Map<unknown, Promise<string | null>>()
      const parts = new Map<number, string | null>()
      for (const chart of charts.values()) {
        const resolved = await this.#resolveChart(principal, chart, dashboard.id)
        // Datasets are opened once for a principal, so that charts of the same one have the same document.
        const part = resolved && (byDataset.get(resolved.stored) ?? refusedAsNull(signDatasetAccess(resolved)))
        if (part) byDataset.set(resolved.stored, part)
        parts.set(chart.id, await part)
      }
      return {
        text: hash('sha256', JSON.stringify([digest, ...parts]), 'base64'),
        signedCharts: new Set([...parts].flatMap(([id, part]) => (part === null ? [] : [id]))),
      }
    })
  }

  /** Null when the principal may not read the data of the chart. */
  async #resolveChart(principal: Principal, chart: SavedChart, dashboardId: number) {
    return refusedAsNull(resolveQuery(buildChartContext(chart, dashboardId), this.#deps, principal))
  }

  #readContents(idOrSlug: string): Promise<DashboardContents | undefined> {
    const changes = changeCountOf(this.#deps.db)
    if (changes === undefined) return readContents(this.#deps, idOrSlug)
    const known = this.#contents.get(idOrSlug)
    if (known?.changes === changes) return known.found
    const entry = { changes, found: readContents(this.#deps, idOrSlug) }
    this.#contents.set(idOrSlug, entry)
    entry.found.then(
      (contents) => contents ?? this.#contents.delete(idOrSlug),
      () => this.#contents.delete(idOrSlug),
    )
    return entry.found
  }
}

/** Null instead of an error, which a request reports. */
const refusedAsNull = <T>(promise: Promise<T>): Promise<T | null> =>
  promise.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

async function readContents(deps: ChartDeps, idOrSlug: string): Promise<DashboardContents | undefined> {
  const lookup = /^\d+$/.test(idOrSlug) ? (['id', Number(idOrSlug)] as const) : (['slug', idOrSlug] as const)
  const dashboard = await deps.db
    .selectFrom('dashboard')
    .selectAll()
    .where(lookup[0], '=', lookup[1])
    .executeTakeFirst()
  if (!dashboard) return undefined
  const charts = await loadDashboardCharts(dashboard, deps)
  const filtered = toFilteredDashboard(dashboard, charts.keys(), deps.settings.flags)
  const digest = hash('sha256', JSON.stringify([dashboard, ...charts.values()]), 'base64')
  return { dashboard, charts, filtered, digest }
}
