import type * as Engine from './engine.ts'

/** One lazy chunk per family; what a picture needs is read off its option. */
const families: Record<string, () => Promise<unknown>> = {
  line: () => import('./line.ts'),
  bar: () => import('./bar.ts'),
  pie: () => import('./pie.ts'),
  scatter: () => import('./scatter.ts'),
  dataZoom: () => import('./data-zoom.ts'),
}

const loaded = new Set<string>()
let engine: typeof Engine | undefined

const wanted = (option: Record<string, unknown>): string[] => [
  ...new Set((option.series as { type: string }[]).map(({ type }) => type)),
  ...(option.dataZoom ? ['dataZoom'] : []),
]

/** The engine when everything that the option needs is here already, so that a second chart draws at once. */
export const engineFor = (option: Record<string, unknown>): typeof Engine | undefined =>
  wanted(option).every((family) => loaded.has(family)) ? engine : undefined

export async function loadFor(option: Record<string, unknown>): Promise<typeof Engine> {
  const missing = wanted(option).filter((family) => !loaded.has(family))
  const [made] = await Promise.all([import('./engine.ts'), ...missing.map((family) => families[family]?.())])
  engine = made
  for (const family of missing) loaded.add(family)
  return made
}
