import { defineChart } from '../define.ts'
import { form, fromLegacyPivotTable } from './form.ts'
import { pivotQuery } from './query.ts'
import { pivotSpec, type PivotSpec } from './spec.ts'

/** Values by row and column dimensions, with totals. `cells` has one row per combination. */
export default defineChart({
  viz_type: 'pivot_table_v2',
  name: 'Pivot Table',
  category: 'Table',
  tags: ['Additive', 'Report', 'Tabular', 'Popular'],
  description: 'Summarizes values by rows and columns, with subtotals and totals.',
  icon: 'M2.5 2.5h11v11h-11zM2.5 6h11M6 2.5v11M8.6 11.2h2.6V8.6M8.6 11.2l1-1M8.6 11.2l1 1',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: (settings) => ({ cells: pivotQuery(settings) }),
  spec: ({ cells }, settings, context): PivotSpec => pivotSpec(settings, cells?.rows ?? 0, context),
  replaces: { pivot_table: fromLegacyPivotTable },
})
