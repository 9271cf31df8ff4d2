import type { Resolved } from './resolve.ts'
import type { Surroundings } from './surroundings.ts'

export type Side = Resolved['legendPosition']

/** Pixels that a legend takes at this side of the picture; none where it stands beside the picture, as in the browser. */
export const legendRoom = (position: Side | undefined, side: Side, { legendInside }: Surroundings): number =>
  legendInside && position === side ? (side === 'top' || side === 'bottom' ? 28 : 120) : 0
