import { Button, Checkbox, EmptyState, Icon, SegmentedControl, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useId, useState, type ReactNode } from 'react'
import { loadRelatedRoles } from './load-roles.ts'
import type { DescribedArea, DescribedPermission, PermissionPair } from './permission-texts.ts'
import styles from './roles.module.css'

type Shown = 'all' | 'granted' | 'different'

interface ComparedRole {
  id: number
  name: string
  held: ReadonlySet<number>
}

interface PermissionMatrixProps {
  /** Id of the role. */
  id: number
  name: string
  areas: readonly DescribedArea[]
  isHeld(id: number): boolean
  /** Changed, but not saved yet. */
  isChanged(id: number): boolean
  /** Why the permissions cannot be changed. */
  fixed: ReactNode
  onChange(pairs: readonly PermissionPair[], held: boolean): void
  compared: ComparedRole | null
  onCompare(id: number | null): void
}

/** Feature permissions by area, with what each of them allows. */
export function PermissionMatrix({
  id,
  name,
  areas,
  isHeld,
  isChanged,
  fixed,
  onChange,
  compared,
  onCompare,
}: PermissionMatrixProps) {
  const t = useTranslate()
  const [filter, setFilter] = useState('')
  const [wanted, setWanted] = useState<Shown>('all')
  const shown = wanted === 'different' && !compared ? 'all' : wanted
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (area: DescribedArea, pair: DescribedPermission): boolean => {
    const text = `${area.label} ${pair.text} ${pair.name} ${pair.view}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return false
    // Changed ones stay in place until they are saved.
    if (isChanged(pair.id)) return true
    if (shown === 'granted') return isHeld(pair.id)
    return shown === 'all' || isHeld(pair.id) !== compared?.held.has(pair.id)
  }
  const visible = areas
    .map((area) => ({ ...area, matching: area.pairs.filter((pair) => matches(area, pair)) }))
    .filter(({ matching }) => matching.length > 0)
  const count = visible.reduce((sum, { matching }) => sum + matching.length, 0)
  return (
    <>
      <div className={styles.toolbar}>
        <TextInput
          className={styles.search}
          icon="search"
          type="search"
          clearable
          aria-label={t('roles.matrix.filter', 'Filter permissions')}
          placeholder={t('roles.matrix.filter', 'Filter permissions')}
          value={filter}
          onChange={setFilter}
        />
        <SegmentedControl<Shown>
          label={t('roles.matrix.shown', 'Shown permissions')}
          value={shown}
          onChange={setWanted}
          options={[
            { value: 'all', label: t('roles.matrix.all', 'All') },
            { value: 'granted', label: t('roles.matrix.granted', 'Granted') },
            ...(compared ? [{ value: 'different' as const, label: t('roles.matrix.different', 'Differences') }] : []),
          ]}
        />
        <Select<string>
          compact
          clearable
          aria-label={t('roles.matrix.compare', 'Compare with')}
          placeholder={t('roles.matrix.compare', 'Compare with')}
          prefix={`${t('roles.matrix.compare', 'Compare with')}:`}
          value={compared ? String(compared.id) : null}
          selectedLabel={compared?.name}
          load={loadRelatedRoles(id)}
          onChange={(value) => {
            setWanted(value === null ? 'all' : 'different')
            onCompare(value === null ? null : Number(value))
          }}
        />
        <p role="status" className={styles.count}>
          {t('roles.matrix.count', '{n, plural, one {# permission} other {# permissions}}', { n: count })}
        </p>
      </div>
      {fixed}
      {visible.length === 0 ? (
        <EmptyState
          inline
          title={
            shown === 'different' && words.length === 0
              ? t('roles.matrix.same', 'No differences')
              : shown === 'granted' && words.length === 0
                ? t('roles.matrix.nothing', 'No permissions granted')
                : t('roles.matrix.noMatch', 'Nothing matches')
          }
          actions={
            <Button
              onClick={() => {
                setFilter('')
                setWanted('all')
              }}
            >
              {t('roles.matrix.showAll', 'Show all permissions')}
            </Button>
          }
        >
          {shown === 'different' && words.length === 0 && compared
            ? t('roles.matrix.sameText', '{name} and {other} have the same feature permissions.', {
                name,
                other: compared.name,
              })
            : undefined}
        </EmptyState>
      ) : (
        visible.map((area) => (
          <Area
            key={area.id}
            area={area}
            pairs={area.matching}
            isHeld={isHeld}
            isFixed={fixed !== null}
            onChange={onChange}
            compared={compared}
          />
        ))
      )}
    </>
  )
}

interface AreaProps extends Pick<PermissionMatrixProps, 'isHeld' | 'onChange' | 'compared'> {
  area: DescribedArea
  /** Those that match the filter. */
  pairs: readonly DescribedPermission[]
  isFixed: boolean
}

function Area({ area, pairs, isHeld, isFixed, onChange, compared }: AreaProps) {
  const t = useTranslate()
  const id = useId()
  const granted = area.pairs.filter((pair) => isHeld(pair.id)).length
  const matching = pairs.filter((pair) => isHeld(pair.id)).length
  return (
    <section className={styles.area} aria-labelledby={id}>
      <header className={styles.areaHeader}>
        {!isFixed && (
          <Checkbox
            aria-label={t('roles.matrix.areaAll', 'Grant everything shown under {area}', { area: area.label })}
            checked={matching === pairs.length}
            mixed={matching > 0 && matching < pairs.length}
            onChange={(held) => onChange(pairs, held)}
          />
        )}
        <h2 id={id}>{area.label}</h2>
        <span className={styles.count}>
          {t('roles.matrix.areaCount', '{granted, number} of {count, number} granted', {
            granted,
            count: area.pairs.length,
          })}
        </span>
      </header>
      <ul className={styles.pairs}>
        {pairs.map((pair) => {
          const held = isHeld(pair.id)
          return (
            <li
              key={pair.id}
              className={styles.pair}
              data-different={compared ? held !== compared.held.has(pair.id) : undefined}
            >
              {isFixed ? (
                <span className={styles.pairLabel} data-held={held}>
                  <Icon name={held ? 'check' : 'minus'} />
                  <span>{pair.text}</span>
                  <span className="visually-hidden">
                    {held ? t('roles.matrix.isGranted', 'Granted') : t('roles.matrix.isNot', 'Not granted')}
                  </span>
                </span>
              ) : (
                <label className={styles.pairLabel}>
                  <Checkbox checked={held} onChange={(next) => onChange([pair], next)} />
                  <span>{pair.text}</span>
                </label>
              )}
              <code className={styles.code}>{`${pair.name} · ${pair.view}`}</code>
              {compared && (
                <span className={styles.other}>
                  <Icon name={compared.held.has(pair.id) ? 'check' : 'minus'} />
                  {compared.held.has(pair.id)
                    ? t('roles.matrix.otherHas', '{name} has it', { name: compared.name })
                    : t('roles.matrix.otherLacks', '{name} lacks it', { name: compared.name })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
