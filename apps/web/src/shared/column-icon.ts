import type { IconName } from '@parquetry/ui'

/** Icons by `type_generic`: number, text, time, boolean. */
export const columnIcon = (
  column: { type_generic?: number | null; is_dttm?: boolean | null } | undefined,
): IconName => {
  if (column?.is_dttm || column?.type_generic === 2) return 'clock'
  if (column?.type_generic === 0) return 'number'
  if (column?.type_generic === 3) return 'boolean'
  return column ? 'text' : 'function'
}
