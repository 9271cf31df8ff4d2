import type { NativeFilter } from '@parquetry/model'
import type { ComponentType } from 'react'
import { lazyComponent } from '../../../shared/lazy-component.tsx'
import type { KindControlProps, FilterKind, KindSettingsProps } from './kind.ts'
import { kinds } from './kinds.gen.ts'
import { kindOf } from './registry.ts'
import ValueControl from './value/Control.tsx'
import value from './value/kind.ts'

// The most common kind is bundled with the page, because every dashboard would wait for a request for its control.
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

/** Control of a filter; its code loads on first use, unless it is the most common kind. */
export function controlComponentOf(filter: NativeFilter): ComponentType<KindControlProps> | undefined {
  const kind = kindOf(filter)
  return kind && controls.get(kind)
}

/** Settings of a filter beyond the common ones. */
export function settingsComponentOf(filter: NativeFilter): ComponentType<KindSettingsProps> | undefined {
  const kind = kindOf(filter)
  return kind && settings.get(kind)
}
