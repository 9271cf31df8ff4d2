import type { IconName, Translate } from '@parquetry/ui'
import type { BundledKind } from '@parquetry/model'
import type { ImportKind } from '../shared/import-permissions.ts'

export interface KindTexts {
  icon: IconName
  /** Heading. */
  title: string
  one: string
  /** Plural with its number: "3 charts". */
  count(n: number): string
}

/** Names of the kinds of objects in bundles. */
export const kindTexts = (t: Translate): Record<BundledKind, KindTexts> => ({
  theme: {
    icon: 'sun',
    title: t('import.kind.themes', 'Themes'),
    one: t('import.kind.theme', 'theme'),
    count: (n) => t('import.kind.nThemes', '{n, plural, one {# theme} other {# themes}}', { n }),
  },
  css_template: {
    icon: 'text',
    title: t('import.kind.cssTemplates', 'CSS templates'),
    one: t('import.kind.cssTemplate', 'CSS template'),
    count: (n) => t('import.kind.nCssTemplates', '{n, plural, one {# CSS template} other {# CSS templates}}', { n }),
  },
  annotation_layer: {
    icon: 'calendar',
    title: t('import.kind.layers', 'Annotation layers'),
    one: t('import.kind.layer', 'annotation layer'),
    count: (n) => t('import.kind.nLayers', '{n, plural, one {# annotation layer} other {# annotation layers}}', { n }),
  },
  database: {
    icon: 'database',
    title: t('import.kind.databases', 'Databases'),
    one: t('import.kind.database', 'database'),
    count: (n) => t('import.kind.nDatabases', '{n, plural, one {# database} other {# databases}}', { n }),
  },
  dataset: {
    icon: 'dataset',
    title: t('import.kind.datasets', 'Datasets'),
    one: t('import.kind.dataset', 'dataset'),
    count: (n) => t('import.kind.nDatasets', '{n, plural, one {# dataset} other {# datasets}}', { n }),
  },
  chart: {
    icon: 'chart',
    title: t('import.kind.charts', 'Charts'),
    one: t('import.kind.chart', 'chart'),
    count: (n) => t('import.kind.nCharts', '{n, plural, one {# chart} other {# charts}}', { n }),
  },
  dashboard: {
    icon: 'dashboard',
    title: t('import.kind.dashboards', 'Dashboards'),
    one: t('import.kind.dashboard', 'dashboard'),
    count: (n) => t('import.kind.nDashboards', '{n, plural, one {# dashboard} other {# dashboards}}', { n }),
  },
  saved_query: {
    icon: 'query',
    title: t('import.kind.savedQueries', 'Saved queries'),
    one: t('import.kind.savedQuery', 'saved query'),
    count: (n) => t('import.kind.nSavedQueries', '{n, plural, one {# saved query} other {# saved queries}}', { n }),
  },
})

/** Noun of what an import is about, in the singular. */
export const importNoun = (t: Translate, kind: ImportKind | null): string =>
  kind === null || kind === 'assets' ? t('import.kind.assets', 'bundle') : kindTexts(t)[kind].one

/** List of the objects of a kind. */
export const listHrefs: Record<BundledKind, string> = {
  theme: '/theme/list/',
  css_template: '/csstemplatemodelview/list/',
  annotation_layer: '/annotationlayer/list/',
  database: '/databaseview/list/',
  dataset: '/tablemodelview/list/',
  chart: '/chart/list/',
  dashboard: '/dashboard/list/',
  saved_query: '/savedqueryview/list/',
}

/** Page of an imported object. */
export function objectHref(kind: BundledKind, id: number): string {
  const hrefs: Record<BundledKind, string> = {
    theme: `/theme/list/?edit=${id}`,
    css_template: `/csstemplatemodelview/list/?edit=${id}`,
    annotation_layer: `/annotationlayer/${id}/annotation/`,
    database: `/databaseview/list/?edit=${id}`,
    dataset: `/explore/?datasource_type=table&datasource_id=${id}`,
    chart: `/explore/?slice_id=${id}`,
    dashboard: `/superset/dashboard/${id}/`,
    saved_query: `/superset/sqllab/?savedQueryId=${id}`,
  }
  return hrefs[kind]
}
