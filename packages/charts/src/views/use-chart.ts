import { useEffect, useState, type ComponentType } from 'react'
import type { AnyChart } from '../define.ts'
import { chartEntry, loadChart } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { loadEngine } from './echarts/load.ts'
import { enqueueRender } from './render-queue.ts'
import type { ViewProps } from './view.ts'
import { views } from './views.gen.ts'

export interface LoadedChart {
  chart: AnyChart
  /** View of a chart that draws itself. */
  View: ComponentType<ViewProps> | null
}

const known = new Map<string, LoadedChart>()

async function load(viz_type: string): Promise<LoadedChart | 'unsupported'> {
  const entry = chartEntry(viz_type)
  if (!entry) return 'unsupported'
  const loadView = entry.plugin ? () => import('./plugin/PluginView.tsx') : views[entry.viz_type]
  const viewLoaded = loadView?.() ?? Promise.resolve(null)
  const [chart, view] = await Promise.all([loadChart(viz_type), viewLoaded, loadFamilies(entry.series)])
  if (!chart) return 'unsupported'
  const loaded = { chart, View: view?.default ?? null }
  known.set(viz_type, loaded)
  return loaded
}

/**
 * Prefetches the code of chart types while their data is loading: the code of each type with its usual series types, and the
 * shared plot code if any of them uses it. Failures are shown when a chart is drawn.
 */
export function prefetchCharts(vizTypes: Iterable<string>): void {
  const missing = [...new Set(vizTypes)].filter((viz_type) => !known.has(viz_type))
  for (const viz_type of missing) load(viz_type).catch(() => undefined)
  if (missing.some((viz_type) => chartEntry(viz_type)?.series.length)) loadEngine({}).catch(() => undefined)
}

/**
 * Returns the chart of a type; null while its code is loading, immediately if it was loaded before, and an error if its code
 * could not be fetched (CHART-043).
 */
export function useChart(viz_type: string): LoadedChart | 'unsupported' | Error | null {
  const [found, setFound] = useState<{ viz_type: string; chart: LoadedChart | 'unsupported' | Error } | null>(null)
  useEffect(() => {
    if (known.has(viz_type)) return
    let isCurrent = true
    const set = (chart: LoadedChart | 'unsupported' | Error) =>
      enqueueRender(() => isCurrent && setFound({ viz_type, chart }))
    load(viz_type).then(set, (error: unknown) => set(error instanceof Error ? error : new Error(String(error))))
    return () => {
      isCurrent = false
    }
  }, [viz_type])
  if (!chartEntry(viz_type)) return 'unsupported'
  return known.get(viz_type) ?? (found?.viz_type === viz_type ? found.chart : null)
}
