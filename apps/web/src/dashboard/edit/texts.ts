import type { Translate } from '@parquetry/ui'
import { undoLimit } from '../layout/history.ts'
import type { Refusal } from '../layout/rules.ts'

export const refusalText = (t: Translate, refusal: Refusal): string =>
  ({
    'no-room': t(
      'dashboard.noRoom',
      'There is not enough space for this component. Try decreasing its width, or increasing the destination width.',
    ),
    'top-tab-into-nested': t('dashboard.topTab', 'Can not move top level tab into nested tabs'),
    'wrong-place': t('dashboard.wrongPlace', 'This can’t be placed there.'),
  })[refusal]

export const undoLimitText = (t: Translate): string =>
  t(
    'dashboard.undoSlots',
    'You have used all {count} undo slots and will not be able to fully undo subsequent actions. You may save your current state to reset the history.',
    { count: undoLimit },
  )

export const scopeChangedText = (t: Translate): string =>
  t('dashboard.otherScope', 'This chart has been moved to a different filter scope.')

export const noDefinitionText = (t: Translate): string =>
  t('dashboard.noDefinition', 'Sorry, there is no chart definition associated with the chart trying to be added.')
