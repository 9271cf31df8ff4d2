import type { Spec } from '../../define.ts'
import { entries } from './families.gen.ts'
import type { Family, SpecSeries } from './family.ts'

export interface FamilyModule {
  default: Family
  /** Fetches the `needs` of a series, for types that require more than their code and the response. */
  fetch?: (needs: string) => Promise<void>
}

/** Families by series type, as used by `resolve`. */
export type Families = ReadonlyMap<string, Family>

const loaded = new Map<string, Family>()
const loadedKinds = new Set<string>()

/** Series types of a spec; `kind:needs` for series that need more than the code of their type. */
export const listKinds = (spec: Spec): string[] => [
  ...new Set(((spec.series ?? []) as SpecSeries[]).map(({ type, needs }) => (needs ? `${type}:${needs}` : type))),
]

/** Families of these types if everything they need is loaded, so that another chart can be drawn immediately; otherwise null. */
export const getLoadedFamilies = (kinds: readonly string[]): Families | null =>
  kinds.every((kind) => loadedKinds.has(kind)) ? loaded : null

/** @throws Error for a type without a folder here */
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
