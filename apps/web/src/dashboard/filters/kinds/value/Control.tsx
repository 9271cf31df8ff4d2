import { MultiSelect, Select, useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { useDashboardState } from '../../../state/context.ts'
import {
  isInverse,
  isMultiple,
  formatFilterValue,
  buildSelectEntry,
  chosenValuesOf,
  type ColumnValue,
} from '../../mask.ts'
import { buildParentKey } from '../../value-queries.ts'
import { toOptionKey, createValueLoader, loadAllValues, parseOptionKey } from '../../values.ts'
import type { KindControlProps } from '../kind.ts'
import { UnavailableValues } from './UnavailableValues.tsx'

/** Selects values of a column, or new ones if allowed. */
export default function ValueControl({ filter, entry, onChange }: KindControlProps) {
  const t = useTranslate()
  const dashboardId = useDashboardState(({ dashboard }) => dashboard.result.id)
  const mask = useDashboardState((state) => state.chosen)
  const above = buildParentKey(filter, mask)
  // The loader reads only the filters of the parents from the mask.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const load = useMemo(() => createValueLoader(filter, dashboardId, mask), [filter, dashboardId, above])
  const values = chosenValuesOf(entry)
  const applyValues = (chosen: ColumnValue[]) => onChange(buildSelectEntry(filter, chosen))
  const common = {
    load,
    prefix: isInverse(filter) ? t('dashboard.not', 'not') : undefined,
    placeholder: t('dashboard.anyValue', 'All'),
    freeText: filter.controlValues?.creatable !== false,
  }
  const [value] = values
  return (
    <>
      {isMultiple(filter) ? (
        <MultiSelect<string>
          {...common}
          value={values.map(toOptionKey)}
          labelOf={(key) => formatFilterValue(parseOptionKey(key))}
          selectAll
          loadAll={(search) => loadAllValues(filter, dashboardId, mask, search)}
          onChange={(keys) => applyValues(keys.map(parseOptionKey))}
        />
      ) : (
        <Select<string>
          {...common}
          clearable
          value={value === undefined ? null : toOptionKey(value)}
          selectedLabel={value === undefined ? undefined : formatFilterValue(value)}
          onChange={(key) => applyValues(key === null ? [] : [parseOptionKey(key)])}
        />
      )}
      <UnavailableValues filter={filter} entry={entry} />
    </>
  )
}
