import type { Dialect } from '../sql/dialect.ts'

/** Grain -> coarser grains whose periods consist of whole periods of it. */
const coarserGrains: Record<string, readonly string[]> = {
  PT1S: ['PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y'],
  PT1M: ['PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y'],
  PT1H: ['P1D', 'P1W', 'P1M', 'P3M', 'P1Y'],
  P1D: ['P1W', 'P1M', 'P3M', 'P1Y'],
  P1W: [],
  P1M: ['P3M', 'P1Y'],
  P3M: ['P1Y'],
  P1Y: [],
}

/** Approximate length of a period. */
export const grainSeconds: Readonly<Record<string, number>> = {
  PT1S: 1,
  PT1M: 60,
  PT1H: 3600,
  P1D: 86_400,
  P1W: 604_800,
  P1M: 2_629_746,
  P3M: 7_889_238,
  P1Y: 31_556_952,
}

export const isKnownGrain = (grain: string): boolean => Object.hasOwn(coarserGrains, grain)

/** Coarsest grain from which both can be computed. */
export function commonGrain(a: string, b: string): string {
  if (a === b || coarserGrains[a]?.includes(b)) return a
  if (coarserGrains[b]?.includes(a)) return b
  return 'P1D'
}

/** Uses days for coarser grains when the engine groups faster by days. */
export const rollupGrain = (grain: string, { groupedGrain }: Dialect): string =>
  !Object.hasOwn(groupedGrain, grain) && coarserGrains['P1D']?.includes(grain) && Object.hasOwn(groupedGrain, 'P1D')
    ? 'P1D'
    : grain
