import type { Spec } from '../../define.ts'
import { entries } from './families.gen.ts'
import type { Family, SpecSeries } from './family.ts'

export interface FamilyModule {
  default: Family
  /** Of a kind that draws more than its code and the answer: fetches what a series says as its `needs`. */
  fetch?: (needs: string) => Promise<void>
}

/** Families by their kind: what `resolve` takes. */
export type Families = ReadonlyMap<string, Family>

const loaded = new Map<string, Family>()
const loadedKinds = new Set<string>()

/** Of a series that needs more than the code of its kind, `kind:needs`. */
export const listKinds = (spec: Spec): string[] => [
  ...new Set(((spec.series ?? []) as SpecSeries[]).map(({ type, needs }) => (needs ? `${type}:${needs}` : type))),
]

/** The families of these kinds when all that they need is here already, so that a second picture is drawn at once. */
export const getLoadedFamilies = (kinds: readonly string[]): Families | null =>
  kinds.every((kind) => loadedKinds.has(kind)) ? loaded : null

/** @throws Error for a kind that has no folder here */
export async function loadFamilies(kinds: readonly string[]): Promise<Families> {
  await Promise.all(
    kinds.map(async (kind) => {
      const [type = '', needs] = kind.split(':')
      if (!Object.hasOwn(entries, type)) throw new Error(unknown(type))
      const module = await entries[type]?.()
      if (needs) await module?.fetch?.(needs)
      loaded.set(type, module?.default as Family)
      loadedKinds.add(kind)
    }),
  )
  return loaded
}

export function requireFamily(families: Families, kind: string): Family {
  const family = families.get(kind)
  if (!family) throw new Error(unknown(kind))
  return family
}

const unknown = (kind: string) => `There is no kind of series “${kind}”.`
