import { Button, Menu, SegmentedControl, Select, TextInput, useTranslate } from '@parquetry/ui'
import type { SubjectType } from '@parquetry/model'
import { useEffect, useState } from 'react'
import { useDebounced } from '../shared/use-debounced.ts'
import { loadSubjectsOfType, useSubjectName } from '../shared/subject-options.ts'
import { isAccountResource, type RelatedResource, type Resource } from '../shared/use-resource.ts'
import type { ListFilter } from './definition.ts'
import type { ListState } from './list-state.ts'
import { loadTags, useTagName } from '../shared/tags/tag-options.ts'
import { hasDistinct, loadDistinct, loadRelated, useRelatedName } from '../shared/related-options.ts'
import styles from './lists.module.css'

/** CONST-023 */
const searchDelayMs = 250

export interface ListFiltersProps {
  resource: Resource
  filters: readonly ListFilter[]
  searchLabel: string
  state: ListState
  onText(text: string): void
  onFilter(name: string, value: string | null): void
  cards: boolean
  /** Undefined if there is only one view. */
  onCards: ((cards: boolean) => void) | undefined
}

/** Search field, filters and the switch between table and cards. */
export function ListFilters(props: ListFiltersProps) {
  const { resource, filters, searchLabel, state, onText, onFilter, cards, onCards } = props
  const t = useTranslate()
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = filters.filter(({ name, secondary }) => !secondary || state.filters[name] || added.includes(name))
  const hidden = filters.filter((filter) => !shown.includes(filter))
  return (
    <div className={styles.toolbar} role="search">
      <SearchField label={searchLabel} text={state.text} onText={onText} />
      {shown.map((filter) => (
        <OneFilter
          key={filter.name}
          resource={resource}
          filter={filter}
          value={state.filters[filter.name] ?? null}
          onChange={(value) => onFilter(filter.name, value)}
        />
      ))}
      {hidden.length > 0 && (
        <Menu
          label={t('lists.filter.more', 'More filters')}
          items={hidden.map(({ name, label, kind }) => ({
            label,
            onSelect: () => (kind === 'toggle' ? onFilter(name, 'true') : setAdded([...added, name])),
          }))}
        >
          <Button variant="quiet" icon="plus">
            {t('lists.filter.add', 'Filter')}
          </Button>
        </Menu>
      )}
      {onCards && (
        <span className={styles.view}>
          <SegmentedControl
            label={t('lists.view', 'View')}
            value={cards ? 'card' : 'table'}
            iconsOnly
            onChange={(value) => onCards(value === 'card')}
            options={[
              { value: 'table', label: t('lists.view.table', 'Table'), icon: 'list' },
              { value: 'card', label: t('lists.view.cards', 'Cards'), icon: 'cards' },
            ]}
          />
        </span>
      )}
    </div>
  )
}

function SearchField({ label, text, onText }: { label: string; text: string; onText(text: string): void }) {
  const [typed, setTyped] = useState(text)
  const debounced = useDebounced(typed, searchDelayMs)
  // The address changed by Back or "Clear filters".
  const [known, setKnown] = useState(text)
  if (text !== known) {
    setKnown(text)
    if (text !== typed.trim()) setTyped(text)
  }
  useEffect(() => {
    if (debounced.trim() !== text && debounced === typed) onText(debounced.trim())
    // Only typing triggers a new search.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [debounced])
  return (
    <TextInput
      type="search"
      icon="search"
      className={styles.search ?? ''}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={setTyped}
      clearable
      data-search
    />
  )
}

interface OneFilterProps {
  resource: Resource
  filter: ListFilter
  value: string | null
  onChange(value: string | null): void
}

function OneFilter({ resource, filter, value, onChange }: OneFilterProps) {
  const { label, kind, options, freeText, column = '' } = filter
  if (kind === 'toggle') {
    return (
      <Button
        variant="secondary"
        className={styles.toggle}
        aria-pressed={value === 'true'}
        {...(value === 'true' && { icon: 'check' as const })}
        onClick={() => onChange(value === 'true' ? null : 'true')}
      >
        {label}
      </Button>
    )
  }
  if (kind === 'choice') {
    return (
      <Select
        compact
        clearable
        aria-label={label}
        placeholder={label}
        prefix={`${label}:`}
        value={value}
        options={options ?? []}
        freeText={freeText === true}
        onChange={onChange}
      />
    )
  }
  if (kind === 'tag') return <TagFilter filter={filter} value={value} onChange={onChange} />
  if (kind === 'subject') return <SubjectFilter filter={filter} value={value} onChange={onChange} />
  if (isAccountResource(resource)) return null
  if (kind === 'distinct' && hasDistinct(resource)) {
    return (
      <Select
        compact
        clearable
        aria-label={label}
        placeholder={label}
        prefix={`${label}:`}
        value={value}
        load={loadDistinct(resource, column)}
        onChange={onChange}
      />
    )
  }
  return <RelatedFilter resource={resource} filter={filter} value={value} onChange={onChange} />
}

function TagFilter({ filter: { label }, value, onChange }: Omit<OneFilterProps, 'resource'>) {
  const t = useTranslate()
  const name = useTagName(value)
  return (
    <Select
      compact
      clearable
      aria-label={label}
      placeholder={label}
      prefix={`${label}:`}
      value={value}
      selectedLabel={name}
      load={loadTags('id')}
      nothing={t('tags.nothing', 'No tags found')}
      onChange={onChange}
    />
  )
}

/** Chooses a user, a role or a group; the column of the filter says which. */
function SubjectFilter({ filter, value, onChange }: Omit<OneFilterProps, 'resource'>) {
  const { label, column } = filter
  const type = column as SubjectType
  const name = useSubjectName(type, value)
  return (
    <Select
      compact
      clearable
      aria-label={label}
      placeholder={label}
      prefix={`${label}:`}
      value={value}
      selectedLabel={name}
      load={loadSubjectsOfType(type)}
      onChange={onChange}
    />
  )
}

function RelatedFilter({ resource, filter, value, onChange }: OneFilterProps & { resource: RelatedResource }) {
  const { label, column = '' } = filter
  const name = useRelatedName(resource, column, value)
  return (
    <Select
      compact
      clearable
      aria-label={label}
      placeholder={label}
      prefix={`${label}:`}
      value={value}
      selectedLabel={name}
      load={loadRelated(resource, column)}
      onChange={onChange}
    />
  )
}
