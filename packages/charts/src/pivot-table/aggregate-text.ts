import { controlTextIds } from '../catalog-ids.ts'
import type { Translate } from '../resolve/text.ts'

/** Name of an aggregate in the user's language, as in the control. */
export const aggregateText = (say: Translate, aggregate: string): string =>
  say(controlTextIds('pivot_table_v2', 'aggregateFunction', `options.${aggregate}`)[1], aggregate)
