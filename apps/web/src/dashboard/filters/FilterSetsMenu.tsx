import type { FilterSet } from '@parquetry/model'
import { Button, confirm, Menu, useTranslate, type MenuItem } from '@parquetry/ui'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { useFilterSets } from './use-filter-sets.ts'
import type { FilterBarState } from './use-filter-bar.ts'

const FilterSetNameDialog = lazyComponent(async () => (await import('./FilterSetNameDialog.tsx')).FilterSetNameDialog)

export interface FilterSetsMenuProps {
  bar: FilterBarState
  /** Filter set named in a link. */
  first: number | undefined
}

/** Saved states of the filters: apply, save as new, rename, update, delete. */
export function FilterSetsMenu({ bar, first }: FilterSetsMenuProps) {
  const t = useTranslate()
  const [isWanted, setWanted] = useState(first !== undefined)
  const sets = useFilterSets(bar, first, isWanted)
  const [naming, setNaming] = useState<FilterSet | 'new' | null>(null)
  const { set, isChanged } = sets
  const remove = async (filterSet: FilterSet): Promise<void> => {
    const yes = await confirm({
      title: t('dashboard.removeSet', 'Delete filter set “{name}”?', { name: filterSet.name }),
      body:
        filterSet.owner_type === 'Dashboard'
          ? t('dashboard.removeSharedSet', 'It is shared with all users of the dashboard.')
          : t('dashboard.removeOwnSet', 'This cannot be undone.'),
      action: t('dashboard.delete', 'Delete filter set'),
    })
    if (yes) sets.remove.mutate(filterSet)
  }
  const items: MenuItem[] = [
    ...sets.sets.map((each) => ({
      label:
        each.owner_type === 'Dashboard' ? t('dashboard.sharedSet', '{name} (shared)', { name: each.name }) : each.name,
      checked: each.id === set?.id,
      onSelect: () => sets.apply(each),
    })),
    ...(sets.sets.length > 0 ? (['divider'] as const) : []),
    { label: t('dashboard.saveSet', 'Save as new filter set'), icon: 'plus', onSelect: () => setNaming('new') },
    ...(set && sets.mayChange(set)
      ? ([
          ...(isChanged
            ? [
                {
                  label: t('dashboard.updateSet', 'Update “{name}”', { name: set.name }),
                  icon: 'save' as const,
                  onSelect: () => sets.update.mutate({ set: set.id }),
                },
              ]
            : []),
          {
            label: t('dashboard.renameSet', 'Rename “{name}”', { name: set.name }),
            icon: 'edit',
            onSelect: () => setNaming(set),
          },
          {
            label: t('dashboard.deleteSet', 'Delete “{name}”', { name: set.name }),
            icon: 'trash',
            danger: true,
            onSelect: () => void remove(set),
          },
        ] satisfies MenuItem[])
      : []),
  ]
  const label = t('dashboard.sets', 'Sets')
  const name = set && (isChanged ? t('dashboard.changedSet', '{name} (modified)', { name: set.name }) : set.name)
  return (
    <>
      <Menu
        items={
          sets.isKnown ? items : [{ label: t('dashboard.setsLoading', 'Loading filter sets…'), disabledReason: '' }]
        }
        label={t('dashboard.filterSets', 'Filter sets')}
        onOpenChange={() => setWanted(true)}
      >
        <Button
          variant="quiet"
          icon="save"
          onPointerEnter={() => setWanted(true)}
          onFocus={() => setWanted(true)}
          aria-label={name ? `${label}: ${name}` : t('dashboard.filterSets', 'Filter sets')}
        >
          {name ?? label}
        </Button>
      </Menu>
      {naming !== null && (
        <Suspense>
          <FilterSetNameDialog
            before={naming === 'new' ? null : naming}
            mayShare={sets.mayShare}
            isBusy={sets.create.isPending || sets.update.isPending}
            onClose={() => setNaming(null)}
            onSave={(text, isShared) => {
              const onSuccess = () => setNaming(null)
              if (naming === 'new') sets.create.mutate({ name: text, isShared }, { onSuccess })
              else sets.update.mutate({ set: naming.id, name: text }, { onSuccess })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
