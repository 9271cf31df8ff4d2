import { versionedKinds, type BundledKind, type ImportedObject, type ImportSummary } from '@parquetry/model'
import {
  Banner,
  Button,
  ButtonLink,
  Dialog,
  Icon,
  Link,
  StatusChip,
  modalDepth,
  useTranslate,
  type Translate,
} from '@parquetry/ui'
import { useState } from 'react'
import { can } from '../shared/rights.ts'
import { kindTexts, listHrefs, objectHref, type KindTexts } from './kinds.ts'
import styles from './import.module.css'

export interface ImportResultProps {
  title: string
  summary: ImportSummary
  onClose(): void
}

/** Links of one kind before "show all". */
const maxLinks = 20

const isVersioned = (kind: BundledKind): boolean => versionedKinds.some((one) => one === kind)

const mayChangeDatabases = can('can_write', 'Database')

/** Lists the objects that an import has created or replaced, with links. */
export function ImportResult({ title, summary: { objects }, onClose }: ImportResultProps) {
  const t = useTranslate()
  const kinds = kindTexts(t)
  // The main objects of most bundles are the last kinds.
  const order = (Object.keys(kinds) as BundledKind[]).toReversed()
  const written = objects.filter(({ state }) => state === 'new' || state === 'changed')
  const groups = order.flatMap((kind) => {
    const found = written.filter((object) => object.kind === kind)
    return found.length > 0 ? [{ kind, found }] : []
  })
  const main = groups[0]
  // A dashboard is what its bundle is about, also where it needed no change.
  const dashboards = objects.filter(({ kind, id }) => kind === 'dashboard' && id !== null)
  const leading = dashboards.length === 1 ? dashboards : main?.found
  const [only] = leading?.length === 1 ? leading : []
  const unsupported = written.filter((object) => object.unsupported)
  // Links must not replace a page on which another dialog is open.
  const [target] = useState(() => (modalDepth() > 1 ? '_blank' : undefined))
  const undo = [
    written.some(({ state }) => state === 'new') &&
      t('import.result.delete', 'Delete new objects in their lists; dashboards, charts and datasets go to Trash.'),
    written.some(({ kind, state }) => state === 'changed' && isVersioned(kind)) &&
      t('import.result.restore', 'Get overwritten ones back with Versions in the menu of their row.'),
  ].filter((text) => text !== false)
  return (
    <Dialog
      open
      width={720}
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('import.close', 'Close')}</Button>
          {only?.id != null ? (
            <ButtonLink
              data-autofocus
              target={target}
              variant="primary"
              href={objectHref(only.kind, only.id)}
              onClick={onClose}
            >
              {t('import.open', 'Open {name}', { name: only.name })}
            </ButtonLink>
          ) : (
            main && (
              <ButtonLink
                data-autofocus
                target={target}
                variant="primary"
                href={listHrefs[main.kind]}
                onClick={onClose}
              >
                {t('import.openList', 'Go to {list}', { list: kinds[main.kind].title })}
              </ButtonLink>
            )
          )}
        </>
      }
    >
      <div className={styles.body}>
        <div role="status">
          <ul className={styles.counts}>
            {countLines(t, objects, kinds).map((line) => (
              <li key={line}>
                <Icon name="success" /> {line}
              </li>
            ))}
          </ul>
        </div>
        {unsupported.map(({ path, name, id }) => (
          <Banner
            key={path}
            inline
            tone="warning"
            action={
              mayChangeDatabases &&
              id !== null && (
                <ButtonLink target={target} href={objectHref('database', id)} onClick={onClose}>
                  {t('import.result.connect', 'Change the connection')}
                </ButtonLink>
              )
            }
          >
            {mayChangeDatabases
              ? t(
                  'import.result.unsupported',
                  'The charts of {name} show no data until its connection is changed to a supported database.',
                  { name },
                )
              : t(
                  'import.result.unsupportedAsk',
                  'The charts of {name} show no data until its connection is changed to a supported database. Ask an administrator to do that.',
                  { name },
                )}
          </Banner>
        ))}
        {groups.map(({ kind, found }) => (
          <Links key={kind} title={kinds[kind].title} objects={found} target={target} onOpen={onClose} />
        ))}
        {undo.length > 0 && (
          <p className={styles.quiet}>
            {t('import.result.notWanted', 'Not what you wanted?')} {undo.join(' ')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** "Imported: 1 dashboard, 3 charts" */
function countLines(t: Translate, objects: readonly ImportedObject[], kinds: Record<BundledKind, KindTexts>): string[] {
  const listOf = (states: readonly ImportedObject['state'][]): string =>
    (Object.keys(kinds) as BundledKind[])
      .toReversed()
      .flatMap((kind) => {
        const n = objects.filter((object) => object.kind === kind && states.includes(object.state)).length
        return n > 0 ? [kinds[kind].count(n)] : []
      })
      .join(', ')
  const created = listOf(['new'])
  const replaced = listOf(['changed'])
  const kept = listOf(['same', 'kept'])
  const leftOut = listOf(['left_out'])
  return [
    ...(created ? [t('import.result.created', 'Created: {objects}', { objects: created })] : []),
    ...(replaced ? [t('import.result.replaced', 'Overwritten: {objects}', { objects: replaced })] : []),
    ...(kept ? [t('import.result.kept', 'Left as they are: {objects}', { objects: kept })] : []),
    ...(leftOut ? [t('import.result.leftOut', 'Not imported: {objects}', { objects: leftOut })] : []),
  ]
}

interface LinksProps {
  title: string
  objects: readonly ImportedObject[]
  target: string | undefined
  onOpen(): void
}

function Links({ title, objects, target, onOpen }: LinksProps) {
  const t = useTranslate()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? objects : objects.slice(0, maxLinks)
  return (
    <section className={styles.links}>
      <h3>{title}</h3>
      <ul>
        {shown.map(({ path, kind, id, name, state, notes = [] }) => (
          <li key={path}>
            {id === null ? (
              name
            ) : (
              <Link href={objectHref(kind, id)} target={target} onClick={onOpen}>
                {name}
              </Link>
            )}{' '}
            {state === 'changed' && <StatusChip>{t('import.result.wasReplaced', 'Overwritten')}</StatusChip>}
            {notes.map((note) => (
              <p key={note} className={styles.quiet}>
                {note}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {shown.length < objects.length && (
        <Button variant="quiet" onClick={() => setWhole(true)}>
          {t('import.result.all', 'Show all {n, number}', { n: objects.length })}
        </Button>
      )}
    </section>
  )
}
