import type * as Engine from './engine.ts'

/** Components that few pictures have, by their word in an option. What kinds of series need comes with their families. */
const components: Record<string, () => Promise<unknown>> = {
  dataZoom: () => import('./data-zoom.ts'),
}

const loaded = new Set<string>()
let engine: typeof Engine | undefined

const listComponents = (option: Record<string, unknown>): string[] =>
  Object.keys(components).filter((word) => option[word])

/** The engine when everything that the option needs is here already, so that a second chart draws at once. */
export const getLoadedEngine = (option: Record<string, unknown>): typeof Engine | undefined =>
  listComponents(option).every((word) => loaded.has(word)) ? engine : undefined

export async function loadEngine(option: Record<string, unknown>): Promise<typeof Engine> {
  const missing = listComponents(option).filter((word) => !loaded.has(word))
  const [made] = await Promise.all([import('./engine.ts'), ...missing.map((word) => components[word]?.())])
  engine = made
  for (const word of missing) loaded.add(word)
  return made
}

let isTooltipHere = false

/** Whether an instance that is made now can show a tooltip. */
export const hasTooltip = (): boolean => isTooltipHere

/** What shows tooltips, and the line at the pointer: 20 KB that no picture needs before somebody points at it. */
export async function loadTooltip(): Promise<void> {
  await import('./show-tips.ts')
  isTooltipHere = true
}
