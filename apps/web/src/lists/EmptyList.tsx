import { Button, ButtonLink, EmptyState, Tag, useTranslate } from '@parquetry/ui'
import type { ListDefinition, ListRow } from './definition.ts'
import type { ListState } from './list-state.ts'
import styles from './lists.module.css'

export interface EmptyListProps {
  definition: ListDefinition<ListRow>
  state: ListState
  filtered: boolean
  mayCreate: boolean
  onRemove(name: string): void
  onClear(): void
}

/** Empty state of a list: nothing created yet, or no match for the filters, which appear as removable chips. */
export function EmptyList({ definition, state, filtered, mayCreate, onRemove, onClear }: EmptyListProps) {
  const t = useTranslate()
  const { firstUse, filters } = definition
  if (!filtered) {
    const { title, text, action } = firstUse
    return (
      <EmptyState
        title={title}
        actions={
          mayCreate &&
          action && (
            <ButtonLink variant="primary" icon="plus" href={action.href}>
              {action.label}
            </ButtonLink>
          )
        }
      >
        {text}
      </EmptyState>
    )
  }
  const active = filters.filter(({ name }) => state.filters[name] !== undefined)
  return (
    <EmptyState
      title={t('lists.nothing', 'No matches')}
      actions={<Button onClick={onClear}>{t('lists.clearFilters', 'Clear filters')}</Button>}
    >
      <span className={styles.chips}>
        {state.text.trim() && <Tag onRemove={() => onRemove('q')}>{`“${state.text.trim()}”`}</Tag>}
        {active.map(({ name, label }) => (
          <Tag key={name} onRemove={() => onRemove(name)}>
            {label}
          </Tag>
        ))}
      </span>
    </EmptyState>
  )
}
