import { MultiSelect, Select, useText } from '@parquetry/ui'
import { useMemo } from 'react'
import { useBoard } from '../../../state/context.ts'
import { isInverse, isMultiple, labelOfValue, listOf, selectEntry, valueOf, type FilterValue } from '../../mask.ts'
import { underParents } from '../../value-questions.ts'
import { keyOf, valueLoader, valueOfKey } from '../../values.ts'
import type { ControlProps } from '../kind.ts'
import { NotInParent } from './NotInParent.tsx'

/** Chooses among the values of a column, or types new ones where that is allowed. */
export default function ValueControl({ filter, entry, onChange }: ControlProps) {
  const t = useText()
  const dashboardId = useBoard(({ dashboard }) => dashboard.result.id)
  const mask = useBoard((state) => state.chosen)
  const above = underParents(filter, mask)
  // What the parents filter is all that the loader reads of the mask.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const load = useMemo(() => valueLoader(filter, dashboardId, mask), [filter, dashboardId, above])
  const values = listOf(valueOf(entry)) as FilterValue[]
  const put = (chosen: FilterValue[]) => onChange(selectEntry(filter, chosen))
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
          value={values.map(keyOf)}
          labelOf={(key) => labelOfValue(valueOfKey(key))}
          selectAll
          onChange={(keys) => put(keys.map(valueOfKey))}
        />
      ) : (
        <Select<string>
          {...common}
          clearable
          value={value === undefined ? null : keyOf(value)}
          selectedLabel={value === undefined ? undefined : labelOfValue(value)}
          onChange={(key) => put(key === null ? [] : [valueOfKey(key)])}
        />
      )}
      <NotInParent filter={filter} entry={entry} />
    </>
  )
}
