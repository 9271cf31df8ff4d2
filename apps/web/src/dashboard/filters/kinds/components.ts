import type { NativeFilter } from '@parquetry/model'
import type { ComponentType } from 'react'
import { lazyComponent } from '../../../shared/lazy-component.tsx'
import type { KindControlProps, FilterKind, KindSettingsProps } from './kind.ts'
import { kinds } from './kinds.gen.ts'
import { kindOf } from './registry.ts'
import ValueControl from './value/Control.tsx'
import value from './value/kind.ts'

// The usual kind comes with the page: its control alone would be a request that every dashboard waits for.
const controls = new Map<FilterKind, ComponentType<KindControlProps>>([
  ...kinds.map((kind) => [kind, lazyComponent(async () => (await kind.control()).default)] as const),
  [value, ValueControl],
])
const settings = new Map(
  kinds.flatMap((kind) => {
    const load = kind.settings
    return load ? [[kind, lazyComponent(async () => (await load()).default)] as const] : []
  }),
)

/** The control of a filter; its code comes when it is first shown, unless it is the usual one. */
export function controlComponentOf(filter: NativeFilter): ComponentType<KindControlProps> | undefined {
  const kind = kindOf(filter)
  return kind && controls.get(kind)
}

/** What can be set of a filter beyond what all have. */
export function settingsComponentOf(filter: NativeFilter): ComponentType<KindSettingsProps> | undefined {
  const kind = kindOf(filter)
  return kind && settings.get(kind)
}
