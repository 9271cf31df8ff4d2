import type { BundledKind, ImportedObject, ImportSummary } from '@parquetry/model'
import { Button, ButtonLink, Dialog, Icon, Link, StatusChip, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { kindTexts, objectHref, type KindTexts } from './kinds.ts'
import styles from './import.module.css'

export interface ImportResultProps {
  title: string
  summary: ImportSummary
  onClose(): void
}

/** Links of one kind before "show all". */
const maxLinks = 20

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
  const main = groups[0]?.found.length === 1 ? groups[0].found[0] : undefined
  return (
    <Dialog
      open
      width={720}
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('import.close', 'Close')}</Button>
          {main?.id != null && (
            <ButtonLink variant="primary" href={objectHref(main.kind, main.id)} onClick={onClose}>
              {t('import.open', 'Open {name}', { name: main.name })}
            </ButtonLink>
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
        {groups.map(({ kind, found }) => (
          <Links key={kind} title={kinds[kind].title} objects={found} onOpen={onClose} />
        ))}
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

function Links({ title, objects, onOpen }: { title: string; objects: readonly ImportedObject[]; onOpen(): void }) {
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
              <Link href={objectHref(kind, id)} onClick={onOpen}>
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
