import type { NativeFilter } from '@parquetry/model'
import { Button, Checkbox, Icon, IconButton, Menu, SegmentedControl, useTranslate } from '@parquetry/ui'
import type { KeyboardEvent } from 'react'
import { boot } from '../../shared/boot.ts'
import { formatMissingReference } from '../../shared/missing-references/format-missing-reference.ts'
import { kindOf, listAvailableKinds } from './kinds/registry.ts'
import { isDivider } from './mask.ts'
import type { ApplyMode, Orientation } from './bar-settings.ts'
import type { FilterConfigState } from './use-filter-config.ts'
import styles from './FilterConfig.module.css'

/** Lists the filters in order, with buttons to add one and the choice of when they apply. */
export function FilterList({ config }: { config: FilterConfigState }) {
  const t = useTranslate()
  const { filters, add, bar, setBar } = config
  const flags = boot.common.feature_flags
  const addItems = listAvailableKinds(flags).map(({ filterType, icon, label }) => ({
    label: label(t),
    icon,
    onSelect: () => add(filterType),
  }))
  return (
    <div className={styles.side}>
      <ul className={styles.list} aria-label={t('dashboard.filters', 'Filters')}>
        {filters.map((filter) => (
          <li key={filter.id} className={styles.entry} data-current={filter.id === config.current || undefined}>
            <Entry filter={filter} config={config} />
          </li>
        ))}
      </ul>
      <div className={styles.add}>
        <Menu items={addItems} label={t('dashboard.addFilter', 'Add filter')}>
          <Button icon="plus">{t('dashboard.filter', 'Filter')}</Button>
        </Menu>
        <Button icon="plus" variant="quiet" onClick={() => add(null)}>
          {t('dashboard.divider', 'Divider')}
        </Button>
      </div>
      <div className={styles.mode}>
        <span>{t('dashboard.applyMode', 'Apply filters')}</span>
        <SegmentedControl<ApplyMode>
          value={bar.mode}
          onChange={(mode) => setBar({ mode })}
          label={t('dashboard.applyMode', 'Apply filters')}
          options={[
            { value: 'at_once', label: t('dashboard.atOnce', 'Immediately') },
            { value: 'button', label: t('dashboard.byButton', 'On Apply') },
          ]}
        />
        {flags.HORIZONTAL_FILTER_BAR === true && (
          <>
            <span>{t('dashboard.barPlace', 'Filter bar position')}</span>
            <SegmentedControl<Orientation>
              value={bar.orientation}
              onChange={(orientation) => setBar({ orientation })}
              label={t('dashboard.barPlace', 'Filter bar position')}
              options={[
                { value: 'VERTICAL', label: t('dashboard.barVertical', 'Left') },
                { value: 'HORIZONTAL', label: t('dashboard.barHorizontal', 'Top') },
              ]}
            />
          </>
        )}
        {flags.DASHBOARD_CROSS_FILTERS === true && (
          <Checkbox
            checked={bar.crossFilters}
            onChange={(crossFilters) => setBar({ crossFilters })}
            label={t('dashboard.crossFiltersOn', 'Cross-filter charts on click')}
          />
        )}
      </div>
    </div>
  )
}

function Entry({ filter, config }: { filter: NativeFilter; config: FilterConfigState }) {
  const t = useTranslate()
  const { id } = filter
  const name = (isDivider(filter) ? filter.title : filter.name) || t('dashboard.unnamed', 'Unnamed')
  const missing = config.lostOf(filter)
  if (config.isGoing(id))
    return (
      <span className={styles.going}>
        {t('dashboard.removedFilter', '{name} removed', { name })}
        <Button variant="quiet" onClick={() => config.undo(id)}>
          {t('dashboard.undo', 'Undo')}
        </Button>
      </span>
    )
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined
    if (!by || !event.altKey) return
    event.preventDefault()
    config.move(id, by)
  }
  return (
    <>
      <button
        type="button"
        className={styles.name}
        aria-current={id === config.current || undefined}
        aria-description={t('dashboard.orderHow', 'Press Alt plus Up or Down arrow to change the order.')}
        onClick={() => config.choose(id)}
        onKeyDown={onKeyDown}
      >
        <Icon name={kindOf(filter)?.icon ?? 'filter'} />
        <span>{name}</span>
        {config.isBad(filter) ? (
          <Icon name="warning" label={t('dashboard.incomplete', 'Incomplete')} />
        ) : (
          missing.length > 0 && <Icon name="warning" label={missing.map(formatMissingReference).join(' ')} />
        )}
      </button>
      <IconButton
        icon="trash"
        label={t('dashboard.removeFilter', 'Remove {name}', { name })}
        onClick={() => config.remove(id)}
      />
    </>
  )
}
