import { toastError, useCommand, useCopy, useTranslate, type Command } from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { createChunkLoader } from '../../shared/chunk-loader.ts'
import type { SqlLabDatabase } from '../browser/use-schema.ts'
import { readRunnableText, readFullText } from '../editor/runnable-text.ts'
import type { Lab } from '../lab.ts'
import { makeLink } from '../open/make-link.ts'
import type { QueryEditor } from '../state.ts'
import { isUntouchedSql } from '../tabs.ts'
import type { SqlLabDialog } from '../dialogs/sql-lab-dialog.ts'

const loadUpdate = createChunkLoader(async () => (await import('../dialogs/save-query.ts')).updateQuery)

interface TextOptions {
  lab: Lab
  tab: QueryEditor
  database: SqlLabDatabase | undefined
  /** Why nothing can run now; text that cannot run is not passed on either. */
  off: string | undefined
  openDialog(dialog: SqlLabDialog): void
}

/** Commands that save, share or rewrite the text of the active tab. */
export function useTextCommands({
  lab,
  tab,
  database,
  off,
  openDialog,
}: TextOptions): Record<'save' | 'saveAs' | 'schedule' | 'dataset' | 'share' | 'format', Command> {
  const t = useTranslate()
  const { editor } = lab
  const [isFormatting, setFormatting] = useState(false)
  const save = useCommand({
    id: 'sqllab.save',
    label: t('sqllab.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    ...(isUntouchedSql(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (tab.remoteId === null) return openDialog({ name: 'save', tabId: tab.id, asNew: false })
      void loadUpdate().then((updateQuery) => updateQuery(lab, tab.id))
    },
  })
  const saveAs = useCommand({
    id: 'sqllab.saveAs',
    label: t('sqllab.saveAs', 'Save as'),
    shortcut: 'Mod+Shift+S',
    ...(isUntouchedSql(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => openDialog({ name: 'save', tabId: tab.id, asNew: true }),
  })
  const schedule = useCommand({
    id: 'sqllab.schedule',
    label: t('sqllab.schedule', 'Schedule'),
    icon: 'calendar',
    ...(off && { disabledReason: off }),
    run: () => openDialog({ name: 'schedule', tabId: tab.id, sql: readFullText(lab, tab) }),
  })
  const dataset = useCommand({
    id: 'sqllab.saveDataset',
    label: t('sqllab.saveDataset', 'Save as dataset'),
    icon: 'dataset',
    ...(off && { disabledReason: off }),
    run: () =>
      tab.dbId !== null &&
      openDialog({ name: 'dataset', dbId: tab.dbId, schema: tab.schema, sql: readRunnableText(lab, tab).text }),
  })
  const copy = useCopy()
  const share = useCommand({
    id: 'sqllab.share',
    label: t('sqllab.copyLink', 'Copy link'),
    icon: 'link',
    ...(off && { disabledReason: off }),
    run: () => {
      makeLink(tab).then(
        (link) => copy(link, t('share.copied', 'Link Copied!')),
        (error: unknown) => toastError(messageOf(error)),
      )
    },
  })
  const format = useCommand({
    id: 'sqllab.format',
    label: t('sqllab.format', 'Format'),
    shortcut: 'Mod+Shift+F',
    ...(isUntouchedSql(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (isFormatting) return
      setFormatting(true)
      const before = readFullText(lab, tab)
      api
        .post('/api/v1/sqllab/format_sql/', {
          body: {
            sql: before,
            ...(database && { engine: database.backend, database_id: database.id }),
            template_params: tab.templateParams,
          },
        })
        .then(
          ({ result }) => {
            // Text typed meanwhile wins.
            if (editor.current?.fullText() === before) editor.current.replace(result)
          },
          (error: unknown) =>
            toastError(`${t('sqllab.format.failed', 'Could not format the SQL.')} ${messageOf(error)}`),
        )
        .finally(() => setFormatting(false))
    },
  })
  return { save, saveAs, schedule, dataset, share, format }
}
