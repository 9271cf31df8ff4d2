// Written by `npm run gen` from the folders beside it.
import type { FilterKind } from './kind.ts'
import value from './value/kind.ts'
import range from './range/kind.ts'
import timeRange from './time-range/kind.ts'
import divider from './divider/kind.ts'
import groupBy from './group-by/kind.ts'
import timeColumn from './time-column/kind.ts'
import timeGrain from './time-grain/kind.ts'

/** Kinds of filters, in the order in which they are offered. */
export const kinds: readonly FilterKind[] = [value, range, timeRange, divider, groupBy, timeColumn, timeGrain]
