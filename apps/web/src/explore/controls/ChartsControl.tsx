import { MultiSelect, useTranslate } from '@parquetry/ui'
import { useQueries } from '@tanstack/react-query'
import { sourceQuery, loadSources } from './annotation-sources.ts'

/** Selects saved charts by name. A chart that is deleted or not accessible appears by its id. */
export function ChartsControl({ value, onChange }: { value: readonly number[]; onChange(ids: number[]): void }) {
  const t = useTranslate()
  const found = useQueries({ queries: value.map((id) => sourceQuery({ sourceType: 'line', value: id })) })
  const names = new Map(value.map((id, index) => [id, found[index]?.data?.name]))
  return (
    <MultiSelect<number>
      value={value}
      onChange={onChange}
      load={loadSources('line')}
      labelOf={(id) => names.get(id) ?? t('explore.charts.number', 'Chart {id}', { id })}
      placeholder={t('explore.charts.none', 'Choose charts')}
    />
  )
}
