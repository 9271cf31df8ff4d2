import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import type { IconName, Translate } from '@parquetry/ui'
import type { ComponentType } from 'react'
import type { LoadedDataset } from '../../data/calls.ts'

export interface KindControlProps {
  filter: NativeFilter
  entry: DataMaskEntry | undefined
  /** Name of the filter, for controls with several parts that no `Field` labels. */
  name: string
  onChange(entry: DataMaskEntry): void
}

export interface KindSettingsProps {
  filter: NativeFilter
  /** The dashboard's other filters. */
  others: readonly NativeFilter[]
  onChange(filter: NativeFilter): void
}

/** Fields that can be missing, in the order of the form. */
export const faultNames = ['dataset', 'column', 'name', 'scope'] as const
export type FilterFault = (typeof faultNames)[number]

type TargetColumn = NonNullable<LoadedDataset['columns']>[number]

/** A kind of filter: a folder beside this file whose `kind.ts` defines it, found by `npm run gen`. */
export interface FilterKind {
  /** Type in documents; null if it does not filter. */
  filterType: string | null
  icon: IconName
  label(t: Translate): string
  /** Target of the filter. */
  target: 'column' | 'dataset' | 'none'
  /** True if the column can be a target, for kinds that target columns. */
  fits?(column: TargetColumn): boolean
  /** Initial fields of a new filter, beyond the common ones. */
  defaults: Partial<NativeFilter>
  /** Data mask entry for a value of this kind; null and an empty list do not filter. */
  entry(filter: NativeFilter, value: unknown): DataMaskEntry
  /** Feature flag required to create one; existing ones work without it. */
  flag?: string
  /** True if it can query which values remain under its parent filters. */
  hasValues?: boolean
  /** True if its control needs more than one line. */
  isTall?: boolean
  control(): Promise<{ default: ComponentType<KindControlProps> }>
  settings?(): Promise<{ default: ComponentType<KindSettingsProps> }>
}

export const defineKind = (kind: FilterKind): FilterKind => kind
