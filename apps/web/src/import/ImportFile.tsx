import type { ImportedObject, ImportSummary } from '@parquetry/model'
import { Banner, Button, Checkbox, Dialog, ErrorPanel, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { FileChooser } from '../shared/FileChooser.tsx'
import { closeImport, openImport, setImportBusy } from '../shared/import.ts'
import type { ImportKind } from '../shared/import-permissions.ts'
import { importedFiles } from '../shared/bundle-file.ts'
import type { ImportFailure } from './failure.ts'
import { FailurePanel } from './FailurePanel.tsx'
import type { ImportSecrets } from './import-call.ts'
import { ImportProgressBar } from './ImportProgressBar.tsx'
import { ImportResult } from './ImportResult.tsx'
import { ImportSession } from './import-session.ts'
import { ImportTree } from './ImportTree.tsx'
import { importNoun } from './kinds.ts'
import { SecretFields } from './SecretFields.tsx'
import { ImportNeeds } from './needs.ts'
import {
  countSelected,
  hasSecret,
  moveSelection,
  requiredSecrets,
  type RequiredSecret,
  type Selection,
  type SelectionOf,
} from './selection.ts'
import styles from './import.module.css'

export interface ImportFileProps {
  /** Kind of the list from which the dialog was opened. */
  list: ImportKind | null
  file: File
}

/** Shows what the import of a file would change, asks what to import, and imports it. Nothing is written before. */
export function ImportFile({ list, file }: ImportFileProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [session] = useState(() => new ImportSession(file, list))
  const { kind, current } = useSyncExternalStore(session.subscribe, session.state)
  useEffect(() => {
    void session.preview()
    return () => session.end()
  }, [session])
  const { stage } = current
  useEffect(() => {
    if (stage === 'done') void queries.invalidateQueries()
  }, [stage, queries])
  // What had the focus is gone when the stage changes.
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) body.current?.focus()
  }, [stage])
  const noun = importNoun(t, kind)
  // What the user entered survives errors and a second preview.
  const [chosen, setChosen] = useState<SelectionOf | null>(null)
  const [secrets, setSecrets] = useState<ImportSecrets>({})
  const title =
    current.stage === 'done'
      ? t('import.titleDone', 'Imported {file}', { file: file.name })
      : t('import.title', 'Import {file}', { file: file.name })
  const close = closeImport

  const preview = current.stage === 'ready' || current.stage === 'importing' ? current.preview : null
  const needs = useMemo(() => new ImportNeeds(preview?.objects ?? []), [preview])
  const selection = useMemo(
    () => (preview && chosen ? moveSelection(chosen, preview) : needs.initialSelection()),
    [preview, chosen, needs],
  )

  const isDirty = stage !== 'done' && (stage === 'importing' || chosen !== null || Object.keys(secrets).length > 0)
  useEffect(() => {
    setImportBusy(isDirty)
    return () => setImportBusy(false)
  }, [isDirty])

  if (current.stage === 'done') return <ImportResult title={title} summary={current.summary} onClose={close} />

  const objects = preview?.objects ?? []
  const failure = current.stage === 'ready' ? current.failure : null
  const required = preview ? listRequired(preview, selection, failure) : []
  const missing = required.filter((secret) => !hasSecret(secrets, secret))
  const waiting = [...new Set(missing.map(({ path }) => path))].join('\n')
  const selected = objects.filter((object) => selection.has(object.path) && needs.isSelectable(object))
  const reason = findReason()
  const select = (next: Selection): void => {
    if (preview) setChosen({ preview, selection: next })
  }

  function findReason(): string | undefined {
    if (current.stage !== 'ready') return t('import.notReady', 'The file is not read yet')
    if (selected.length === 0) return t('import.nothing', 'Choose what to import first')
    if (missing.length > 0) return t('import.noSecret', 'Fill in the required fields first')
    return undefined
  }
  const changed = needs.listSelectable(objects, 'changed')
  const overwritten = countSelected(selection, changed)

  return (
    <Dialog
      open
      width={720}
      title={title}
      dirty={isDirty}
      onClose={close}
      onSubmit={() => {
        if (reason === undefined)
          void session.run({
            only: selected.map(({ path }) => path),
            onlyNew: selected.filter(({ state }) => state === 'new').map(({ path }) => path),
            secrets: pick(secrets, required),
          })
      }}
      footer={
        <>
          {current.stage === 'ready' && changed.length > 1 && (
            <span className={styles.all}>
              <Checkbox
                checked={overwritten === changed.length}
                mixed={overwritten > 0 && overwritten < changed.length}
                onChange={(isOn) => select(needs.select(selection, changed, isOn))}
                label={t('import.overwriteAll', 'Overwrite all {n, number}', { n: changed.length })}
              />
            </span>
          )}
          {current.stage === 'importing' ? (
            <Button onClick={() => void session.preview(true)}>{t('import.cancel', 'Cancel')}</Button>
          ) : (
            <>
              <Button onClick={close}>{t('import.cancel', 'Cancel')}</Button>
              {(current.stage === 'ready' || current.stage === 'previewing') && (
                <Button variant="primary" type="submit" disabledReason={reason}>
                  {selected.length > 0
                    ? t('import.run', 'Import {n, plural, one {# object} other {# objects}}', { n: selected.length })
                    : t('import.action', 'Import')}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <div ref={body} tabIndex={-1} className={styles.body}>
        {current.stage === 'previewing' || current.stage === 'importing' ? (
          <ImportProgressBar isPreview={current.stage === 'previewing'} progress={current.progress} />
        ) : current.stage === 'refused' ? (
          <>
            <ErrorPanel inline title={t('import.refused', 'This file cannot be imported')}>
              {current.reason === 'unknown'
                ? t(
                    'import.unknown',
                    'The file does not tell what it contains. Choose it with Import on the list of its dashboards, charts or other objects.',
                  )
                : t(
                    'import.noRight',
                    'You don’t have permission to import a {noun}. Ask an administrator to add it to your role.',
                    { noun },
                  )}
            </ErrorPanel>
            <AnotherFile list={list} />
          </>
        ) : current.stage === 'failed' ? (
          <>
            <FailurePanel noun={noun} failure={current.failure} onRetry={() => void session.preview()} />
            <AnotherFile list={list} />
          </>
        ) : (
          <>
            {failure && <FailurePanel noun={noun} failure={failure} onCompare={() => void session.preview()} />}
            {current.wasCancelled && (
              <Banner inline>
                {t('import.cancelled', 'The import was cancelled. This is what an import would do now.')}
              </Banner>
            )}
            <Hints summary={current.preview} needs={needs} />
            <KeptHint objects={objects} />
            <SecretFields
              required={required}
              secrets={secrets}
              usersOf={(path) => needs.listUsers(path).length}
              onChange={setSecrets}
            />
            <ImportTree
              label={t('import.contents', 'Contents of {file}', { file: file.name })}
              objects={current.preview.objects}
              needs={needs}
              waiting={waiting}
              selection={selection}
              onSelect={select}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Secrets of the selected databases, and those that the last attempt asked for in addition. */
function listRequired(
  { objects }: ImportSummary,
  selection: Selection,
  failure: ImportFailure | null,
): RequiredSecret[] {
  const required = requiredSecrets(objects, selection)
  const names = new Map(objects.map(({ path, name }) => [path, name]))
  const more = (failure?.secrets ?? []).filter(
    ({ path, field }) => !required.some((known) => known.path === path && known.field === field),
  )
  return [...required, ...more.map((secret) => ({ ...secret, name: names.get(secret.path) ?? secret.path }))]
}

/** Only the secrets that are asked for are sent. */
const pick = (secrets: ImportSecrets, required: readonly RequiredSecret[]): ImportSecrets => {
  const picked: ImportSecrets = {}
  for (const { path, field } of required) picked[field] = { ...picked[field], [path]: secrets[field]?.[path] ?? '' }
  return picked
}

/** Notices about the file as a whole. */
function Hints({ summary: { objects }, needs }: { summary: ImportSummary; needs: ImportNeeds }) {
  const t = useTranslate()
  const refused = objects.filter(({ problems = [] }) => problems.length > 0).length
  const blocked = needs.countBlocked()
  const unsupported = objects.filter((object) => object.unsupported && needs.isSelectable(object))
  if (refused + blocked > 0)
    return (
      <Banner inline tone="warning">
        {refused > 0 &&
          t(
            'import.refusedObjects',
            '{n, plural, one {# object cannot be imported. The reason is below it.} other {# objects cannot be imported. The reasons are below them.}}',
            { n: refused },
          )}{' '}
        {blocked > 0 &&
          t(
            'import.blockedObjects',
            '{n, plural, one {# object is left out because it needs what is not imported.} other {# objects are left out because they need what is not imported.}}',
            { n: blocked },
          )}
      </Banner>
    )
  if (unsupported.length > 0)
    return (
      <Banner inline tone="warning">
        {t(
          'import.unsupportedObjects',
          '{n, plural, one {# database is of a type that cannot be connected here. An import keeps its charts intact, but they show no data until its connection is changed.} other {# databases are of types that cannot be connected here. An import keeps their charts intact, but they show no data until the connections are changed.}}',
          { n: unsupported.length },
        )}
      </Banner>
    )
  if (objects.every(({ state }) => state !== 'new' && state !== 'changed'))
    return (
      <Banner inline>
        {t('import.allSame', 'Everything in this file is already here. There is nothing to import.')}
      </Banner>
    )
  return null
}

/** Why objects that exist cannot be changed with this file. */
function KeptHint({ objects }: { objects: readonly ImportedObject[] }) {
  const t = useTranslate()
  if (objects.every(({ state }) => state !== 'kept')) return null
  return (
    <p className={styles.quiet}>
      {t(
        'import.keptObjects',
        'Objects that are left as they are exist here already. A file of this type does not change them, even if they differ. To change one, import its own export.',
      )}
    </p>
  )
}

function AnotherFile({ list }: { list: ImportKind | null }) {
  const t = useTranslate()
  return (
    <FileChooser
      label={t('import.choose', 'Choose a file')}
      accept={importedFiles}
      fileName=""
      onChoose={(file) => openImport({ list, file })}
    />
  )
}
