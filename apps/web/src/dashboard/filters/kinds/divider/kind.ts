import { emptyEntry } from '../../mask.ts'
import { defineKind } from '../kind.ts'

/** A title between filters, not a filter. */
export default defineKind({
  filterType: null,
  icon: 'divider',
  label: (t) => t('dashboard.divider', 'Divider'),
  target: 'none',
  defaults: {},
  entry: emptyEntry,
  control: () => import('./Control.tsx'),
})
