import { loadStoredForm, type ThemeDocument } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import { Button, ErrorPanel, Link, Skeleton, Tag, ThemeScope, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../shared/api.ts'
import { ChartFrame } from '../../shared/ChartFrame.tsx'
import { messageOf } from '../../shared/errors.ts'
import { can } from '../../shared/rights.ts'
import { themeVariables } from '../../shared/theme/page-theme.ts'
import { useChartData } from '../../shared/use-chart-data.ts'
import styles from './themes.module.css'

const chartCount = 2
const candidates = 25

const isTable = (vizType: string | null): boolean => /table/.test(vizType ?? '')

/** Charts of the caller in different types, with their forms. */
async function loadCharts(signal: AbortSignal) {
  const { result } = await api.get('/api/v1/chart/', {
    q: {
      columns: ['id', 'slice_name', 'viz_type'] as const,
      order_column: 'changed_on_delta_humanized',
      order_direction: 'desc',
      page_size: candidates,
    },
    signal,
  })
  const types = new Set<string>()
  const found = []
  // Tables show less of a theme than other charts.
  const ranked = result.toSorted((a, b) => Number(isTable(a.viz_type)) - Number(isTable(b.viz_type)))
  for (const { id, slice_name, viz_type } of ranked) {
    if (found.length === chartCount || !viz_type || types.has(viz_type)) continue
    const { form_data } = (await api.get('/api/v1/explore/', { query: { slice_id: id }, signal, quiet: true })).result
    const stored = await loadStoredForm(form_data)
    if (!stored) continue
    types.add(viz_type)
    found.push({ id, title: slice_name ?? '', ...stored })
  }
  return found
}
type PreviewChart = Awaited<ReturnType<typeof loadCharts>>[number]

/** Controls, which are only looked at, and some charts of the caller with a theme, in light and in dark mode. */
export function ThemePreview({ theme }: { theme: ThemeDocument }) {
  const t = useTranslate()
  const variables = useMemo(() => themeVariables(theme), [theme])
  const mayReadCharts = can('can_read', 'Chart')
  const charts = useQuery({
    queryKey: ['theme', 'preview'],
    queryFn: ({ signal }) => loadCharts(signal),
    staleTime: Infinity,
    enabled: mayReadCharts,
  })
  return (
    <section aria-label={t('lists.themes.preview', 'Preview')}>
      <h3>{t('lists.themes.preview', 'Preview')}</h3>
      {charts.error && (
        <ErrorPanel inline onRetry={() => void charts.refetch()}>
          {messageOf(charts.error)}
        </ErrorPanel>
      )}
      <div className={styles.preview}>
        {(['light', 'dark'] as const).map((mode) => (
          <ThemeScope key={mode} theme={mode} variables={variables[mode]}>
            <div
              className={styles.mode}
              role="group"
              aria-label={
                mode === 'light' ? t('lists.themes.light', 'Light mode') : t('lists.themes.night', 'Dark mode')
              }
            >
              <div className={styles.controls} inert>
                <Button variant="primary">{t('lists.themes.sampleButton', 'Primary button')}</Button>
                <Button>{t('lists.themes.sampleOther', 'Button')}</Button>
                <Tag>{t('lists.themes.sampleTag', 'Tag')}</Tag>
                <Link href="/theme/list/" target="_blank">
                  {t('lists.themes.sampleLink', 'Link')}
                </Link>
                <span className={styles.quiet}>{t('lists.themes.sampleText', 'Secondary text')}</span>
              </div>
              {charts.isLoading && <Skeleton height={200} />}
              {charts.data?.map((chart) => (
                <ChartPreview key={chart.id} {...chart} />
              ))}
              {charts.data?.length === 0 && (
                <p className={styles.quiet}>
                  {t('lists.themes.noCharts', 'Create a chart to see it here with the theme.')}
                </p>
              )}
            </div>
          </ThemeScope>
        ))}
      </div>
    </section>
  )
}

function ChartPreview({ chart, form, title }: PreviewChart) {
  const data = useChartData(chart, form, { state: {}, enabled: true, force: false })
  return (
    <div className={styles.chart}>
      <ChartFrame
        title={title}
        level={3}
        state={data.state}
        hasPicture={data.result !== undefined}
        vizType={chart.viz_type}
        onStop={data.stop}
      >
        {data.result && (
          <ChartHost form={form} frames={data.result.frames} until={data.result.heads[0]?.until} title={title} />
        )}
      </ChartFrame>
    </div>
  )
}
