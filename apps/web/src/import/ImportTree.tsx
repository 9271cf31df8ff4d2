import type { BundledKind, ImportedObject } from '@parquetry/model'
import { Checkbox, EmptyState, Icon, StatusChip, TextInput, useTranslate, type Translate } from '@parquetry/ui'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { differenceText, differenceTexts } from '../shared/history/difference-texts.ts'
import { kindTexts } from './kinds.ts'
import type { ImportNeeds } from './needs.ts'
import { countSelected, type Selection } from './selection.ts'
import {
  buildTreeRows,
  groupObjects,
  groupPageSize,
  initiallyOpen,
  type ImportGroup,
  type ImportTreeRow,
  type ShownDifference,
  type TreeView,
} from './tree-rows.ts'
import { TextDifference } from './TextDifference.tsx'
import styles from './tree.module.css'

export interface ImportTreeProps {
  /** Name of the tree for screen readers. */
  label: string
  objects: readonly ImportedObject[]
  needs: ImportNeeds
  /** Paths of the databases with a secret that is still missing, one per line. */
  waiting: string
  selection: Selection
  onSelect(selection: Selection): void
}

/** Longer bundles can be searched. */
const minSearched = 20
/** Differences of one object that are listed. */
const maxDifferences = 30

/**
 * The objects of a bundle by kind: what an import does with each, with a check box where the user decides. Arrows move and expand,
 * Space checks. Long groups are shown in pages, so that 10,000 objects open as quickly as ten.
 */
export function ImportTree({ label, objects, needs, waiting, selection, onSelect }: ImportTreeProps) {
  const t = useTranslate()
  const id = useId()
  const kinds = useMemo(() => kindTexts(t), [t])
  const groups = useMemo(() => groupObjects(objects, Object.keys(kinds) as BundledKind[]), [objects, kinds])
  const [open, setOpen] = useState<ReadonlySet<string>>(() => initiallyOpen(groups))
  const [shown, setShown] = useState<TreeView['shown']>(new Map())
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState<string | null>(null)
  const [carried, setCarried] = useState('')
  const tree = useRef<HTMLDivElement>(null)
  const waitingFor = useMemo(() => listWaiting(objects, needs, waiting), [objects, needs, waiting])
  const rows = buildTreeRows(groups, { open, shown, search, listDifferences: (object) => describe(t, object) })
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === current),
  )
  const idOf = (index: number): string => `${id}-${index}`

  const toggle = ({ key, isOpen }: ImportTreeRow, isOpening = !isOpen): void => {
    if (isOpen === undefined || isOpen === isOpening) return
    const next = new Set(open)
    if (isOpening) next.add(key)
    else next.delete(key)
    setOpen(next)
  }
  const showMore = (kind: BundledKind): void =>
    setShown(new Map(shown).set(kind, (shown.get(kind) ?? groupPageSize) + groupPageSize))
  const check = (row: ImportTreeRow): void => {
    const choice = choiceOf(row, needs, selection)
    if (!choice) return
    const isOn = choice.checked !== true
    const next = needs.select(selection, choice.objects, isOn)
    const own = choice.objects.filter(({ path }) => next.has(path) !== selection.has(path)).length
    setCarried(carriedText(t, row, isOn, Math.abs(next.size - selection.size) - own))
    onSelect(next)
  }
  const moveTo = (index: number): void => {
    const row = rows[index]
    if (!row) return
    setCurrent(row.key)
    tree.current?.querySelector(`#${CSS.escape(idOf(index))}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => (row.isOpen ? moveTo(at + 1) : toggle(row, true)),
      ArrowLeft: () =>
        row.isOpen
          ? toggle(row, false)
          : moveTo(rows.findLastIndex(({ level }, index) => index < at && level < row.level)),
      Enter: () => (row.type === 'more' ? showMore(row.kind) : toggle(row)),
      ' ': () => (row.type === 'more' ? showMore(row.kind) : check(row)),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  const remarkOf = (object: ImportedObject, isOpen: boolean | undefined): string => {
    const blocker = needs.blockerOf(object)
    const database = waitingFor.get(object.path)
    const missing = object.kind === 'dashboard' && selection.has(object.path) && needs.countMissing(object, selection)
    const texts = [
      blocker && t('import.remark.blocked', 'needs {name}, which is not imported', { name: blocker.name }),
      database !== undefined &&
        object.kind !== 'database' &&
        selection.has(object.path) &&
        t('import.remark.waiting', 'needs {name}', { name: database }),
      missing &&
        t('import.remark.missing', 'without {n, number} of its {total, plural, one {# chart} other {# charts}}', {
          n: missing,
          total: object.needs?.length ?? 0,
        }),
      object.state === 'changed' &&
        t('import.differences', '{n, plural, =0 {} one {# difference} other {# differences}}', {
          n: object.differences?.length ?? 0,
        }),
      !isOpen &&
        object.notes &&
        t('import.remark.notes', '{n, plural, one {# remark} other {# remarks}}', { n: object.notes.length }),
    ]
    return texts.filter((text) => typeof text === 'string' && text !== '').join(' · ')
  }

  return (
    <div className={styles.box}>
      {objects.length > minSearched && (
        <TextInput
          type="search"
          value={search}
          onChange={setSearch}
          aria-label={t('import.search', 'Search the bundle')}
          placeholder={t('import.search', 'Search the bundle')}
        />
      )}
      {rows.length === 0 ? (
        <EmptyState inline level={3} title={t('import.nothingFound', 'Nothing matches')} />
      ) : (
        <div
          ref={tree}
          role="tree"
          tabIndex={0}
          aria-label={label}
          aria-multiselectable
          aria-activedescendant={idOf(at)}
          className={styles.tree}
          onKeyDown={onKeyDown}
        >
          {rows.map((row, index) => (
            <Row
              key={row.key}
              id={idOf(index)}
              row={row}
              isCurrent={index === at}
              title={row.type === 'group' ? kinds[row.group.kind].title : ''}
              counts={row.type === 'group' ? stateCounts(t, row.group, needs) : ''}
              icon={row.type === 'group' ? kinds[row.group.kind].icon : undefined}
              choice={choiceOf(row, needs, selection)}
              remark={row.type === 'object' ? remarkOf(row.object, row.isOpen) : ''}
              isBlocked={row.type === 'object' && needs.blockerOf(row.object) !== undefined}
              isWaiting={row.type === 'object' && row.object.kind === 'database' && waitingFor.has(row.key)}
              onCheck={() => {
                setCurrent(row.key)
                check(row)
              }}
              onClick={() => {
                setCurrent(row.key)
                if (row.type === 'more') showMore(row.kind)
                else toggle(row)
              }}
            />
          ))}
        </div>
      )}
      <p role="status" className={styles.carried}>
        {carried}
      </p>
    </div>
  )
}

/** The objects of the check box of a row. */
interface RowChoice {
  objects: ImportedObject[]
  checked: boolean | 'mixed'
}

function choiceOf(row: ImportTreeRow, needs: ImportNeeds, selection: Selection): RowChoice | undefined {
  if (row.type === 'object' && needs.isSelectable(row.object))
    return { objects: [row.object], checked: selection.has(row.object.path) }
  if (row.type !== 'group') return undefined
  // Existing objects are replaced only by their own check box, or by the one for all.
  const objects = needs.listSelectable(row.group.objects, 'new')
  if (objects.length < 2) return undefined
  const n = countSelected(selection, objects)
  return { objects, checked: n === 0 ? false : n === objects.length ? true : 'mixed' }
}

interface RowProps {
  id: string
  row: ImportTreeRow
  isCurrent: boolean
  title: string
  /** Number of objects of a group by state. */
  counts: string
  icon: ReturnType<typeof kindTexts>[BundledKind]['icon'] | undefined
  choice: RowChoice | undefined
  /** Shown after the name: problems of the object, and other facts that the user should know. */
  remark: string
  isBlocked: boolean
  isWaiting: boolean
  onCheck(): void
  onClick(): void
}

function Row({
  id,
  row,
  isCurrent,
  title,
  counts,
  icon,
  choice,
  remark,
  isBlocked,
  isWaiting,
  onCheck,
  onClick,
}: RowProps) {
  const t = useTranslate()
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={row.isOpen}
      aria-selected={isCurrent}
      aria-checked={choice?.checked}
      className={styles.row}
      data-level={row.level}
      data-current={isCurrent || undefined}
      onClick={onClick}
    >
      {row.level < 3 && (
        <span className={styles.chevron}>
          {row.isOpen !== undefined && <Icon name={row.isOpen ? 'chevron-down' : 'chevron-right'} />}
        </span>
      )}
      {row.type === 'group' ? (
        <>
          <span className={styles.name}>
            {icon && <Icon name={icon} />} <strong>{title}</strong>{' '}
            <span className={styles.quiet}>{t('import.number', '{n, number}', { n: row.group.objects.length })}</span>
          </span>
          <span className={styles.quiet}>{counts}</span>
        </>
      ) : row.type === 'object' ? (
        <>
          <span className={styles.name}>
            <span>{row.object.name}</span>
            {remark !== '' && <span className={styles.quiet}>{remark}</span>}
          </span>
          <StateChip object={row.object} isBlocked={isBlocked} isWaiting={isWaiting} />
        </>
      ) : row.type === 'detail' ? (
        <span className={styles.detail} data-of={row.of}>
          {row.of === 'problem' && <Icon name="error" />}
          {row.of === 'note' && <Icon name="info" />}
          <span>
            {row.text}
            {row.long && <TextDifference label={row.text} {...row.long} />}
          </span>
        </span>
      ) : (
        <span className={styles.more}>{t('import.more', 'Show more ({n, number} hidden)', { n: row.hidden })}</span>
      )}
      {row.level < 3 && row.type !== 'more' && (
        // The row itself opens on a click.
        <span className={styles.choice} onClick={(event) => event.stopPropagation()}>
          {choice && (
            <Checkbox
              tabIndex={-1}
              checked={choice.checked === true}
              mixed={choice.checked === 'mixed'}
              onChange={onCheck}
              aria-label={choiceName(t, row, title)}
              label={choiceLabel(t, row)}
            />
          )}
        </span>
      )}
    </div>
  )
}

const choiceLabel = (t: Translate, row: ImportTreeRow): string =>
  row.type === 'group'
    ? t('import.choice.all', 'Import all')
    : row.type === 'object' && row.object.state === 'changed'
      ? t('import.choice.overwrite', 'Overwrite')
      : t('import.choice.import', 'Import')

const choiceName = (t: Translate, row: ImportTreeRow, title: string): string =>
  row.type === 'group'
    ? t('import.choice.allOf', 'Import all new {kind}', { kind: title })
    : row.type !== 'object'
      ? ''
      : row.object.state === 'changed'
        ? t('import.choice.overwriteOne', 'Overwrite {name}', { name: row.object.name })
        : t('import.choice.importOne', 'Import {name}', { name: row.object.name })

interface StateChipProps {
  object: ImportedObject
  /** Cannot be imported because of another. */
  isBlocked: boolean
  /** A secret is missing. */
  isWaiting: boolean
}

function StateChip({ object: { state, problems = [], unsupported }, isBlocked, isWaiting }: StateChipProps) {
  const t = useTranslate()
  if (problems.length > 0 || isBlocked)
    return (
      <StatusChip tone="danger" icon="error">
        {t('import.state.refused', 'Cannot be imported')}
      </StatusChip>
    )
  if (isWaiting)
    return (
      <StatusChip tone="warning" icon="lock">
        {t('import.state.secret', 'Needs a password')}
      </StatusChip>
    )
  if (unsupported && (state === 'new' || state === 'changed'))
    return (
      <StatusChip tone="warning" icon="plug">
        {t('import.state.unsupported', 'Cannot be connected')}
      </StatusChip>
    )
  switch (state) {
    case 'new':
      return (
        <StatusChip tone="success" icon="plus">
          {t('import.state.new', 'New')}
        </StatusChip>
      )
    case 'changed':
      return (
        <StatusChip tone="warning" icon="edit">
          {t('import.state.changed', 'Changed')}
        </StatusChip>
      )
    case 'same':
      return <StatusChip icon="check">{t('import.state.same', 'Same')}</StatusChip>
    case 'kept':
      return <StatusChip icon="lock">{t('import.state.kept', 'Left as it is')}</StatusChip>
    case 'left_out':
      return <StatusChip icon="minus">{t('import.state.leftOut', 'Not imported')}</StatusChip>
  }
}

/** Names of the databases whose secrets are missing, by the objects that need them and the databases themselves. */
function listWaiting(
  objects: readonly ImportedObject[],
  needs: ImportNeeds,
  waiting: string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (waiting === '') return found
  const databases = new Set(waiting.split('\n'))
  for (const { path, name } of objects) {
    if (!databases.has(path)) continue
    found.set(path, name)
    for (const user of needs.listUsers(path)) found.set(user.path, name)
  }
  return found
}

/** Tells how many more objects the check box of a row has changed. */
function carriedText(t: Translate, row: ImportTreeRow, isOn: boolean, n: number): string {
  if (n === 0) return ''
  if (row.type !== 'object')
    return isOn
      ? t(
          'import.carriedOn',
          '{n, plural, one {# more object is imported, because these need it.} other {# more objects are imported, because these need them.}}',
          { n },
        )
      : t(
          'import.carriedOff',
          '{n, plural, one {# more object is not imported, because it needs these.} other {# more objects are not imported, because they need these.}}',
          { n },
        )
  const { name } = row.object
  return isOn
    ? t(
        'import.carriedOnBy',
        '{n, plural, one {# more object is imported, because {name} needs it.} other {# more objects are imported, because {name} needs them.}}',
        { n, name },
      )
    : t(
        'import.carriedOffBy',
        '{n, plural, one {# more object is not imported, because it needs {name}.} other {# more objects are not imported, because they need {name}.}}',
        { n, name },
      )
}

/** "10 new, 2 same" */
function stateCounts(t: Translate, { objects }: ImportGroup, needs: ImportNeeds): string {
  const isRefused = (object: ImportedObject): boolean =>
    (object.problems ?? []).length > 0 || needs.blockerOf(object) !== undefined
  const refused = objects.filter(isRefused).length
  const countOf = (state: ImportedObject['state']): number =>
    objects.filter((object) => object.state === state && !isRefused(object)).length
  const texts = [
    refused > 0 && t('import.counts.refused', '{n, number} cannot be imported', { n: refused }),
    countOf('new') > 0 && t('import.counts.new', '{n, number} new', { n: countOf('new') }),
    countOf('changed') > 0 && t('import.counts.changed', '{n, number} changed', { n: countOf('changed') }),
    countOf('same') > 0 && t('import.counts.same', '{n, number} same', { n: countOf('same') }),
    countOf('kept') > 0 &&
      t('import.counts.kept', '{n, plural, one {# left as it is} other {# left as they are}}', { n: countOf('kept') }),
    countOf('left_out') > 0 && t('import.counts.leftOut', '{n, number} not imported', { n: countOf('left_out') }),
  ]
  return texts.filter((text) => text !== false).join(', ')
}

/** The differences of an object as sentences. */
function describe(t: Translate, { differences }: ImportedObject): ShownDifference[] {
  if (!differences) return []
  const texts: ShownDifference[] = [
    ...differenceTexts(
      t,
      differences.filter(({ long }) => !long),
    ).map((text) => ({ text })),
    ...differences.flatMap((difference) =>
      difference.long ? [{ text: differenceText(t, difference), long: difference.long }] : [],
    ),
  ]
  if (texts.length === 0)
    return [{ text: t('import.otherDifference', 'Only settings differ that have no short description.') }]
  const more = texts.length - maxDifferences
  return more > 0
    ? [...texts.slice(0, maxDifferences), { text: t('import.moreDifferences', 'and {n, number} more', { n: more }) }]
    : texts
}
