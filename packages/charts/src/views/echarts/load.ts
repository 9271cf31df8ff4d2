import type * as Engine from './engine.ts'

/** Rarely needed components, by their property in an option. Parts of series types are loaded with their families. */
const components: Record<string, () => Promise<unknown>> = {
  dataZoom: () => import('./data-zoom.ts'),
}

const loaded = new Set<string>()
let engine: typeof Engine | undefined

const listComponents = (option: Record<string, unknown>): string[] =>
  Object.keys(components).filter((word) => option[word])

/** Returns the engine if everything that the option needs is loaded, so that another chart draws immediately. */
export const getLoadedEngine = (option: Record<string, unknown>): typeof Engine | undefined =>
  listComponents(option).every((word) => loaded.has(word)) ? engine : undefined

export async function loadEngine(option: Record<string, unknown>): Promise<typeof Engine> {
  const missing = listComponents(option).filter((word) => !loaded.has(word))
  const [loadedEngine] = await Promise.all([import('./engine.ts'), ...missing.map((word) => components[word]?.())])
  engine = loadedEngine
  for (const word of missing) loaded.add(word)
  return loadedEngine
}

let isTooltipHere = false

/** Returns true if a new instance can show tooltips. */
export const hasTooltip = (): boolean => isTooltipHere

/** Loads tooltips and the axis pointer line: 20 KB that no chart needs before the pointer is used. */
export async function loadTooltip(): Promise<void> {
  await import('./show-tips.ts')
  isTooltipHere = true
}
