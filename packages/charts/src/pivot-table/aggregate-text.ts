import { controlTextIds } from '../catalog-ids.ts'
import type { Say } from '../resolve/words.ts'

/** Name of an aggregate in the user's language, as the control names it. */
export const aggregateText = (say: Say, aggregate: string): string =>
  say(controlTextIds('pivot_table_v2', 'aggregateFunction', `options.${aggregate}`)[1], aggregate)
