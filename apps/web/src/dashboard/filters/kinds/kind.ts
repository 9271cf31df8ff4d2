import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import type { IconName, Translate } from '@parquetry/ui'
import type { ComponentType } from 'react'
import type { LoadedDataset } from '../../data/calls.ts'

export interface KindControlProps {
  filter: NativeFilter
  entry: DataMaskEntry | undefined
  /** Of the filter, where a control is made of parts that no `Field` names. */
  name: string
  onChange(entry: DataMaskEntry): void
}

export interface KindSettingsProps {
  filter: NativeFilter
  /** The dashboard's other filters. */
  others: readonly NativeFilter[]
  onChange(filter: NativeFilter): void
}

/** Something that is missing in a filter, in the order of the form. */
export const faultNames = ['dataset', 'column', 'name', 'scope'] as const
export type FilterFault = (typeof faultNames)[number]

type TargetColumn = NonNullable<LoadedDataset['columns']>[number]

/** A kind of filter: a folder beside this file whose `kind.ts` says it, found by `npm run gen`. */
export interface FilterKind {
  /** As documents have it; null for what filters nothing. */
  filterType: string | null
  icon: IconName
  label(t: Translate): string
  /** What it stands on. */
  target: 'column' | 'dataset' | 'none'
  /** Whether it can stand on this column, where that is what it stands on. */
  fits?(column: TargetColumn): boolean
  /** How a new one begins, beyond what all have. */
  defaults: Partial<NativeFilter>
  /** The entry of the data mask for a value as this kind holds it; null and an empty list filter nothing. */
  entry(filter: NativeFilter, value: unknown): DataMaskEntry
  /** Feature flag without which none is made; those that are there work. */
  flag?: string
  /** Whether it can be asked what is left under the filters that it depends on. */
  hasValues?: boolean
  /** Its control is more than one line. */
  isTall?: boolean
  control(): Promise<{ default: ComponentType<KindControlProps> }>
  settings?(): Promise<{ default: ComponentType<KindSettingsProps> }>
}

export const defineKind = (kind: FilterKind): FilterKind => kind
