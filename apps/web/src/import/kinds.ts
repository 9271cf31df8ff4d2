import type { IconName, Translate } from '@parquetry/ui'
import type { BundledKind } from '@parquetry/model'
import type { ImportKind } from '../shared/import-permissions.ts'

export interface KindTexts {
  icon: IconName
  one: string
  many: string
  /** Plural with its number: "3 charts". */
  count(n: number): string
}

/** Names of the kinds of objects in bundles. */
export const kindTexts = (t: Translate): Record<BundledKind, KindTexts> => ({
  theme: {
    icon: 'sun',
    one: t('import.kind.theme', 'theme'),
    many: t('import.kind.themes', 'themes'),
    count: (n) => t('import.kind.nThemes', '{n, plural, one {# theme} other {# themes}}', { n }),
  },
  css_template: {
    icon: 'text',
    one: t('import.kind.cssTemplate', 'CSS template'),
    many: t('import.kind.cssTemplates', 'CSS templates'),
    count: (n) => t('import.kind.nCssTemplates', '{n, plural, one {# CSS template} other {# CSS templates}}', { n }),
  },
  annotation_layer: {
    icon: 'calendar',
    one: t('import.kind.layer', 'annotation layer'),
    many: t('import.kind.layers', 'annotation layers'),
    count: (n) => t('import.kind.nLayers', '{n, plural, one {# annotation layer} other {# annotation layers}}', { n }),
  },
  database: {
    icon: 'database',
    one: t('import.kind.database', 'database'),
    many: t('import.kind.databases', 'databases'),
    count: (n) => t('import.kind.nDatabases', '{n, plural, one {# database} other {# databases}}', { n }),
  },
  dataset: {
    icon: 'dataset',
    one: t('import.kind.dataset', 'dataset'),
    many: t('import.kind.datasets', 'datasets'),
    count: (n) => t('import.kind.nDatasets', '{n, plural, one {# dataset} other {# datasets}}', { n }),
  },
  chart: {
    icon: 'chart',
    one: t('import.kind.chart', 'chart'),
    many: t('import.kind.charts', 'charts'),
    count: (n) => t('import.kind.nCharts', '{n, plural, one {# chart} other {# charts}}', { n }),
  },
  dashboard: {
    icon: 'dashboard',
    one: t('import.kind.dashboard', 'dashboard'),
    many: t('import.kind.dashboards', 'dashboards'),
    count: (n) => t('import.kind.nDashboards', '{n, plural, one {# dashboard} other {# dashboards}}', { n }),
  },
  saved_query: {
    icon: 'query',
    one: t('import.kind.savedQuery', 'saved query'),
    many: t('import.kind.savedQueries', 'saved queries'),
    count: (n) => t('import.kind.nSavedQueries', '{n, plural, one {# saved query} other {# saved queries}}', { n }),
  },
})

/** Noun of what an import is about, in the singular. */
export const importNoun = (t: Translate, kind: ImportKind): string =>
  kind === 'assets' ? t('import.kind.assets', 'bundle') : kindTexts(t)[kind].one
