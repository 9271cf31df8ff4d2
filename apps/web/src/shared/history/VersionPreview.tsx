import { listChartNodes, parseJsonObject, type VersionedKind } from '@parquetry/model'
import { Button, ButtonLink, ErrorPanel, Skeleton, toastError, useNavigation, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import { BoxesPicture } from '../thumbnail/DashboardPicture.tsx'
import { dashboardBoxes } from '../thumbnail/dashboard-boxes.ts'
import { vizName } from '../viz.ts'
import { readVersion } from './calls.ts'
import styles from './history.module.css'

type Document = Record<string, unknown>

/** Preview of one version of an object. */
export function VersionPreview({ kind, id, n }: { kind: VersionedKind; id: number; n: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [kind, 'version', id, n],
    queryFn: async ({ signal }) => (await readVersion(kind, id, n, signal)).result,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) {
    return (
      <ErrorPanel inline onRetry={() => void refetch()}>
        {messageOf(error)}
      </ErrorPanel>
    )
  }
  if (!data) return <Skeleton height={120} />
  if (kind === 'dashboard') return <DashboardVersion id={id} n={n} document={data} />
  return kind === 'chart' ? <ChartVersion id={id} document={data} /> : <DatasetVersion document={data} />
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Preview of a dashboard version: its layout as small boxes, its contents, and a link to the page that shows it with data. */
function DashboardVersion({ id, n, document }: { id: number; n: number; document: Document }) {
  const t = useTranslate()
  const position = text(document['position_json']) || null
  const boxes = dashboardBoxes(position, [])
  const nodes = listChartNodes(parseJsonObject(position))
  const names = nodes.flatMap(({ meta }) => {
    const name = meta['sliceNameOverride'] ?? meta['sliceName']
    return typeof name === 'string' ? [name] : []
  })
  return (
    <>
      <strong>{text(document['dashboard_title'])}</strong>
      {boxes.length > 0 && (
        <div className={styles.preview}>
          <BoxesPicture boxes={boxes} kinds={new Map()} />
        </div>
      )}
      <p className={styles.quiet}>
        {t('history.charts', '{n, plural, =0 {No charts} one {# chart} other {# charts}}', { n: nodes.length })}
        {names.length > 0 && `: ${names.join(', ')}`}
      </p>
      <span>
        <ButtonLink icon="dashboard" href={`/superset/dashboard/${id}/?version=${n}`}>
          {t('history.openDashboard', 'View with data')}
        </ButtonLink>
      </span>
    </>
  )
}

/** Preview of a chart version: its type, and a button that opens it in Explore as an unsaved chart. */
function ChartVersion({ id, document }: { id: number; document: Document }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const open = async () => {
    try {
      const datasource_id = Number(document['datasource_id'])
      const { key } = await api.post('/api/v1/explore/form_data', {
        body: {
          datasource_id,
          datasource_type: 'table',
          chart_id: id,
          form_data: JSON.stringify({
            ...parseJsonObject(document['params']),
            viz_type: document['viz_type'],
            datasource: `${datasource_id}__table`,
            slice_id: id,
          }),
        },
      })
      go(`/explore/?slice_id=${id}&form_data_key=${key}`)
    } catch (failure) {
      toastError(messageOf(failure))
    }
  }
  return (
    <>
      <strong>{text(document['slice_name'])}</strong>
      <p className={styles.quiet}>{vizName(text(document['viz_type']), t)}</p>
      <span>
        <Button icon="chart" onClick={() => void open()}>
          {t('history.openChart', 'Open in Explore without saving')}
        </Button>
      </span>
    </>
  )
}

function DatasetVersion({ document }: { document: Document }) {
  const t = useTranslate()
  const names = (list: unknown, name: string) =>
    (Array.isArray(list) ? (list as Document[]) : []).map((each) => text(each[name])).join(', ')
  const sql = text(document['sql'])
  return (
    <>
      <strong>{text(document['table_name'])}</strong>
      {sql !== '' && <pre className={styles.code}>{sql}</pre>}
      <p className={styles.quiet}>
        {t('history.columns', 'Columns: {names}', { names: names(document['columns'], 'column_name') })}
      </p>
      <p className={styles.quiet}>
        {t('history.metrics', 'Metrics: {names}', { names: names(document['metrics'], 'metric_name') })}
      </p>
    </>
  )
}
