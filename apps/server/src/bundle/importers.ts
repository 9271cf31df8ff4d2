import type { BundledKind } from '@parquetry/model'
import { annotationLayerImporter } from './import-annotation-layer.ts'
import { chartImporter } from './import-chart.ts'
import { cssTemplateImporter } from './import-css-template.ts'
import { dashboardImporter } from './import-dashboard.ts'
import { databaseImporter } from './import-database.ts'
import { datasetImporter } from './import-dataset.ts'
import { savedQueryImporter } from './import-saved-query.ts'
import type { KindImporter } from './import-scope.ts'
import { themeImporter } from './import-theme.ts'

/** The contents of an object of any kind; only the importer of its kind looks into them. */
export type AnyContent = Record<string, unknown>

export const importers: Record<BundledKind, KindImporter<AnyContent>> = {
  theme: themeImporter as unknown as KindImporter<AnyContent>,
  css_template: cssTemplateImporter as unknown as KindImporter<AnyContent>,
  annotation_layer: annotationLayerImporter as unknown as KindImporter<AnyContent>,
  database: databaseImporter as unknown as KindImporter<AnyContent>,
  dataset: datasetImporter as unknown as KindImporter<AnyContent>,
  chart: chartImporter as unknown as KindImporter<AnyContent>,
  dashboard: dashboardImporter as unknown as KindImporter<AnyContent>,
  saved_query: savedQueryImporter as unknown as KindImporter<AnyContent>,
}
