import { loadStoredForm, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { suggestForms, type SuggestionDataset, type Suggestion } from './suggest-forms.ts'
import { fetchTableFacts } from './table-facts.ts'

export interface SuggestedChart {
  suggestion: Suggestion
  chart: AnyChart
  form: ChartForm
}

/** Suggests charts of a dataset and loads their chart types. */
export async function suggestCharts(
  dataset: SuggestionDataset & Pick<DatasetObject, 'id' | 'type'>,
  signal?: AbortSignal,
): Promise<SuggestedChart[]> {
  const suggestions = suggestForms(dataset, await fetchTableFacts(dataset, signal))
  const opened = await Promise.all(
    suggestions.map(async (suggestion) => ({ suggestion, opened: await loadStoredForm(suggestion.form, dataset) })),
  )
  return opened.flatMap(({ suggestion, opened: found }) => (found ? [{ suggestion, ...found }] : []))
}

const versions = new WeakMap<object, number>()
let latest = 0

/**
 * Version number of a response part, which is a new object when it changes: a key of thousands of columns would be serialized at
 * each render.
 */
function versionOf(part: object | undefined): number {
  if (part === undefined) return 0
  const version = versions.get(part) ?? (latest += 1)
  versions.set(part, version)
  return version
}

/**
 * Fetched once, when shown.
 * @param dataset  as returned by the API: unchanged parts are the same objects
 */
export const useSuggestedCharts = (dataset: SuggestionDataset & Pick<DatasetObject, 'id' | 'type'>) =>
  useQuery({
    queryKey: ['first-pictures', dataset.type, dataset.id, versionOf(dataset.columns), versionOf(dataset.verbose_map)],
    queryFn: ({ signal }) => suggestCharts(dataset, signal),
    staleTime: Infinity,
    retry: false,
  })
