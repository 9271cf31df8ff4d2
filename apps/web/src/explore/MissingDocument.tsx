import { Button, ButtonLink, EmptyState, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { canReadAllData } from '../shared/rights.ts'
import { RequestAccess } from '../shared/sharing/RequestAccess.tsx'
import { TrashLink } from '../shared/TrashLink.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import type { ExploreDataset, ExploreDocument } from './use-explore.ts'

export const isDatasetMissing = ({ columns, id }: ExploreDataset): boolean =>
  id === undefined || id === null || columns.length === 0

interface MissingDocumentProps {
  document: ExploreDocument
  onSwapped(key: string): void
}

/** Shown instead of a document without a dataset: says whether the chart or only its dataset is missing. */
export function MissingDocument({ document, onSwapped }: MissingDocumentProps) {
  const { form_data, slice } = document
  if (slice === null && typeof form_data.slice_id === 'number') return <MissingChart id={form_data.slice_id} />
  return <MissingDataset document={document} onSwapped={onSwapped} />
}

function MissingChart({ id }: { id: number }) {
  const t = useTranslate()
  return (
    <EmptyState
      title={t('explore.missingChart', 'Chart not found')}
      actions={
        <>
          <TrashLink kind="chart" id={id} />
          <RequestAccess of={{ kind: 'chart', id: String(id) }} />
          <ButtonLink href="/chart/list/">{t('explore.toList', 'All charts')}</ButtonLink>
        </>
      }
    >
      {t(
        'explore.missingChartText',
        'It was deleted, its URL has changed, or you don’t have access to it. Ask its owner for access.',
      )}
    </EmptyState>
  )
}

/**
 * EXP-016: the dataset is deleted or not accessible. The server does not distinguish the two, so only users who may read all data
 * see that it is deleted; others see whom to ask for access.
 */
function MissingDataset({ document, onSwapped }: MissingDocumentProps) {
  const t = useTranslate()
  const [swapping, setSwapping] = useState(false)
  if (!canReadAllData) return <NoAccess form={document.form_data} />
  return (
    <>
      <EmptyState
        title={t('explore.missing', 'Missing dataset')}
        actions={
          <Button variant="primary" onClick={() => setSwapping(true)}>
            {t('explore.swap.do', 'Swap dataset')}
          </Button>
        }
      >
        {t('explore.missingText', 'The dataset linked to this chart may have been deleted.')}
      </EmptyState>
      <SwapDialog
        key={String(swapping)}
        open={swapping}
        onClose={() => setSwapping(false)}
        form={document.form_data}
        sliceId={document.slice?.slice_id ?? null}
        onSwapped={onSwapped}
      />
    </>
  )
}

function NoAccess({ form: { slice_id, datasource } }: { form: ExploreDocument['form_data'] }) {
  const t = useTranslate()
  const isChart = slice_id !== undefined
  const datasetId = /^\d+/.exec(String(datasource ?? ''))?.[0]
  const of = isChart
    ? ({ kind: 'chart', id: String(slice_id) } as const)
    : datasetId === undefined
      ? undefined
      : ({ kind: 'dataset', id: datasetId } as const)
  return (
    <EmptyState
      title={
        isChart
          ? t('explore.noAccessChart', 'You don’t have access to this chart')
          : t('explore.noAccessDataset', 'You don’t have access to this dataset')
      }
      actions={<RequestAccess {...(of && { of })} />}
    >
      {t(
        'explore.noAccessText',
        'Its data is not shared with you, or it was deleted. Ask the sender of the link or an administrator for access.',
      )}
    </EmptyState>
  )
}
