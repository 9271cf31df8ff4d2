import { chartEntries } from '@parquetry/charts'
import { MultiSelect, useTranslate, type LoadOptions } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'

const types = chartEntries
  .map(({ viz_type }) => viz_type)
  .filter((viz_type) => viz_type === 'mapbox' || (viz_type.startsWith('deck_') && viz_type !== 'deck_multi'))

const named = async (filters: { col: string; opr: string; value: unknown }[], page: number, signal: AbortSignal) => {
  const { result, count } = await api.get('/api/v1/chart/', {
    q: { page, page_size: 50, keys: ['none'], columns: ['id', 'slice_name'], filters: filters as never },
    signal,
  })
  return { options: result.map(({ id, slice_name }) => ({ value: id, label: slice_name ?? String(id) })), count }
}

const loadMaps: LoadOptions<number> = (search, page, signal) =>
  named(
    [
      { col: 'viz_type', opr: 'in', value: types },
      ...(search ? [{ col: 'slice_name', opr: 'ct', value: search }] : []),
    ],
    page,
    signal,
  )

/** Saved map charts in their stacking order. */
export function MapLayersControl({ value, onChange }: { value: readonly unknown[]; onChange(value: number[]): void }) {
  const t = useTranslate()
  const ids = value.map(Number).filter(Number.isSafeInteger)
  const names = useQuery({
    queryKey: ['laid-charts', ids],
    queryFn: ({ signal }) => named([{ col: 'id', opr: 'in', value: ids }], 0, signal),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })
  return (
    <MultiSelect<number>
      value={ids}
      onChange={onChange}
      load={loadMaps}
      labelOf={(id) => names.data?.options.find((option) => option.value === id)?.label}
      placeholder={t('explore.maps.pick', 'Choose map charts')}
    />
  )
}
