import { loadStoredForm } from '@parquetry/charts'
import type { LayoutNode } from '@parquetry/model'
import { toastError, useCopy, useTranslate, type MenuItem } from '@parquetry/ui'
import { downloadResults, type DownloadFormat } from '../../shared/download-results.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatRecentTime } from '../../shared/formats.ts'
import { fetchChartPicture } from '../../shared/chart-picture.ts'
import { usePictureDownload } from '../../shared/use-picture-download.ts'
import type { LoadedDataset } from '../data/calls.ts'
import { computeDataTime, type ChartState } from '../data/chart-data.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { datasetOfForm } from '../state/dashboard-colors.ts'
import { useShareLink } from '../view/use-share-link.ts'
import { useExploreChart } from './use-explore-chart.ts'
import type { DetailKind } from './ChartDetails.tsx'

interface Menu {
  node: LayoutNode
  chart: ChartRecord
  state: ChartState
  title: string
  openDetail(kind: DetailKind): void
  /** Drill items, if drilling is allowed. */
  drill: MenuItem[]
  /** Present if the chart filters others. */
  openScope?(): void
}

/** Menu of one chart for a viewer, built when it opens; items without permission are omitted (PERM-008 to PERM-013). */
export function useChartMenu({ node, chart, state, title, openDetail, drill, openScope }: Menu): () => MenuItem[] {
  const t = useTranslate()
  const { data, datasets, rights } = useDashboard()
  const { setFullSize } = useActions()
  const result = useDashboardState(({ dashboard }) => dashboard.result)
  const isFull = useDashboardState(({ fullSize }) => fullSize === node.id)
  const makeLink = useShareLink()
  const copy = useCopy()
  const openInExplore = useExploreChart()
  const isFiltered = state.answer?.form.extra_form_data !== undefined

  const downloadItem = usePictureDownload(
    (pictureRequest) =>
      fetchChartPicture(pictureRequest, {
        form_data: state.answer?.form ?? {},
        title,
        dashboard_id: result.id,
        ...measureTile(node.id),
      }),
    title,
  )
  const copyLink = async () => {
    try {
      copy(await makeLink(node.id), t('share.copied', 'Link Copied!'))
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  return () => {
    const dataTime = state.answer && computeDataTime(state.answer)
    const items: MenuItem[] = [
      {
        label: isFull ? t('dashboard.leaveFullSize', 'Exit full size') : t('dashboard.fullSize', 'Full size'),
        icon: 'expand',
        shortcut: isFull ? 'Escape' : undefined,
        onSelect: () => setFullSize(isFull ? null : node.id),
      },
      {
        label: dataTime
          ? t('dashboard.refreshAt', 'Refresh (data as of {time})', { time: formatRecentTime(dataTime) })
          : t('dashboard.refresh', 'Refresh'),
        icon: 'refresh',
        onSelect: () => data.refresh([chart.id]),
      },
    ]
    if (rights.explore || rights.editChart) {
      items.push({
        label: t('dashboard.editChart', 'Edit in Explore'),
        icon: 'edit',
        ...(isFiltered ? { onSelect: () => void openInExplore(chart) } : { href: `/explore/?slice_id=${chart.id}` }),
      })
    }
    if (state.answer) {
      items.push(
        'divider',
        { label: t('dashboard.viewData', 'View data as table'), icon: 'table', onSelect: () => openDetail('data') },
        { label: t('dashboard.viewQuery', 'View query'), icon: 'sql', onSelect: () => openDetail('query') },
        ...drill,
      )
    }
    if (openScope && rights.edit)
      items.push({ label: t('dashboard.crossScope', 'Cross-filter scope'), icon: 'filter', onSelect: openScope })
    items.push('divider')
    if (rights.shareChart || rights.share) {
      items.push({
        label: t('dashboard.chartLink', 'Copy link to this chart'),
        icon: 'link',
        onSelect: () => void copyLink(),
      })
    }
    if (rights.csv && state.answer) {
      const { form } = state.answer
      const save = (format: DownloadFormat) => () =>
        void downloadFile(form, datasetOfForm(form, datasets), title, format)
      items.push(
        { label: t('dashboard.csv', 'Download as CSV'), icon: 'download', onSelect: save('csv') },
        { label: t('dashboard.workbook', 'Download as Excel'), icon: 'download', onSelect: save('xlsx') },
      )
    }
    if (state.answer) items.push(downloadItem)
    return items.at(-1) === 'divider' ? items.slice(0, -1) : items
  }
}

/** Size of the chart's tile on the page in px, limited to 100 to 4000. */
function measureTile(id: string): { width?: number; height?: number } {
  const tile = document.querySelector(`[data-node="${CSS.escape(id)}"]`)
  if (!tile) return {}
  const bounded = (size: number) => Math.min(4000, Math.max(100, Math.round(size)))
  return { width: bounded(tile.clientWidth), height: bounded(tile.clientHeight) }
}

async function downloadFile(
  form: Record<string, unknown>,
  dataset: LoadedDataset | undefined,
  title: string,
  format: DownloadFormat,
): Promise<void> {
  try {
    const opened = await loadStoredForm(form, dataset)
    if (opened) await downloadResults(opened.chart, opened.form, title, format)
  } catch (error) {
    toastError(messageOf(error))
  }
}
