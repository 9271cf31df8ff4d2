import { findMissingInFilter } from '@parquetry/charts'
import type { MissingReference, NativeFilter } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { readBarSettings, type BarSettings } from './bar-settings.ts'
import { useMissingReferencesById } from '../../shared/missing-references/use-missing-references.ts'
import { createIdSuffix } from '../edit/new-nodes.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import {
  findDependentFilters,
  validateFilter,
  listNativeFilters,
  newFilter,
  reorder,
  withOnlyDataset,
} from './config.ts'
import { getKind } from './kinds/registry.ts'
import { targetDatasetOf } from './mask.ts'
import { useRemoval } from './use-removal.ts'
import { useSaveFilters } from './use-save-filters.ts'

export type FilterConfigState = ReturnType<typeof useFilterConfig>

/** State of the filter settings of a dashboard; saved immediately, separately from the layout. */
export function useFilterConfig(onClose: () => void) {
  const t = useTranslate()
  const dashboard = useDashboardState((state) => state.dashboard)
  const { datasets } = useDashboard()
  // Scopes are checked against the edited layout, but written for the stored one.
  const edited = useDashboardState(({ history }) => history.present)
  const nodes = dashboard.layout.nodes
  const [first] = useState(() => listNativeFilters(dashboard.metadata, nodes))
  const [filters, setFilters] = useState<readonly NativeFilter[]>(first)
  const [bar, setBar] = useState<BarSettings>(() => readBarSettings(dashboard.metadata))
  const [current, setCurrent] = useState<string | null>(first[0]?.id ?? null)
  const [wasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const removal = useRemoval((id) => setFilters((before) => before.filter((filter) => filter.id !== id)))

  const remaining = filters.filter(({ id }) => !removal.pending.has(id))
  const isDirty = JSON.stringify([remaining, bar]) !== JSON.stringify([first, readBarSettings(dashboard.metadata)])
  const invalid = remaining.filter((filter) => validateFilter(filter, edited).length > 0)

  const missingReferences = useMissingReferencesById(filters.flatMap((filter) => targetDatasetOf(filter) ?? []))

  const save = useSaveFilters(onClose)
  const addFilter = (filter: NativeFilter): void => {
    setFilters((before) => [...before, filter])
    setCurrent(filter.id)
  }
  /** A filter without a column is named after its kind. */
  const createFilter = (filterType: string | null): NativeFilter => {
    const filter = withOnlyDataset(newFilter(createIdSuffix(), filterType), datasets)
    if (filterType === null || getKind(filterType).target === 'column') return filter
    return { ...filter, name: getKind(filterType).label(t) }
  }
  /** NATF-011: reason why a filter cannot be removed; null if it can. */
  const findRemovalBlocker = (id: string): string | null => {
    const names = findDependentFilters(remaining, id).map(({ name }) => name)
    return names.length === 0
      ? null
      : t('dashboard.neededBy', 'The values of {names} depend on this filter. Remove the dependency first.', {
          names: names.join(', '),
        })
  }
  return {
    /** Includes filters being removed. */
    filters,
    remaining,
    isGoing: (id: string): boolean => removal.pending.has(id),
    /** A field is missing, and saving was tried. */
    isBad: (filter: NativeFilter): boolean => wasTried && invalid.includes(filter),
    /** Names that the filter uses but its dataset no longer has. */
    lostOf(filter: NativeFilter): MissingReference[] {
      const dataset = targetDatasetOf(filter)
      return dataset === undefined ? [] : findMissingInFilter(filter, dataset, missingReferences.get(dataset) ?? [])
    },
    wasTried,
    isDirty,
    isSaving: save.isPending,
    bar,
    setBar: (part: Partial<BarSettings>): void => setBar((before) => ({ ...before, ...part })),
    current,
    choose: (id: string): void => setCurrent(id),
    /** Reason why the last removal was refused. */
    refusal,
    forgetRefusal: (): void => setRefusal(null),
    /** @param filterType  null for a divider */
    add: (filterType: string | null): void => addFilter(createFilter(filterType)),
    change: (filter: NativeFilter): void =>
      setFilters((before) => before.map((each) => (each.id === filter.id ? filter : each))),
    move: (id: string, by: 1 | -1): void => setFilters((before) => reorder(before, id, by)),
    remove(id: string): void {
      const reason = findRemovalBlocker(id)
      if (reason === null) removal.start(id)
      else setRefusal(reason)
    },
    undo: removal.undo,
    submit(): void {
      setTried(true)
      const [bad] = invalid
      if (bad) setCurrent(bad.id)
      else if (isDirty) save.mutate({ filters: remaining, bar })
      else onClose()
    },
  }
}
