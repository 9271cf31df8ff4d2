import type { DynamicPlugin } from '@parquetry/model'

/** In the storage of the tab while a module runs: an entry that is there after a reload belongs to a module that froze the page. */
const keyOf = ({ bundle_url }: DynamicPlugin): string => `parquetry.plugin ${bundle_url}`

/** The charts whose module runs at the moment, by key. */
const running = new Map<string, Set<object>>()

export function markStarted(plugin: DynamicPlugin, chart: object): void {
  const key = keyOf(plugin)
  running.set(key, (running.get(key) ?? new Set()).add(chart))
  sessionStorage.setItem(key, '1')
}

/** Also for a chart that has not been started. */
export function markFinished(plugin: DynamicPlugin, chart: object): void {
  const key = keyOf(plugin)
  const charts = running.get(key)
  charts?.delete(chart)
  if (charts?.size === 0) {
    running.delete(key)
    sessionStorage.removeItem(key)
  }
}

/** True if the module was running when this tab left its last page without a chance to end it. */
export const isUnfinished = (plugin: DynamicPlugin): boolean =>
  !running.has(keyOf(plugin)) && sessionStorage.getItem(keyOf(plugin)) !== null

// A page that can still run this code has not been frozen.
addEventListener('pagehide', () => {
  for (const key of running.keys()) sessionStorage.removeItem(key)
})
