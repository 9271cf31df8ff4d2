import { findMissingReferences, canHaveMissingReferences, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { MissingReference } from '@parquetry/model'
import { createContext, use } from 'react'
import { formatMissingReference } from '../shared/missing-references/format-missing-reference.ts'
import { useMissingReferences } from '../shared/missing-references/use-missing-references.ts'
import type { ExploreDataset } from './use-explore.ts'

/** Names in the edited form that its dataset no longer has. */
export const MissingReferencesContext = createContext<readonly MissingReference[]>([])

/** Returns a function that describes a missing reference: who removed it, if known. */
export function useMissingReferenceText(): (
  kind: MissingReference['kind'],
  name: string | undefined,
  otherwise: string,
) => string {
  const missing = use(MissingReferencesContext)
  return (kind, name, otherwise) => {
    const found = missing.find((each) => each.kind === kind && each.name === name)
    return found ? formatMissingReference(found) : otherwise
  }
}

export function useMissingFormReferences(
  chart: AnyChart,
  form: ChartForm,
  dataset: ExploreDataset,
): readonly MissingReference[] {
  const isOfTable = dataset.type === 'table'
  const missing = useMissingReferences(dataset.id, isOfTable && canHaveMissingReferences(chart, form, dataset))
  return missing.length === 0 ? missing : findMissingReferences(chart, form, missing)
}
