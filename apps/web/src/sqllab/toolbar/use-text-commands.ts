import { toastError, useCommand, useCopy, useText, type Command } from '@parquetry/ui'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { part } from '../../shared/part.ts'
import type { DatabaseRow } from '../browser/use-schema.ts'
import { chosenText, wholeText } from '../editor/chosen-text.ts'
import type { Lab } from '../lab.ts'
import { makeLink } from '../open/make-link.ts'
import type { QueryEditor } from '../state.ts'
import { isUntouched } from '../tabs.ts'
import type { OpenDialog } from '../dialogs/open-dialog.ts'

const loadUpdate = part(async () => (await import('../dialogs/save-query.ts')).updateQuery)

interface TextOptions {
  lab: Lab
  tab: QueryEditor
  database: DatabaseRow | undefined
  /** Why nothing can be run now; what cannot be run is not handed on either. */
  off: string | undefined
  openDialog(dialog: OpenDialog): void
}

/** The commands that keep, share or rewrite the text of the tab in front. */
export function useTextCommands({
  lab,
  tab,
  database,
  off,
  openDialog,
}: TextOptions): Record<'save' | 'saveAs' | 'schedule' | 'dataset' | 'share' | 'format', Command> {
  const t = useText()
  const { editor } = lab
  const [isFormatting, setFormatting] = useState(false)
  const save = useCommand({
    id: 'sqllab.save',
    label: t('sqllab.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (tab.remoteId === null) return openDialog({ name: 'save', tabId: tab.id, asNew: false })
      void loadUpdate().then((updateQuery) => updateQuery(lab, tab.id))
    },
  })
  const saveAs = useCommand({
    id: 'sqllab.saveAs',
    label: t('sqllab.saveAs', 'Save as'),
    shortcut: 'Mod+Shift+S',
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => openDialog({ name: 'save', tabId: tab.id, asNew: true }),
  })
  const schedule = useCommand({
    id: 'sqllab.schedule',
    label: t('sqllab.schedule', 'Schedule'),
    icon: 'calendar',
    ...(off && { disabledReason: off }),
    run: () => openDialog({ name: 'schedule', tabId: tab.id, sql: wholeText(lab, tab) }),
  })
  const dataset = useCommand({
    id: 'sqllab.saveDataset',
    label: t('sqllab.saveDataset', 'Save as dataset'),
    icon: 'dataset',
    ...(off && { disabledReason: off }),
    run: () =>
      tab.dbId !== null &&
      openDialog({ name: 'dataset', dbId: tab.dbId, schema: tab.schema, sql: chosenText(lab, tab).text }),
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
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (isFormatting) return
      setFormatting(true)
      const before = wholeText(lab, tab)
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
            // What was typed meanwhile counts more.
            if (editor.current?.whole() === before) editor.current.replace(result)
          },
          (error: unknown) =>
            toastError(`${t('sqllab.format.failed', 'Could not format the SQL.')} ${messageOf(error)}`),
        )
        .finally(() => setFormatting(false))
    },
  })
  return { save, saveAs, schedule, dataset, share, format }
}
