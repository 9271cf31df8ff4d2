import { toastError, useCommand, useTranslate } from '@parquetry/ui'
import { downloadResults, type DownloadFormat } from '../shared/download-results.ts'
import { messageOf } from '../shared/errors.ts'
import type { WorkbenchState } from './use-workbench.ts'

/** Commands of the chart, for shortcuts, buttons and the palette. @param onSave opens the save dialog */
export function useWorkbenchCommands(workbench: WorkbenchState, onSave: (saveMode: 'overwrite' | 'saveas') => void) {
  const t = useTranslate()
  const { chart, data, dispatch, draft, errors, mayOverwrite, outOfDate, title } = workbench
  const fix = errors.length > 0 ? t('explore.fixFirst', 'Fix the errors in the controls first') : undefined
  const update = useCommand({
    id: 'explore.update',
    label: t('explore.update', 'Update chart'),
    shortcut: 'Mod+Enter',
    icon: 'refresh',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => (outOfDate ? dispatch({ type: 'apply' }) : data.refresh()),
  })
  const save = useCommand({
    id: 'explore.save',
    label: t('explore.popover.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => onSave(mayOverwrite ? 'overwrite' : 'saveas'),
  })
  const saveAs = useCommand({
    id: 'explore.saveAs',
    label: t('explore.save.as', 'Save as…'),
    shortcut: 'Mod+Shift+S',
    icon: 'copy',
    everywhere: true,
    ...(fix && { disabledReason: fix }),
    run: () => onSave('saveas'),
  })
  const undo = useCommand({
    id: 'explore.undo',
    label: t('explore.undo', 'Undo'),
    shortcut: 'Mod+Z',
    icon: 'undo',
    ...(draft.past.length === 0 && { disabledReason: t('explore.noUndo', 'Nothing to undo') }),
    run: () => dispatch({ type: 'undo' }),
  })
  const redo = useCommand({
    id: 'explore.redo',
    label: t('explore.redo', 'Redo'),
    shortcut: 'Mod+Shift+Z',
    icon: 'redo',
    ...(draft.future.length === 0 && { disabledReason: t('explore.noRedo', 'Nothing to redo') }),
    run: () => dispatch({ type: 'redo' }),
  })
  const download = (format: DownloadFormat) =>
    void downloadResults(chart, draft.applied, title, format).catch((error: unknown) => toastError(messageOf(error)))
  const nothing = data.result === undefined && { disabledReason: t('explore.csv.nothing', 'No results yet') }
  const csv = useCommand({
    id: 'explore.csv',
    label: t('explore.csv', 'Download as CSV'),
    icon: 'download',
    ...nothing,
    run: () => download('csv'),
  })
  const xlsx = useCommand({
    id: 'explore.xlsx',
    label: t('explore.xlsx', 'Download as Excel'),
    icon: 'download',
    ...nothing,
    run: () => download('xlsx'),
  })
  const parquet = useCommand({
    id: 'explore.parquet',
    label: t('explore.parquet', 'Download as Parquet'),
    icon: 'download',
    ...nothing,
    run: () => download('parquet'),
  })
  return { update, save, saveAs, undo, redo, downloads: [csv, xlsx, parquet] }
}
