import type { Spec } from '../../define.ts'
import { entries } from './families.gen.ts'
import type { Family, SpecSeries } from './family.ts'

export interface FamilyModule {
  default: Family
}

/** Families by their kind: what `resolve` takes. */
export type Families = ReadonlyMap<string, Family>

const loaded = new Map<string, Family>()

export const kindsOf = (spec: Spec): string[] => [
  ...new Set(((spec.series ?? []) as SpecSeries[]).map(({ type }) => type)),
]

/** The families of these kinds when their code is here already, so that a second picture is drawn at once. */
export const familiesAtHand = (kinds: readonly string[]): Families | null =>
  kinds.every((kind) => loaded.has(kind)) ? loaded : null

/** @throws Error for a kind that has no folder here */
export async function loadFamilies(kinds: readonly string[]): Promise<Families> {
  await Promise.all(
    kinds.map(async (kind) => {
      if (!Object.hasOwn(entries, kind)) throw new Error(unknown(kind))
      loaded.set(kind, (await entries[kind]?.())?.default as Family)
    }),
  )
  return loaded
}

export function familyOf(families: Families, kind: string): Family {
  const family = families.get(kind)
  if (!family) throw new Error(unknown(kind))
  return family
}

const unknown = (kind: string) => `There is no kind of series “${kind}”.`
