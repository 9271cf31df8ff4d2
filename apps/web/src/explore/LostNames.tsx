import { lostIn, mayNameLost, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { LostName } from '@parquetry/model'
import { createContext, use } from 'react'
import { lostWords } from '../shared/lost-names/lost-words.ts'
import { useLostNames } from '../shared/lost-names/use-lost-names.ts'
import type { ExploreDataset } from './use-explore.ts'

/** Names in the form being edited that its dataset had, and has no more. */
export const LostNamesContext = createContext<readonly LostName[]>([])

/** What is wrong with a name that is gone: who took it away, where that is known. */
export function useMissingWords(): (kind: LostName['kind'], name: string | undefined, otherwise: string) => string {
  const lost = use(LostNamesContext)
  return (kind, name, otherwise) => {
    const found = lost.find((each) => each.kind === kind && each.name === name)
    return found ? lostWords(found) : otherwise
  }
}

export function useLostInForm(chart: AnyChart, form: ChartForm, dataset: ExploreDataset): readonly LostName[] {
  const isOfTable = dataset.type === 'table'
  const lost = useLostNames(dataset.id, isOfTable && mayNameLost(chart, form, dataset))
  return lost.length === 0 ? lost : lostIn(chart, form, lost)
}
