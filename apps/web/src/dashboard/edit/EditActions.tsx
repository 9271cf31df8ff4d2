import {
  Button,
  confirm,
  IconButton,
  SplitButton,
  StatusChip,
  useCommand,
  useNavigation,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { userId } from '../../shared/rights.ts'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { newDashboardId } from '../document/read-dashboard.ts'
import { layoutFill } from '../document/save-body.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { clearDashboardDraft } from './drafts.ts'
import { positionLimit, type DashboardSaveState } from './use-dashboard-save.ts'

interface EditActionsProps {
  saving: DashboardSaveState
  hasChanges: boolean
  isAddOpen: boolean
  onAdd(): void
  onProperties(): void
  onSaveAs(): void
}

/** Shows whether changes are unsaved or being saved, or the layout nears its size limit. */
export function EditStatus({ saving, hasChanges }: Pick<EditActionsProps, 'saving' | 'hasChanges'>) {
  const t = useTranslate()
  const fill = useDashboardState(({ dashboard, history }) =>
    hasChanges ? layoutFill({ ...dashboard.layout, nodes: history.present }, positionLimit()) : 0,
  )
  if (saving.isSaving) return <StatusChip busy>{t('dashboard.saving', 'Saving…')}</StatusChip>
  if (saving.isWaiting && hasChanges) {
    return (
      <StatusChip tone="warning" icon="warning">
        {t('dashboard.waiting', 'Saves when back online')}
      </StatusChip>
    )
  }
  if (fill > 0.9) {
    return (
      <StatusChip tone={fill > 1 ? 'danger' : 'warning'} icon="warning">
        {t('dashboard.layoutFill', 'Layout {share, number, percent} full', { share: fill })}
      </StatusChip>
    )
  }
  return hasChanges ? <StatusChip icon="edit">{t('dashboard.unsaved', 'Unsaved changes')}</StatusChip> : null
}

/** Actions of an editor on the whole dashboard; on narrow windows some move into the menu beside Save. */
export function EditActions({ saving, hasChanges, isAddOpen, onAdd, onProperties, onSaveAs }: EditActionsProps) {
  const t = useTranslate()
  const { store, rights } = useDashboard()
  const { undo, redo, load, setEditing } = useActions()
  const { go } = useNavigation()
  const past = useDashboardState(({ history }) => history.past.length)
  const future = useDashboardState(({ history }) => history.future.length)
  const isPhone = useMediaQuery(breakpoints.phone)
  const isTablet = useMediaQuery(breakpoints.tablet)

  const undoCommand = useCommand({
    id: 'dashboard.undo',
    label: t('dashboard.undo', 'Undo'),
    shortcut: 'Mod+Z',
    icon: 'undo',
    ...(past === 0 && { disabledReason: t('dashboard.nothingToUndo', 'Nothing to undo') }),
    run: undo,
  })
  const redoCommand = useCommand({
    id: 'dashboard.redo',
    label: t('dashboard.redo', 'Redo'),
    shortcut: 'Mod+Shift+Z',
    icon: 'redo',
    ...(future === 0 && { disabledReason: t('dashboard.nothingToRedo', 'Nothing to redo') }),
    run: redo,
  })
  const add = useCommand({
    id: 'dashboard.add',
    label: t('dashboard.add', 'Add'),
    shortcut: 'A',
    icon: 'plus',
    run: onAdd,
  })
  const save = useCommand({
    id: 'dashboard.save',
    label: t('dashboard.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    run: () => void saving.save(),
  })
  const discard = async () => {
    const { saved, history } = store.getState()
    const count = history.past.length
    if (count > 0) {
      const yes = await confirm({
        title: t('dashboard.discardTitle', 'Discard {count, plural, one {# change} other {# changes}}?', { count }),
        body: t('dashboard.discardBody', 'The dashboard returns to its last saved state.'),
        action: t('dashboard.discardAction', 'Discard {count, plural, one {# change} other {# changes}}', { count }),
      })
      if (!yes) return
    }
    clearDashboardDraft(saved.result.id, userId)
    load(saved)
    setEditing(false)
    if (saved.result.id === newDashboardId) go('/dashboard/list/')
  }
  const leave = hasChanges ? t('dashboard.discard', 'Discard') : t('dashboard.done', 'Stop editing')
  const properties = t('dashboard.editProperties', 'Properties')
  const moreSave: MenuItem[] = [
    ...(rights.saveAs
      ? [{ label: t('dashboard.saveAs', 'Save as copy'), icon: 'copy' as const, onSelect: onSaveAs }]
      : []),
    ...(isTablet ? [{ label: properties, icon: 'settings' as const, onSelect: onProperties }] : []),
    ...(isPhone ? [{ label: leave, icon: 'close' as const, onSelect: () => void discard() }] : []),
  ]
  return (
    <>
      <IconButton icon="undo" label={t('dashboard.undo', 'Undo')} command={undoCommand} />
      <IconButton icon="redo" label={t('dashboard.redo', 'Redo')} command={redoCommand} />
      {isTablet ? (
        <IconButton icon="plus" label={t('dashboard.add', 'Add')} command={add} aria-pressed={isAddOpen} />
      ) : (
        <Button command={add} aria-pressed={isAddOpen} />
      )}
      {!isTablet && (
        <Button variant="quiet" icon="settings" onClick={onProperties}>
          {properties}
        </Button>
      )}
      {!isPhone && (
        <Button variant="quiet" onClick={() => void discard()}>
          {leave}
        </Button>
      )}
      <SplitButton
        variant="primary"
        command={save}
        busy={saving.isSaving}
        menuLabel={t('dashboard.moreSave', 'More save options')}
        items={moreSave}
      />
    </>
  )
}
